import { setTimeout as delay } from "node:timers/promises";
import { callAtRate } from "./call-at-rate.ts";
import { callSeveral } from "./call-several.ts";
import { requestsOf, type Shape } from "./shapes.ts";
import type { Target } from "./targets.ts";

/** What requests cost while a service warms up. */
export interface Window {
  /** The last of its requests, counted from the start or from the end of the quiet time. */
  readonly until: number;
  readonly cpuMicros: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
}

/** How windows are filled. */
export interface WindowLoad {
  readonly connections: number;
  /** Requests a second; as many as connections can make if absent. */
  readonly rate?: number | undefined;
}

/** Ends of the windows from a start: the first ones tell most. */
export const COLD_WINDOWS = [500, 1000, 1500, 2000, 4000, 8000, 16_000];

/** Ends of the windows after a quiet time. */
export const IDLE_WINDOWS = [10, 100, 500, 1000, 2000];

/** Requests of one window that tell what a warm request costs. */
const WARM_WINDOW = 2000;

/** Measures a target window by window. */
export async function measureWindows(
  target: Target,
  shape: Shape,
  load: WindowLoad & { readonly ends: readonly number[] },
): Promise<Window[]> {
  const windows: Window[] = [];
  for (const until of load.ends) {
    const count = until - (windows.at(-1)?.until ?? 0);
    const before = await target.process.read();
    const { calls, p99Ms } = await callWindow(target, shape, { ...load, count });
    const after = await target.process.read();
    const cpuMicros = (after.cpuMicros - before.cpuMicros) / calls;
    windows.push({ until, cpuMicros, p99Ms, rssMiB: after.rssBytes / 1024 / 1024 });
  }
  return windows;
}

async function callWindow(target: Target, shape: Shape, load: WindowLoad & { readonly count: number }) {
  const { rate, count, connections } = load;
  if (rate === undefined) return { calls: count, ...(await callSeveral(target.process, shape, count, connections)) };
  const requests = requestsOf(shape, target.process);
  return callAtRate(target.process, { requests, rate, seconds: count / rate, openingMs: 0 });
}

/** Warms a target, measures it, leaves it alone, and measures it again; resolves to both. */
export async function measureAfterIdle(
  target: Target,
  shape: Shape,
  load: WindowLoad & { readonly warm: number; readonly idleSeconds: number },
): Promise<{ readonly warm: Window | undefined; readonly after: readonly Window[]; readonly idleRssMiB: number }> {
  await callSeveral(target.process, shape, load.warm, load.connections);
  const [warm] = await measureWindows(target, shape, { ...load, ends: [WARM_WINDOW] });
  await delay(load.idleSeconds * 1000);
  const { rssBytes } = await target.process.read();
  const after = await measureWindows(target, shape, { ...load, ends: IDLE_WINDOWS });
  return { warm, after, idleRssMiB: rssBytes / 1024 / 1024 };
}
