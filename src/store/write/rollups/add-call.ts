import { countLatency, type Histogram } from "../../../figures/histogram.ts";
import type { InferenceRow } from "../../entities/inference.ts";

/** The tokens that are summed up. */
const TOKENS = ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens"] as const;

/** The most that one batch adds to a sum of costs: half of what a column holds. */
export const LARGEST_COST = 2 ** 62;

/** The sums that every rollup of calls has. */
type CallSums = Record<(typeof TOKENS)[number] | "calls" | "estimatedCalls" | "pricedCalls" | "costNanos", number> & {
  /** Of the latencies. */
  readonly total: Histogram;
};

/** The sums of no call. */
export const NO_CALLS = {
  calls: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  estimatedCalls: 0,
  pricedCalls: 0,
  costNanos: 0,
} as const satisfies Omit<CallSums, "total">;

/** A call, as these sums count it. */
type CountedCall = Pick<InferenceRow, (typeof TOKENS)[number] | "usageEstimated" | "costNanos" | "latencyMs">;

/** Adds a call to sums. */
export function addCall(sums: CallSums, call: CountedCall): void {
  sums.calls += 1;
  for (const kind of TOKENS) sums[kind] += call[kind] ?? 0;
  if (call.usageEstimated) sums.estimatedCalls += 1;
  if (call.costNanos !== null) sums.pricedCalls += 1;
  sums.costNanos = Math.min(sums.costNanos + (call.costNanos ?? 0), LARGEST_COST);
  countLatency(sums.total, call.latencyMs);
}
