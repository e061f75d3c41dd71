import type { InferenceRow } from "../../src/store/entities/inference.ts";
import type { InferenceAttemptRow } from "../../src/store/entities/inference-attempt.ts";

/** The latency of a refusal by an overloaded deployment. */
const REFUSAL_MS = 180;

/**
 * Makes the rows of the attempts that an inference was served with: its deployment, and before it one that failed, if
 * it says so.
 */
export function fakeAttempts(row: InferenceRow): InferenceAttemptRow[] {
  const isSecond = row.optimizations.includes("failover");
  const startedAfterMs = isSecond ? Math.min(REFUSAL_MS, row.latencyMs / 2) : 0.4;
  const served: InferenceAttemptRow = {
    id: row.id,
    position: isSecond ? 1 : 0,
    role: isSecond ? "failover" : "primary",
    outcome: row.status,
    isWinner: row.status !== "failed",
    upstream: row.upstream,
    upstreamModel: row.upstreamModel,
    upstreamRequestId: row.upstreamRequestId,
    propensity: 1,
    startedAfterMs,
    firstEventMs: row.timeToFirstTokenMs == null ? null : Math.max(0, row.timeToFirstTokenMs - startedAfterMs),
    latencyMs: row.latencyMs - startedAfterMs,
    inputTokens: row.inputTokens,
    cacheReadTokens: row.cacheReadTokens,
    cacheWriteTokens: row.cacheWriteTokens,
    cacheWrite5mTokens: row.cacheWrite5mTokens,
    cacheWrite1hTokens: row.cacheWrite1hTokens,
    outputTokens: row.outputTokens,
    reasoningTokens: row.reasoningTokens,
    usageEstimated: row.usageEstimated,
    costNanos: row.costNanos,
    losses: row.translationLosses,
    failedChecks: null,
    score: null,
    candidateReason: null,
    ranking: null,
    errorReason: row.errorReason,
    errorMessage: row.errorMessage,
    errorUpstreamStatus: row.errorUpstreamStatus,
    errorUpstreamCode: row.errorUpstreamCode,
  };
  return isSecond ? [overloaded(row.id, startedAfterMs), served] : [served];
}

function overloaded(id: string, latencyMs: number): InferenceAttemptRow {
  return {
    id,
    position: 0,
    role: "primary",
    outcome: "failed",
    isWinner: false,
    upstream: "azure",
    upstreamModel: "overflow-eu",
    upstreamRequestId: "",
    propensity: 1,
    startedAfterMs: 0.4,
    firstEventMs: null,
    latencyMs,
    inputTokens: null,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    cacheWrite5mTokens: null,
    cacheWrite1hTokens: null,
    outputTokens: null,
    reasoningTokens: null,
    usageEstimated: false,
    costNanos: null,
    losses: [],
    failedChecks: null,
    score: null,
    candidateReason: null,
    ranking: null,
    errorReason: "upstream_overloaded",
    errorMessage: "the deployment is overloaded",
    errorUpstreamStatus: 529,
    errorUpstreamCode: "overloaded_error",
  };
}
