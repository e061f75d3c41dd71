import { callAtRate, type RateSample } from "../call-at-rate.ts";
import type { LoopDelay, MeasuredProcess } from "../measured-process.ts";

/** What a serving process does at a steady rate of requests; the delays are those of its event loop. */
export interface ServingSample extends LoopDelay, Pick<RateSample, "requestsPerSecond" | "failed"> {
  readonly latencyP99Ms: number;
  readonly cpuMicros: number;
}

const REQUEST = {
  path: "/v1/chat/completions",
  body: JSON.stringify({
    model: "attune/bench",
    messages: [{ role: "user", content: "All of this text stands for a prompt of ordinary length. ".repeat(50) }],
  }),
};

/** Sends requests at a rate, whether or not earlier ones are answered. */
export async function measureServing(target: MeasuredProcess, rate: number, seconds: number): Promise<ServingSample> {
  const before = await target.read();
  const called = await callAtRate(target, { requests: [REQUEST], rate, seconds });
  const after = await target.read();
  const none = { p50Ms: Number.NaN, p99Ms: Number.NaN, maxMs: Number.NaN };
  return {
    ...(after.loopDelay ?? none),
    latencyP99Ms: called.p99Ms,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / called.calls,
    requestsPerSecond: called.requestsPerSecond,
    failed: called.failed,
  };
}
