import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const MODULE = new URL("../../src/cli/serve/fit-heaps.ts", import.meta.url).href;

/**
 * What a thread does: makes 100 MB of objects of which it keeps the last ten, and says how much room there was for new
 * ones.
 */
const THREAD = `
  import { parentPort } from "node:worker_threads";
  import { getHeapSpaceStatistics } from "node:v8";
  const kept = [];
  for (let made = 0; made < 100_000; made++) kept[made % 10_000] = new Array(128).fill(made);
  parentPort.postMessage(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20);
`;
const PROGRAM = `
  import { Worker } from "node:worker_threads";
  import { fitHeaps } from ${JSON.stringify(MODULE)};
  fitHeaps();
  new Worker(${JSON.stringify(THREAD)}, { eval: true }).on("message", (mebibytes) => console.log(mebibytes));
`;

/** Resolves to the MiB for new objects of a thread, those that are in use and those that they are moved to. */
async function roomOfThread(flags: readonly string[], options?: string): Promise<number> {
  const { NODE_OPTIONS, ...environment } = process.env;
  const env = options === undefined ? environment : { ...environment, NODE_OPTIONS: options };
  const program = [...flags, "--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  return Number(stdout);
}

it("gives threads half of the room for new objects that the process has, unless the user says how much", async () => {
  const [fitted, own] = await Promise.all([
    roomOfThread(["--max-semi-space-size=8"]),
    roomOfThread([], "--max-semi-space-size=16"),
  ]);
  expect(fitted).toBeLessThanOrEqual(8);
  expect(own).toBeGreaterThan(8);
});

/** Says how much lower the priority of each thread is than that of the process, by the name of the thread. */
const PRIORITIES = `
  import { readdirSync, readFileSync } from "node:fs";
  import { getPriority } from "node:os";
  import { lowerCompilers } from ${JSON.stringify(MODULE)};
  lowerCompilers();
  for (const thread of readdirSync("/proc/self/task")) {
    const name = readFileSync("/proc/self/task/" + thread + "/comm", "utf8").trim();
    console.log(name === "V8Worker" ? "helper" : "other", getPriority(Number(thread)) - getPriority());
  }
`;

it.runIf(process.platform === "linux")("lowers the priority of the threads that compile, and of no other", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", PRIORITIES]);
  // The tests may have a low priority themselves, and 19 is the lowest.
  const steps = Math.min(10, 19 - getPriority());
  expect(new Set(stdout.trim().split("\n"))).toEqual(new Set([`helper ${steps}`, "other 0"]));
});
