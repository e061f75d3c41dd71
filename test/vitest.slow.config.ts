import { join } from "node:path";
import { defineConfig } from "vitest/config";
import config from "../vitest.config.ts";
import { testBundle } from "./support/tested-program.ts";

testBundle();

const { reporters, ...options } = config.test ?? {};

/**
 * Files that measure their own process: what others leave in it takes memory, and time of the collector. The work of a
 * request is counted beside what timers do meanwhile, which is more where it takes longer.
 */
const measuring = [
  ...["dashboard-holds-the-loop", "export-stalls", "feedback-on-unknown-ids", "open-stream-memory"].map(
    (name) => `test/regression/${name}.slow.ts`,
  ),
  "test/bench/work.slow.ts",
];

// What compares costs needs a core of its own. Some make a thousand calls one after another, which ends what hangs
// later.
const slow = { ...options, maxWorkers: "100%", testTimeout: 300_000 } as const;

/**
 * Tests like all others, which take long by nature: they wait for limits of seconds, flood a service, compare what
 * large inputs cost, move whole databases, try hundreds of schemas or texts, or start a process for every assertion.
 * `npm run test:slow`.
 */
export default defineConfig({
  ...config,
  root: join(import.meta.dirname, ".."),
  test: {
    reporters,
    projects: [
      {
        test: {
          ...slow,
          name: "slow",
          include: ["test/**/*.slow.ts"],
          exclude: measuring,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...slow,
          maxWorkers: 1,
          name: "measuring",
          include: measuring,
          isolate: true,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
