import { setTimeout as sleep } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import { problem } from "./judge.ts";
import type { AttackedService } from "./service.ts";

/** Name under which the memory of the whole run is counted. */
export const MEMORY = "memory";

/** Most by which what is in use may grow between the warm-up and the end, each after its garbage was collected. */
const MAX_HEAP_MIB = 48;
/** Most for what the process has of the system, which gives free pages back late. */
const MAX_RESIDENT_MIB = 200;

/** Records are written and connections end within this. */
const SETTLE_MS = 3000;

const MIB = 2 ** 20;

/** Reads what a service has in use; the function that it returns reads it again, and judges. */
export async function startMemoryWatch(
  service: AttackedService,
): Promise<(findings: Findings, say: (line: string) => void) => Promise<void>> {
  await sleep(SETTLE_MS);
  if (service.ended() !== undefined) return async () => {};
  const before = await service.collect();
  return async (findings, say) => {
    await sleep(SETTLE_MS);
    if (service.ended() !== undefined) return;
    const after = await service.collect();
    const [heap, resident] = [after.heapBytes - before.heapBytes, after.rssBytes - before.rssBytes];
    say(
      `  memory: heap ${toMib(before.heapBytes)} to ${toMib(after.heapBytes)} MiB, resident ${toMib(before.rssBytes)} to ${toMib(after.rssBytes)} MiB`,
    );
    const add = (what: string, bytes: number, limit: number): void => {
      if (bytes > limit * MIB)
        findings.add({
          area: MEMORY,
          ...problem("memory", `${what} grew by ${toMib(bytes)} MiB`),
          what: `the bound is ${limit} MiB`,
        });
    };
    add("the heap", heap, MAX_HEAP_MIB);
    add("resident memory", resident, MAX_RESIDENT_MIB);
  };
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}
