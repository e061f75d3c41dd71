import { Worker } from "node:worker_threads";

/** How long GET /healthz took. */
export interface Latency {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Asks a service for its health the whole time. */
export interface Probe {
  /** Tells of the time since the last call. */
  read(): Promise<Latency>;
  stop(): Promise<void>;
}

/** Starts to ask a service for its health, in a thread of its own. */
export function startProbe(port: number): Probe {
  const worker = new Worker(new URL("probe-thread.ts", import.meta.url), { workerData: { port } });
  return {
    read: () =>
      new Promise((resolve) => {
        worker.once("message", (timesMs: number[]) => resolve(toLatency(timesMs)));
        worker.postMessage("read");
      }),
    stop: async () => void (await worker.terminate()),
  };
}

function toLatency(timesMs: readonly number[]): Latency {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? 0 };
}
