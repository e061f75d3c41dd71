import { join } from "node:path";
import { defineConfig } from "vitest/config";
import config from "../vitest.config.ts";
import { testBundle } from "./support/tested-program.ts";

testBundle();

/**
 * Tests like all others, which take long by nature: they wait for limits of seconds, flood a service, compare what
 * large inputs cost, move whole databases, try hundreds of schemas or texts, or start a process for every assertion.
 * `npm run test:slow`.
 */
export default defineConfig({
  ...config,
  root: join(import.meta.dirname, ".."),
  // What compares costs needs a core of its own. Some make a thousand calls one after another, which ends what hangs
  // later.
  test: { ...config.test, include: ["test/**/*.slow.ts"], maxWorkers: "100%", testTimeout: 300_000 },
});
