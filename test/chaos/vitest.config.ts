import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { testBundle } from "../support/tested-program.ts";

testBundle();

/** Files that leave the machine idle most of their time, while a database is away. */
const waiting = ["clock", "frozen", "outage"].map((name) => `test/chaos/${name}.chaos.ts`);

const options = {
  testTimeout: 300_000,
  hookTimeout: 60_000,
  pool: "forks",
  disableConsoleIntercept: true,
} as const;

/** Kills processes and takes databases away, for minutes: `npm run test:chaos`. The tests print their figures. */
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    projects: [
      { test: { ...options, name: "waiting", include: waiting, maxWorkers: 3, sequence: { groupOrder: 0 } } },
      {
        // One after another: each measures what the machine does under its own load.
        test: {
          ...options,
          name: "killing",
          include: ["test/chaos/*.chaos.ts"],
          exclude: waiting,
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
