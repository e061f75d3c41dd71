import { setTimeout as sleep } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import { problem } from "./judge.ts";
import type { MonitorAnswer } from "./monitor-messages.ts";
import type { AttackedService } from "./service.ts";

/** Name under which the memory of the whole run is counted. */
export const MEMORY = "memory";

/** Most by which what is in use may grow between the warm-up and the end, each after its garbage was collected. */
const MAX_HEAP_MIB = 48;
/**
 * Most for what the process has of the system: pages that a few large bodies took at once are kept for the next ones.
 */
const MAX_RESIDENT_MIB = 768;

/** Records are written, kept connections end and temporary keys are forgotten within this. */
const SETTLE_MS = 90_000;
const STEP_MS = 3000;

const MIB = 2 ** 20;

/** Reads what a service has in use; the function that it returns reads it again until it is back, and judges. */
export async function startMemoryWatch(
  service: AttackedService,
): Promise<(findings: Findings, say: (line: string) => void) => Promise<void>> {
  await sleep(STEP_MS);
  if (service.ended() !== undefined) return async () => {};
  const before = await service.collect();
  return async (findings, say) => {
    const begin = performance.now();
    const grown = await readUntil(service, before, SETTLE_MS);
    if (grown === undefined) return;
    const seconds = ((performance.now() - begin) / 1000).toFixed(0);
    say(
      `  memory: heap ${toMib(before.heapBytes)} to ${toMib(before.heapBytes + grown.heap)} MiB, ` +
        `resident ${toMib(before.rssBytes)} to ${toMib(before.rssBytes + grown.resident)} MiB, ${seconds} s after the last input`,
    );
    const add = (what: string, bytes: number, limit: number): void => {
      if (bytes <= limit * MIB) return;
      const detail = `${what} grew by ${toMib(bytes)} MiB`;
      findings.add({ area: MEMORY, ...problem("memory", detail), what: `the bound is ${limit} MiB` });
    };
    add("the heap", grown.heap, MAX_HEAP_MIB);
    add("resident memory", grown.resident, MAX_RESIDENT_MIB);
  };
}

interface Growth {
  readonly heap: number;
  readonly resident: number;
}

async function readUntil(
  service: AttackedService,
  before: MonitorAnswer,
  limitMs: number,
): Promise<Growth | undefined> {
  for (const end = performance.now() + limitMs; ; ) {
    await sleep(STEP_MS);
    if (service.ended() !== undefined) return undefined;
    const after = await service.collect();
    const grown = { heap: after.heapBytes - before.heapBytes, resident: after.rssBytes - before.rssBytes };
    const isBack = grown.heap <= MAX_HEAP_MIB * MIB && grown.resident <= MAX_RESIDENT_MIB * MIB;
    if (isBack || performance.now() > end) return grown;
  }
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}
