import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SANDBOX_MODEL } from "../configuration.ts";
import type { Findings } from "../findings.ts";
import { problem } from "../judge.ts";
import type { AttackedService } from "../service.ts";
import { http1Hoards } from "./http1.ts";
import { http2Hoards } from "./http2.ts";
import type { Hoard } from "./sender.ts";
import { websocketHoards } from "./websocket.ts";

/** Name under which the hoards are counted. */
export const HOARD = "hoard";

/** The most that anything one key does shall add to the memory of a process, and hold its loop. */
const TARGET = { mib: 200, heldMs: 250 };
/**
 * The bounds that fail the attack: a busy machine collects garbage late, while a real leak takes gigabytes and minutes.
 */
const BOUND = { mib: 1024, heldMs: 1500 };

/** Answers before a hoard: enough for each worker to have one. */
const WARM_UPS = 8;

/** How long a hoard sends at most, and is then held. */
const SEND_MS = 4000;
const HOLD_MS = 500;
const HOARDS: readonly Hoard[] = [...websocketHoards, ...http1Hoards, ...http2Hoards];

/** The time within which the same key is answered again, once a hoard has ended. */
const ANSWERED_MS = 60_000;
/** The memory that counts as given back. */
const BACK_MIB = 100;

/** What one hoard cost. */
interface Hoarded {
  readonly mostMiB: number;
  readonly heldMs: number;
  /** When the same key was answered again, in milliseconds after the end; undefined if that took too long. */
  readonly answeredMs: number | undefined;
  /** What was left of the memory after `backMs`. */
  readonly leftMiB: number;
  readonly backMs: number;
}

/**
 * Has one key hoard memory in each way, of a service of its own each time, and says in lines what it took. `part` names
 * the ways by a part of their names; `backMs` is the longest wait for the memory to be given back.
 */
export async function hoard(
  start: () => Promise<AttackedService>,
  findings: Findings,
  { say, part, backMs }: { readonly say: Say; readonly part: string; readonly backMs: number },
): Promise<void> {
  const hoards = HOARDS.filter(({ name }) => name.includes(part));
  const startAt = (at: number) => (at < hoards.length ? start() : undefined);
  let next = startAt(0);
  const closing: Promise<void>[] = [];
  try {
    for (const [at, each] of hoards.entries()) {
      const service = await next;
      next = undefined;
      if (service === undefined) return;
      // The next one starts while memory is given back.
      const onHeld = (): void => {
        next = startAt(at + 1);
        // It is heard of once the service is waited for.
        next?.catch(() => {});
      };
      try {
        judge(each, await measure(each, service, { backMs, onHeld }), { findings, say });
        const ended = service.ended();
        if (ended !== undefined) findings.add({ area: HOARD, ...problem("exit", ended), what: each.name });
      } finally {
        closing.push(service.close());
      }
    }
  } finally {
    await Promise.all([...closing, next?.then((service) => service.close())]);
  }
}

type Say = (line: string) => void;

function judge({ name }: Hoard, seen: Hoarded, { findings, say }: { findings: Findings; say: Say }): void {
  const isOver = seen.mostMiB > TARGET.mib || seen.heldMs > TARGET.heldMs;
  const took = `memory +${seen.mostMiB.toFixed(0)} MiB at most; loop held for ${seen.heldMs.toFixed(0)} ms at most`;
  const back = `+${seen.leftMiB.toFixed(0)} MiB ${(seen.backMs / 1000).toFixed(1)} s after its end`;
  say(`  ${name}: ${took}; ${back}${isOver ? `; the target is ${TARGET.mib} MiB and ${TARGET.heldMs} ms` : ""}`);
  const add = (kind: "memory" | "stall" | "hang", detail: string): void =>
    findings.add({ area: HOARD, ...problem(kind, detail), what: name });
  if (seen.mostMiB > BOUND.mib) add("memory", `resident memory grew by ${seen.mostMiB.toFixed(0)} MiB`);
  if (seen.answeredMs === undefined) add("hang", `its key was not answered within ${ANSWERED_MS / 1000} s of its end`);
  if (seen.heldMs > BOUND.heldMs) add("stall", `the event loop was held for ${seen.heldMs.toFixed(0)} ms`);
}

interface Waits {
  readonly backMs: number;
  /** Called once it is known how long the loop was held. */
  readonly onHeld: () => void;
}

/** Runs one hoard. */
async function measure(each: Hoard, service: AttackedService, { backMs, onHeld }: Waits): Promise<Hoarded> {
  // What a first answer loads, such as the tokenizer, is no part of what is hoarded.
  for (let count = 0; count < WARM_UPS; count++) await isAnswered(service);
  const before = residentMiB(service.processes());
  let mostMiB = 0;
  const look = (): number =>
    Math.max(...residentMiB(service.processes()).map((now, process) => now - (before[process] ?? 0)));
  const watch = setInterval(() => {
    mostMiB = Math.max(mostMiB, look());
  }, 50);
  service.stalls.splice(0);
  const end = new AbortController();
  const sending = each.run(service, end.signal);
  await Promise.race([sending, sleep(SEND_MS)]);
  await sleep(HOLD_MS);
  end.abort();
  await sending;
  const endedAt = performance.now();
  // A loop that is still held tells of it once it comes by.
  await service.read().catch(() => {});
  await sleep(HOLD_MS);
  const heldMs = Math.max(0, ...service.stalls.splice(0).map(({ cpuMs }) => cpuMs));
  onHeld();
  const sinceEnd = (): number => performance.now() - endedAt;
  let answeredMs: number | undefined;
  while (
    (answeredMs === undefined && sinceEnd() < ANSWERED_MS) ||
    (answeredMs !== undefined && sinceEnd() < backMs && look() > BACK_MIB)
  ) {
    if (answeredMs === undefined && (await isAnswered(service))) answeredMs = sinceEnd();
    else await sleep(100);
  }
  clearInterval(watch);
  return { mostMiB, heldMs, answeredMs, leftMiB: look(), backMs: sinceEnd() };
}

/** Asks for a small answer with the key that hoarded. */
async function isAnswered({ url, key }: AttackedService): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ model: SANDBOX_MODEL, input: "Hi", store: false });
  try {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(`${url}/v1/responses`, { method: "POST", headers, body, signal });
    await answer.text();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** What each process has of the system; 0 for one that has ended. */
function residentMiB(pids: readonly number[]): number[] {
  return pids.map((pid) => {
    try {
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  });
}
