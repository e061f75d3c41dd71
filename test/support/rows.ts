import { newId } from "../../src/lib/ids.ts";
import type { FeedbackEntryRow } from "../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../src/store/entities/inference.ts";
import type { InferenceAttemptRow } from "../../src/store/entities/inference-attempt.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { firstIdAt } from "../../src/store/types/period.ts";

/** Signals of a candidate, each with another value. */
export const SIGNALS = {
  agreement: 0.125,
  length: -0.5,
  unusual: 0.25,
  order: 1,
  elsewhere: 0.5,
  proven: -0.5,
  confidence: 0.375,
  model: -0.0625,
  characters: 420,
};

/** How a candidate was ranked. */
export const RANKING = { signals: SIGNALS, chance: 0.025, expectedReward: 0.375 };

/** Makes an id of a time: its last twelve digits are a number. */
export function idAt(time: string, number: number): string {
  return `${firstIdAt(Date.parse(time)).slice(0, 14)}7000-8000-${String(number).padStart(12, "0")}`;
}

/** Makes the row of an inference that completed. */
export function inferenceRow(changes: Partial<InferenceRow> = {}): InferenceRow {
  return {
    id: newId(),
    projectId: DEFAULT_PROJECT.id,
    keyId: "abcdefghijkl",
    dialect: "chat",
    streamed: false,
    model: "some-model",
    upstream: "anthropic",
    upstreamModel: "real-model",
    upstreamRequestId: "req_1",
    workload: "support",
    servedModel: changes.model ?? "some-model",
    family: "",
    decision: null,
    status: "completed",
    startedAt: new Date(),
    latencyMs: 1000,
    timeToFirstTokenMs: null,
    inputTokens: 10,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    cacheWrite5mTokens: null,
    cacheWrite1hTokens: null,
    outputTokens: 20,
    reasoningTokens: null,
    usageEstimated: false,
    billing: null,
    costNanos: 1000,
    costGaps: null,
    baseCostNanos: 1000,
    cacheSavedNanos: 0,
    saved: null,
    coalescingKey: null,
    requestId: null,
    sessionId: null,
    sessionSource: null,
    parentSessionId: null,
    endUserId: null,
    tags: null,
    finishReason: "stop",
    rawFinishReason: "stop",
    errorReason: null,
    errorMessage: null,
    errorUpstreamStatus: null,
    errorUpstreamCode: null,
    deviation: "none",
    optimizations: [],
    translationLosses: [],
    previousId: null,
    stored: false,
    deletedAt: null,
    ...changes,
  };
}

/** Makes the row of an attempt that completed. */
export function attemptRow(changes: Partial<InferenceAttemptRow> = {}): InferenceAttemptRow {
  return {
    id: newId(),
    position: 0,
    role: "primary",
    outcome: "completed",
    isWinner: true,
    upstream: "anthropic",
    upstreamModel: "real-model",
    upstreamRequestId: "req_1",
    propensity: 1,
    startedAfterMs: 0.5,
    firstEventMs: 400,
    latencyMs: 999,
    inputTokens: 10,
    cacheReadTokens: null,
    cacheWriteTokens: null,
    cacheWrite5mTokens: null,
    cacheWrite1hTokens: null,
    outputTokens: 20,
    reasoningTokens: null,
    usageEstimated: false,
    costNanos: 1000,
    losses: [],
    failedChecks: null,
    score: null,
    candidateReason: null,
    ranking: null,
    errorReason: null,
    errorMessage: null,
    errorUpstreamStatus: null,
    errorUpstreamCode: null,
    ...changes,
  };
}

/** Makes a row of feedback: a float of 1 on an inference of its own. */
export function feedbackRow(changes: Partial<FeedbackEntryRow> = {}): FeedbackEntryRow {
  return {
    id: newId(),
    inferenceId: newId(),
    attempt: null,
    projectId: DEFAULT_PROJECT.id,
    keyId: "abcdefghijkl",
    name: "quality",
    kind: "float",
    booleanValue: null,
    floatValue: 1,
    textValue: null,
    tags: {},
    optimize: "max",
    createdAt: new Date(),
    model: "some-model",
    servedModel: changes.model ?? "some-model",
    workload: "support",
    sessionId: null,
    rater: null,
    ...changes,
  };
}

/** Returns the times of refused calls that all were at one. */
export function refusedAt(timeMs: number) {
  return { minute: Math.floor(timeMs / 60_000), firstMs: timeMs, lastMs: timeMs };
}
