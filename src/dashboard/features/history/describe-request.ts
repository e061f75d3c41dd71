import { create, fromJson } from "@bufbuild/protobuf";
import { BillingFactsSchema, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type CostLines, costLines } from "../../../catalog/cost-lines.ts";
import type { PricePicos } from "../../../catalog/prices.ts";
import { writeAnswerId } from "../../../hub/answer-ids.ts";
import type { HistoryRow } from "../../../store/dashboard/reads/describe-rows.ts";
import type { FeedbackEntryRow } from "../../../store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../store/entities/inference.ts";
import type { InferenceAttemptRow } from "../../../store/entities/inference-attempt.ts";

/** Describes a request for a list. */
export function describeRequest(row: HistoryRow) {
  const { id, startedAt, status, model, keyId, workload, errorReason } = row;
  const { outputTokens, usageEstimated, costNanos, latencyMs } = row;
  const costGaps = row.costGaps ?? [];
  const { sessionId = null, endUserId = null, tags = null, prompt, answer, feedback } = row;
  return {
    id,
    startedAt,
    status,
    model,
    keyId,
    workload,
    errorReason,
    outputTokens,
    usageEstimated,
    costNanos,
    costGaps,
    latencyMs,
    promptTokens: promptTokens(row),
    // Rows from before there was a policy do not name who answered: it was base.
    servedModel: row.servedModel || model,
    sessionId,
    endUserId,
    tags,
    prompt,
    answer,
    feedback,
  };
}

/** Describes all facts of a request. */
export function describeFacts({ projectId: _, coalescingKey: _key, ...row }: InferenceRow) {
  const reported = row.billing?.["reportedCostNanos"];
  // Proto's JSON has whole numbers of 64 bits as text.
  return { ...row, promptTokens: promptTokens(row), reportedCostNanos: reported == null ? null : Number(reported) };
}

/** Describes an attempt. */
export function describeAttempt({ id, ...row }: InferenceAttemptRow) {
  const { isWinner, score, position } = row;
  const isCompared = score !== null && score !== undefined;
  return {
    ...row,
    /** The id for feedback on its answer; null where it takes none. */
    answerId: isWinner ? id : isCompared ? writeAnswerId({ inferenceId: id, attempt: position }) : null,
  };
}

/** Describes an entry of feedback. */
export function describeFeedback(row: FeedbackEntryRow) {
  const { id, attempt = null, keyId, name, kind, tags, optimize, createdAt, sessionId = null } = row;
  return { id, attempt, keyId, name, kind, tags, optimize, createdAt, sessionId, value: feedbackValue(row) };
}

/**
 * Writes out what the answer of a request cost, without other attempts; undefined where its tokens or the prices are
 * not known.
 */
export function readCost(row: InferenceRow, price: PricePicos | undefined): CostLines | undefined {
  if (price === undefined || typeof row.inputTokens !== "number") return undefined;
  return costLines(
    price,
    create(UsageSchema, {
      inputTokens: row.inputTokens,
      cacheReadTokens: row.cacheReadTokens ?? 0,
      cacheWriteTokens: row.cacheWriteTokens ?? 0,
      cacheWrite5mTokens: row.cacheWrite5mTokens ?? 0,
      cacheWrite1hTokens: row.cacheWrite1hTokens ?? 0,
      outputTokens: row.outputTokens ?? 0,
      ...(row.reasoningTokens != null && { reasoningTokens: row.reasoningTokens }),
      ...(row.billing != null && { billing: fromJson(BillingFactsSchema, row.billing) }),
    }),
    row.startedAt,
  );
}

/** Tokens of the whole prompt. */
function promptTokens(row: Pick<InferenceRow, "inputTokens" | "cacheReadTokens" | "cacheWriteTokens">): number | null {
  if (typeof row.inputTokens !== "number") return null;
  return row.inputTokens + (row.cacheReadTokens ?? 0) + (row.cacheWriteTokens ?? 0);
}

function feedbackValue({ booleanValue, floatValue, textValue }: FeedbackEntryRow): boolean | number | string | null {
  return booleanValue ?? floatValue ?? textValue ?? null;
}
