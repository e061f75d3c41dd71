import type { RunCall } from "../../store/dashboard/reads/read-session-run.ts";

/** The sums of a run. */
interface RunTotals {
  readonly calls: number;
  readonly failed: number;
  readonly sessions: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Calls whose cost is known; the cost is of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
  /** From the start of the first call to the end of the last. */
  readonly tookMs: number;
  readonly startMs: number;
  readonly models: readonly { readonly model: string; readonly calls: number }[];
}

/** Adds up the calls of a run, which are in order of time. */
export function runTotals(calls: readonly RunCall[]): RunTotals {
  const sum = (value: (call: RunCall) => number | null | undefined) =>
    calls.reduce((total, call) => total + (value(call) ?? 0), 0);
  const startMs = Math.min(...calls.map(({ startedAt }) => startedAt.getTime()));
  const endMs = Math.max(...calls.map(({ startedAt, latencyMs }) => startedAt.getTime() + latencyMs));
  const models = Map.groupBy(calls, ({ model, servedModel }) => servedModel || model);
  return {
    calls: calls.length,
    failed: calls.filter(({ status }) => status === "failed").length,
    sessions: new Set(calls.map(({ sessionId }) => sessionId)).size,
    promptTokens: sum((call) => (call.inputTokens ?? 0) + (call.cacheReadTokens ?? 0) + (call.cacheWriteTokens ?? 0)),
    cachedTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    pricedCalls: calls.filter(({ costNanos }) => costNanos != null).length,
    costNanos: sum(({ costNanos }) => costNanos),
    tookMs: endMs - startMs,
    startMs,
    models: [...models].map(([model, own]) => ({ model, calls: own.length })).sort((a, b) => b.calls - a.calls),
  };
}
