/**
 * Loaded into the service before its own modules: tells the process that started it when the event loop was held, and
 * what memory and processor time were used. It says and does nothing where no such process listens.
 */
import cluster from "node:cluster";
import { type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MonitorAnswer, StallReport } from "./monitor-messages.ts";

/** How often the loop has to come by. */
const BEAT_MS = 10;
/** Beats that are later than this are told. */
const LATE_MS = 40;

if (process.send !== undefined) watch();

function watch(): void {
  let last = performance.now();
  let lastCpu = threadCpuMs();
  let pauses: Omit<StallReport, "collectingMs">[] = [];
  const observer = new PerformanceObserver((list) => {
    // Collections are told of in a later turn than they were made in.
    const collections = list.getEntries();
    for (const pause of pauses) tell({ ...pause, collectingMs: overlapMs(collections, pause) });
    pauses = [];
  });
  observer.observe({ entryTypes: ["gc"] });
  setInterval(() => {
    for (const pause of pauses) tell({ ...pause, collectingMs: 0 });
    pauses = [];
    const now = performance.now();
    const cpu = threadCpuMs();
    const wallMs = now - last;
    if (wallMs > LATE_MS) {
      pauses.push({ kind: "stall", fromMs: performance.timeOrigin + last, wallMs, cpuMs: cpu - lastCpu });
    }
    last = now;
    lastCpu = cpu;
  }, BEAT_MS).unref();
  process.on("message", (message) => {
    if (message === "collect") collectGarbage();
    if (message === "read" || message === "collect") tell(read());
  });
  // Of several processes only the one that started the others can tell.
  cluster.on("message", (_worker, message: { readonly kind?: unknown }) => {
    if (message.kind === "stall") process.send?.(message);
  });
  // The channel alone must not keep a process alive that has ended its work.
  process.channel?.unref();
}

function overlapMs(
  collections: readonly PerformanceEntry[],
  { fromMs, wallMs }: { fromMs: number; wallMs: number },
): number {
  return collections
    .map(({ startTime, duration }) => ({ duration, at: performance.timeOrigin + startTime }))
    .filter(({ at }) => at >= fromMs && at <= fromMs + wallMs)
    .reduce((sum, { duration }) => sum + duration, 0);
}

function tell(message: StallReport | MonitorAnswer): void {
  if (process.connected) process.send?.(message);
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function read(): MonitorAnswer {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { kind: "reading", cpuMs: (user + system) / 1000, rssBytes: rss, heapBytes: heapUsed + external };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") return;
  // The second time takes what finalizers of the first have let go.
  collect();
  collect();
}
