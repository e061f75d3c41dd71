import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { testBundle } from "../support/tested-program.ts";

testBundle();

/** Files that leave the machine idle most of their time, while a database is away. */
const waiting = filesOf("clock", "frozen", "outage");
/** Files that say how long something takes. */
const measuring = filesOf("replicas", "sqlite-full");

const options = {
  // Far more than any takes: a busy machine is no fault.
  testTimeout: 600_000,
  hookTimeout: 60_000,
  pool: "forks",
  disableConsoleIntercept: true,
} as const;

/** Files that wait leave the cores to those that kill. */
const together = { maxWorkers: 3, sequence: { groupOrder: 0 } } as const;

/** Kills processes and takes databases away, for minutes: `npm run test:chaos`. The tests print their figures. */
export default defineConfig({
  root: join(import.meta.dirname, "..", ".."),
  test: {
    reporters: ["default", "./test/closing-line-reporter.ts"],
    projects: [
      { test: { ...options, ...together, name: "waiting", include: waiting } },
      {
        // They count what is lost or made twice, which load beside them does not excuse.
        test: {
          ...options,
          ...together,
          name: "killing",
          include: filesOf("*"),
          exclude: [...waiting, ...measuring],
          isolate: false,
        },
      },
      {
        // One after another: each measures what the machine does under its own load.
        test: {
          ...options,
          name: "measuring",
          include: measuring,
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

function filesOf(...names: string[]): string[] {
  return names.map((name) => `test/chaos/${name}.chaos.ts`);
}
