import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import type { LoopDelay, MeasuredProcess } from "../measured-process.ts";

/** What a serving process does at a steady rate of requests. */
export interface ServingSample extends LoopDelay {
  readonly latencyP99Ms: number;
  readonly cpuMicros: number;
  readonly requestsPerSecond: number;
  readonly failed: number;
}

const BODY = JSON.stringify({
  model: "attune/bench",
  messages: [{ role: "user", content: "All of this text stands for a prompt of ordinary length. ".repeat(50) }],
});

/** Sends requests at a rate, whether or not earlier ones are answered. */
export async function measureServing(target: MeasuredProcess, rate: number, seconds: number): Promise<ServingSample> {
  const pool = new Pool(target.url, { connections: 64 });
  const headers = { "content-type": "application/json", authorization: `Bearer ${target.key}` };
  const latencies: number[] = [];
  let failed = 0;
  const send = async () => {
    const begin = performance.now();
    try {
      const { statusCode, body } = await pool.request({
        path: "/v1/chat/completions",
        method: "POST",
        headers,
        body: BODY,
      });
      await body.dump();
      if (statusCode !== 200) failed += 1;
    } catch {
      failed += 1;
    }
    latencies.push(performance.now() - begin);
  };
  const before = await target.read();
  const begin = performance.now();
  const under: Promise<void>[] = [];
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - begin) / 1000) * rate) + 1);
    for (; sent < due; sent++) under.push(send());
    await delay(1);
  }
  await Promise.all(under);
  const after = await target.read();
  const elapsed = (performance.now() - begin) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  const none = { p50Ms: Number.NaN, p99Ms: Number.NaN, maxMs: Number.NaN };
  return {
    ...(after.loopDelay ?? none),
    latencyP99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / latencies.length,
    requestsPerSecond: latencies.length / elapsed,
    failed,
  };
}
