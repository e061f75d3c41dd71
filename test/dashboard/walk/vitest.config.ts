import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "../../support/patience.ts";

/** Walks through the dashboard in a browser: `npm run test:dashboard`. */
export default defineConfig({
  root: join(import.meta.dirname, "..", "..", ".."),
  test: {
    include: ["test/dashboard/walk/*.walk.ts"],
    // They end what hangs: beside others each picture may take seconds, and some steps take ten.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: PATIENCE },
    // One leaves half of two cores idle, and more would wait for each other.
    maxWorkers: 2,
    // Each step begins where the one before has ended.
    bail: 1,
  },
});
