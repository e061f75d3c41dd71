import autocannon from "autocannon";
import type { RateSample } from "./call-at-rate.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import type { ShapeRequest } from "./shapes.ts";

/** What is asked by turns, and by how many at the same time. */
export interface FreeLoad {
  readonly requests: readonly ShapeRequest[];
  readonly connections: number;
  readonly seconds: number;
}

/** Calls a process as often as its callers can, and tells what they noticed. */
export async function callFreely({ url, key, gateway }: MeasuredProcess, load: FreeLoad): Promise<RateSample> {
  const { requests, connections, seconds } = load;
  const { latency, duration, ...result } = await autocannon({
    url,
    method: "POST",
    connections,
    duration: seconds,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...gateway?.headers },
    requests: [...requests],
  });
  const calls = result["2xx"];
  const failed = result.non2xx + result.errors;
  return { calls, requestsPerSecond: calls / duration, p50Ms: latency.p50, p99Ms: latency.p99, failed };
}
