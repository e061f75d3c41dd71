import { Pool } from "undici";
import { quantile } from "../support/quantile.ts";
import type { MeasuredProcess } from "./measured-process.ts";
import { requestsOf, type Shape } from "./shapes.ts";

/** What the callers of a number of requests noticed. */
export interface SeveralSample {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Calls a process so many times, a few at once; throws if an answer is no success. */
export async function callSeveral(
  target: MeasuredProcess,
  shape: Shape,
  count: number,
  connections = 8,
): Promise<SeveralSample> {
  const pool = new Pool(target.url, { connections });
  const headers = { "content-type": "application/json", authorization: `Bearer ${target.key}` };
  const requests = requestsOf(shape, target);
  const times: number[] = [];
  let begun = 0;
  const call = async () => {
    for (let at = begun++; at < count; at = begun++) {
      const { path = "", body = "" } = requests[at % requests.length] ?? {};
      const beginMs = performance.now();
      const answer = await pool.request({ path, method: "POST", headers, body });
      const text = answer.statusCode === 200 ? await answer.body.dump() : await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${shape.name}: status ${answer.statusCode}: ${text}`);
      times.push(performance.now() - beginMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, call));
  await pool.close();
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}
