/**
 * Loaded into the service before its own modules: tells the process that started it when the event loop was held, and what
 * memory and processor time were used. It says and does nothing where no such process listens.
 */
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
  let collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  setInterval(() => {
    const now = performance.now();
    const cpu = threadCpuMs();
    const wallMs = now - last;
    const collected = [...collections, ...observer.takeRecords()];
    collections = [];
    if (wallMs > LATE_MS) {
      const fromMs = performance.timeOrigin + last;
      const collectingMs = collected
        .filter(({ startTime }) => startTime >= last)
        .reduce((sum, { duration }) => sum + duration, 0);
      tell({ kind: "stall", fromMs, wallMs, cpuMs: cpu - lastCpu, collectingMs });
    }
    last = now;
    lastCpu = cpu;
  }, BEAT_MS).unref();
  process.on("message", (message) => {
    if (message === "collect") collectGarbage();
    if (message === "read" || message === "collect") tell(read());
  });
  // The channel alone must not keep a process alive that has ended its work.
  process.channel?.unref();
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
