import { setTimeout as delay } from "node:timers/promises";

/** When calls begin. */
export interface Arrivals {
  /** Calls a second, on average. */
  readonly rate: number;
  readonly seconds: number;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Begins calls as independent callers do (Poisson arrivals), whether or not earlier ones have ended. `call` is told
 * when it was to begin. Resolves to what all of them resolved to.
 */
export async function openLoop<T>(
  { rate, seconds, random }: Arrivals,
  call: (dueMs: number) => Promise<T>,
): Promise<T[]> {
  const calls: Promise<T>[] = [];
  const startMs = performance.now();
  let dueMs = startMs;
  while (true) {
    dueMs += (-Math.log(1 - random()) / rate) * 1000;
    if (dueMs > startMs + seconds * 1000) break;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    calls.push(call(dueMs));
  }
  return await Promise.all(calls);
}
