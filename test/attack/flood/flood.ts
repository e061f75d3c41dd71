import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Findings } from "../findings.ts";
import { problem } from "../judge.ts";
import { startProbe } from "../probe.ts";
import type { AttackedService } from "../service.ts";
import { floodWithKeys } from "./keyed-floods.ts";
import { loiter } from "./loiterers.ts";
import { TimeSlicer } from "./pace.ts";
import { type Sent, sendOverHttp1, sendOverHttp2 } from "./senders.ts";

/** Name under which the floods are counted. */
export const FLOOD = "flood";

/** Bytes a second of all senders of a flood together. */
const BYTES_PER_SECOND = 96 * 2 ** 20;

const MAX_GROWTH_MIB = 100;
/** Over what the same question takes while nobody floods, since other programs may have the machine. */
const MAX_P99_MS = 50;
/** A flood whose answers were late is sent again, for the same reason. */
const TRIES = 5;
const QUIET_MS = 1500;
const MAX_HELD_MS = 40;
const MAX_BUSY = 0.6;

/** Longest that a flood itself may last: the service cuts senders off that it does not listen to. */
const FLOOD_LIMIT_MS = 60_000;

/** Floods a service without a key and with many, and says in lines what it saw. */
export async function flood(service: AttackedService, findings: Findings, say: (line: string) => void): Promise<void> {
  const floods = [
    { name: "60 bodies of 30 MB over HTTP/1.1", send: (pace: TimeSlicer) => sendOverHttp1(service.port, pace) },
    {
      name: "60 bodies of 30 MB on one connection of HTTP/2",
      send: (pace: TimeSlicer) => sendOverHttp2(service.url, pace),
    },
  ];
  for (const each of floods) await judgeFlood({ ...each, service, findings, say });
  await floodWithKeys(service, { area: FLOOD, findings, say });
}

/**
 * Has connections wait that do not say enough, from now on; what comes of them is told when the promise that it returns
 * is awaited.
 */
export function startLoiterers(
  service: AttackedService,
): (findings: Findings, say: (line: string) => void) => Promise<void> {
  const loitered = loiter(service.port);
  return async (findings, say) => {
    for (const { name, limitMs, endedMs } of await loitered) {
      if (endedMs !== undefined) say(`  ${name}: ended after ${(endedMs / 1000).toFixed(1)} s`);
      else findings.add({ area: FLOOD, ...problem("hang", `not ended within ${limitMs / 1000} s`), what: name });
    }
  };
}

interface Flood {
  readonly name: string;
  readonly send: (pace: TimeSlicer) => Promise<Sent>;
  readonly service: AttackedService;
  readonly findings: Findings;
  readonly say: (line: string) => void;
}

async function judgeFlood(given: Flood): Promise<void> {
  const { name, findings } = given;
  let seen = await measure(given);
  for (let tries = 1; tries < TRIES && isLate(seen); tries++) seen = await measure(given);
  const add = (kind: "memory" | "stall" | "hang", detail: string): void =>
    findings.add({ area: FLOOD, ...problem(kind, detail), what: name });
  if (seen.growthMiB > MAX_GROWTH_MIB) add("memory", `resident memory grew by ${seen.growthMiB.toFixed(0)} MiB`);
  if (isLate(seen)) add("stall", `/healthz took ${seen.lateMs.toFixed(0)} ms longer (p99)`);
  if (seen.seconds * 1000 > FLOOD_LIMIT_MS) add("hang", `senders were listened to for ${seen.seconds.toFixed(0)} s`);
}

/**
 * Answers may be late because others have the machine. The service is to blame if its own loop was held, or if it was
 * busy: by processor time, which nobody else can take.
 */
function isLate({ lateMs, heldMs, busy }: Seen): boolean {
  return lateMs > MAX_P99_MS && (heldMs > MAX_HELD_MS || busy > MAX_BUSY);
}

interface Seen {
  /** Longest that the event loop was held, in processor time. */
  readonly heldMs: number;
  /** Processor time for each second. */
  readonly busy: number;
  /** By how much GET /healthz took longer than before, in 99 of 100 cases. */
  readonly lateMs: number;
  readonly growthMiB: number;
  readonly seconds: number;
}

async function measure({ name, send, service, say }: Flood): Promise<Seen> {
  const probe = startProbe(service.port);
  await sleep(QUIET_MS);
  const quiet = await probe.read();
  const before = residentMiB(service.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMiB(service.pid));
  }, 50);
  service.stalls.splice(0);
  const cpuBefore = (await service.read()).cpuMs;
  const begin = performance.now();
  const sent = await send(new TimeSlicer(BYTES_PER_SECOND));
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(watch);
  const busy = ((await service.read()).cpuMs - cpuBefore) / 1000 / Math.max(1, seconds);
  const heldMs = Math.max(0, ...service.stalls.splice(0).map(({ cpuMs }) => cpuMs));
  const latency = await probe.read();
  await probe.stop();
  say(
    `  ${name}: ${(sent.bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, ${sent.refused} refused, ${sent.whole} sent whole; ` +
      `memory ${before.toFixed(0)} to ${most.toFixed(0)} MiB; /healthz p50 ${latency.p50Ms.toFixed(1)}, p99 ${latency.p99Ms.toFixed(1)}, ` +
      `at most ${latency.maxMs.toFixed(0)} ms of ${latency.count} (quiet: p99 ${quiet.p99Ms.toFixed(1)} ms); ` +
      `loop held for ${heldMs.toFixed(0)} ms at most, ${(busy * 100).toFixed(0)}% of a processor`,
  );
  return { heldMs, busy, lateMs: latency.p99Ms - quiet.p99Ms, growthMiB: most - before, seconds };
}

function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}
