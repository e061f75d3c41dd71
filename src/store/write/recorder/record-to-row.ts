import { type JsonObject, toJson } from "@bufbuild/protobuf";
import { BillingFactsSchema, Dialect, DialectSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { ErrorReasonSchema } from "../../../../gen/attune/error/v1/error_pb.ts";
import { DeviationSchema, FinishReasonSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { InferenceError } from "../../../hub/error.ts";
import type { Savings } from "../../../hub/saving-kinds.ts";
import type { AttemptRecord, InferenceRecord } from "../../../inference/ports.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { InferenceAttemptRow } from "../../entities/inference-attempt.ts";
import { storableText } from "../storable-text.ts";

/** Turns the facts of an inference into its row. */
export function recordToRow(record: InferenceRecord): InferenceRow {
  const { serving } = record.output;
  return {
    id: record.id,
    projectId: record.projectId,
    keyId: record.keyId,
    dialect: record.dialect === Dialect.UNSPECIFIED ? "rpc" : enumName(DialectSchema, record.dialect),
    streamed: record.streamed,
    model: storableText(record.model),
    upstream: storableText(record.upstream),
    upstreamModel: storableText(record.upstreamModel),
    upstreamRequestId: storableText(record.upstreamRequestId),
    workload: storableText(record.workload),
    servedModel: storableText(record.servedModel),
    ...decisionColumns(record),
    status: record.status,
    startedAt: record.startedAt,
    latencyMs: record.latencyMs,
    timeToFirstTokenMs: record.timeToFirstTokenMs ?? null,
    ...usageColumns(record),
    billing: getBilling(record),
    costNanos: storableNanos(record.costNanos),
    costGaps: record.costGaps?.map(storableText) ?? null,
    baseCostNanos: storableNanos(record.baseCostNanos),
    saved: storableSavings(record.saved),
    cacheSavedNanos: storableNanos(record.cacheSavedNanos),
    ...finishColumns(record),
    ...errorColumns(record.error),
    deviation: enumName(DeviationSchema, serving?.deviation ?? 0),
    optimizations: (serving?.optimizations ?? []).map(storableText),
    translationLosses: (serving?.translationLosses ?? []).map(storableText),
    previousId: record.previousId ?? null,
    stored: record.stored,
    coalescingKey: record.coalescingKey ?? null,
    ...factColumns(record),
    requestId: record.requestId ?? null,
    deletedAt: null,
  };
}

function factColumns({ facts }: InferenceRecord) {
  const { sessionId = "", sessionSource = "", parentSessionId = "", endUserId = "", tags = {} } = facts ?? {};
  const pairs = Object.entries(tags).map(([name, value]) => [storableText(name), storableText(value)] as const);
  return {
    sessionId: textOrNull(sessionId),
    sessionSource: textOrNull(sessionSource),
    parentSessionId: textOrNull(parentSessionId),
    endUserId: textOrNull(endUserId),
    tags: pairs.length === 0 ? null : Object.fromEntries(pairs),
  };
}

function textOrNull(text: string): string | null {
  return text === "" ? null : storableText(text);
}

function decisionColumns({ decision }: InferenceRecord) {
  if (decision === undefined) return { family: "", decision: null };
  // The family may bear the caller's own name; all else is said by Attune.
  const family = storableText(decision.family);
  return { family, decision: { ...decision, family } };
}

/** Most characters that are kept of what is said of a failed attempt: there may be as many attempts as deployments. */
const MOST_MESSAGE_CHARACTERS = 1000;

/** Turns the attempts of an inference into their rows. */
export function recordToAttempts({ id, attempts }: InferenceRecord): InferenceAttemptRow[] {
  return attempts.map((attempt, position) => attemptToRow(attempt, id, position));
}

function attemptToRow(attempt: AttemptRecord, id: string, position: number): InferenceAttemptRow {
  const error = errorColumns(attempt.error);
  return {
    id,
    position,
    role: attempt.role,
    outcome: attempt.outcome,
    isWinner: attempt.isWinner,
    upstream: storableText(attempt.upstream),
    upstreamModel: storableText(attempt.upstreamModel),
    upstreamRequestId: storableText(attempt.upstreamRequestId),
    propensity: attempt.propensity,
    startedAfterMs: attempt.startedAfterMs,
    firstEventMs: attempt.firstEventMs ?? null,
    latencyMs: attempt.latencyMs,
    ...usageColumns(attempt),
    costNanos: storableNanos(attempt.costNanos),
    losses: attempt.losses.map(storableText),
    failedChecks: attempt.failedChecks ?? null,
    score: attempt.score ?? null,
    candidateReason: attempt.candidateReason ?? null,
    ranking: attempt.ranking ?? null,
    ...error,
    errorMessage: error.errorMessage === null ? null : shortened(error.errorMessage),
  };
}

function shortened(message: string): string {
  if (message.length <= MOST_MESSAGE_CHARACTERS) return message;
  return storableText(`${message.slice(0, MOST_MESSAGE_CHARACTERS - 1)}…`);
}

/**
 * More than 9 million US dollars for one inference are a mistake in a price: the record stays, at the largest whole
 * number that is exact.
 */
function storableNanos(nanos: number | undefined): number | null {
  if (nanos === undefined) return null;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Math.round(nanos), Number.MAX_SAFE_INTEGER));
}

function storableSavings(saved: Savings | undefined): Savings | null {
  if (saved === undefined) return null;
  return Object.fromEntries(Object.entries(saved).map(([kind, nanos]) => [kind, storableNanos(nanos) ?? 0]));
}

function usageColumns({ usage, isEstimated }: Pick<InferenceRecord, "usage" | "isEstimated">) {
  return {
    inputTokens: usage?.inputTokens ?? null,
    cacheReadTokens: usage?.cacheReadTokens ?? null,
    cacheWriteTokens: usage?.cacheWriteTokens ?? null,
    cacheWrite5mTokens: usage?.cacheWrite5mTokens ?? null,
    cacheWrite1hTokens: usage?.cacheWrite1hTokens ?? null,
    outputTokens: usage?.outputTokens ?? null,
    reasoningTokens: usage?.reasoningTokens ?? null,
    usageEstimated: isEstimated,
  };
}

function getBilling({ usage }: InferenceRecord): JsonObject | null {
  if (usage?.billing === undefined) return null;
  const json = toJson(BillingFactsSchema, usage.billing);
  return typeof json === "object" && !Array.isArray(json) ? json : null;
}

function finishColumns({ output: { finished } }: InferenceRecord) {
  if (finished === undefined) return { finishReason: null, rawFinishReason: null };
  return {
    finishReason: enumName(FinishReasonSchema, finished.reason),
    rawFinishReason: storableText(finished.rawReason),
  };
}

function errorColumns(error: InferenceError | undefined) {
  return {
    errorReason: error === undefined ? null : enumName(ErrorReasonSchema, error.reason),
    errorMessage: error === undefined ? null : storableText(error.message),
    errorUpstreamStatus: error?.facts.upstreamStatus ?? null,
    errorUpstreamCode: error?.facts.upstreamCode === undefined ? null : storableText(error.facts.upstreamCode),
  };
}
