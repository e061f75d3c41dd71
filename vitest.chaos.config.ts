import { defineConfig } from "vitest/config";

/** Tests that kill processes and take databases away: minutes, not milliseconds. They print their figures. */
export default defineConfig({
  test: {
    include: ["test/**/*.chaos.ts"],
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
