import autocannon from "autocannon";
import type { RateSample } from "./call-at-rate.ts";
import type { MeasuredProcess } from "./measured-process.ts";

/** What is asked, and by how many at the same time. */
export interface FreeLoad {
  readonly path: string;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Calls a process as often as its callers can, and tells what they noticed. */
export async function callFreely({ url, key }: MeasuredProcess, load: FreeLoad): Promise<RateSample> {
  const { path, body, connections, seconds } = load;
  const { latency, duration, ...result } = await autocannon({
    url: url + path,
    method: "POST",
    connections,
    duration: seconds,
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body,
  });
  const calls = result["2xx"];
  const failed = result.non2xx + result.errors;
  return { calls, requestsPerSecond: calls / duration, p50Ms: latency.p50, p99Ms: latency.p99, failed };
}
