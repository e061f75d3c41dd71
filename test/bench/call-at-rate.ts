import { Pool } from "undici";
import { createRandom } from "../../src/lib/hash.ts";
import { quantile } from "../support/quantile.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { openLoop } from "./open-loop.ts";
import type { ShapeRequest } from "./shapes.ts";

/** What is asked by turns, and how often. */
export interface RateLoad {
  readonly requests: readonly ShapeRequest[];
  /** Calls a second, on average; they begin as those of independent callers do. */
  readonly rate: number;
  readonly seconds: number;
  /** Calls of so long at the beginning are not counted in the times: they open connections. One second if absent. */
  readonly openingMs?: number;
}

/** What callers noticed. */
export interface RateSample {
  readonly calls: number;
  readonly requestsPerSecond: number;
  /** From when a call was to be sent to the last byte of its answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
}

/** Most connections that wait for answers at the same time. */
const CONNECTIONS = 256;

/**
 * Calls a process at a rate, whether or not earlier calls are answered. The same load is the same sequence of waits
 * each time.
 */
export async function callAtRate({ url, key, gateway }: MeasuredProcess, load: RateLoad): Promise<RateSample> {
  const { requests, rate, seconds, openingMs = 1000 } = load;
  const pool = new Pool(url, { connections: CONNECTIONS });
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}`, ...gateway?.headers };
  let begun = 0;
  const call = async (dueMs: number) => {
    let isAnswered = false;
    const { path = "", body = "" } = requests[begun++ % requests.length] ?? {};
    try {
      const answer = await pool.request({ path, method: "POST", headers, body });
      await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
      isAnswered = answer.statusCode === 200;
    } catch {
      // It is counted as failed.
    }
    return { isAnswered, dueMs, ms: performance.now() - dueMs };
  };
  const beginMs = performance.now();
  const calls = await openLoop({ rate, seconds, random: createRandom("calls at a rate") }, call);
  const elapsedSeconds = (performance.now() - beginMs) / 1000;
  await pool.close();
  const times = calls.filter(({ dueMs }) => dueMs >= beginMs + openingMs).map(({ ms }) => ms);
  return {
    calls: calls.length,
    requestsPerSecond: calls.length / elapsedSeconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    failed: calls.filter(({ isAnswered }) => !isAnswered).length,
  };
}
