import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { testBundle } from "../support/tested-program.ts";

testBundle();

/** Kills processes and takes databases away, for minutes: `npm run test:chaos`. The tests print their figures. */
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: {
    include: ["test/chaos/*.chaos.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: "forks",
    isolate: false,
    // One after another: each measures what the machine does under its own load.
    fileParallelism: false,
    disableConsoleIntercept: true,
    reporters: ["default", "./test/closing-line-reporter.ts"],
  },
});
