import type { CheckedEvent, FeedbackEvent, GradedEvent, ServedEvent } from "../../learning/events.ts";
import type { ShadowRecord } from "../../learning/shadow/ports.ts";
import type { FeedbackEntryRow } from "../entities/feedback-entry.ts";
import type { InferenceRow } from "../entities/inference.ts";

/** Returns the learning event of an inference. */
export function inferenceToEvent(row: InferenceRow): ServedEvent {
  const { id, projectId, model, family, status, latencyMs, finishReason } = row;
  const servedModel = row.decision?.several ?? row.servedModel;
  const { costNanos = null, cacheSavedNanos = null } = row;
  const isRefused = finishReason === "refusal";
  const costs = { costNanos, cacheSavedNanos };
  const latencies = { latencyMs, isStreamed: row.streamed, firstTokenMs: row.timeToFirstTokenMs ?? null };
  const facts = { kind: "served", id, projectId, model, servedModel, family, status, isRefused } as const;
  return { ...facts, ...costs, ...latencies, ...(isContinued(row) && { isContinued: true }) };
}

/** A run of forty calls that is judged once has dense feedback: it was decided on once. */
function isContinued({ decision }: InferenceRow): boolean {
  return decision?.kept === "session" || decision?.kept === "conversation";
}

/** Returns the learning event of a value of feedback. */
export function entryToEvent(row: FeedbackEntryRow): FeedbackEvent {
  const { id, inferenceId, attempt = null, projectId, name, booleanValue, floatValue } = row;
  const { optimize = null, createdAt, keyId, rater } = row;
  const value = booleanValue ?? floatValue ?? 0;
  const facts = { kind: "feedback", id, inferenceId, attempt, projectId, name, value, optimize, keyId } as const;
  return {
    ...facts,
    atMs: createdAt.getTime(),
    ...(row.sessionId != null && { isOnSession: true }),
    ...(rater != null && { rater }),
  };
}

/** Returns the learning event of a shadow trial, a check or a verdict; undefined where it tells nothing. */
export function shadowToEvent(record: ShadowRecord): GradedEvent | CheckedEvent | undefined {
  const { id, inferenceId, projectId, model, family, kind } = record;
  const { servedModel, trialModel, servedGood, trialGood, reward } = record;
  const second = isSecondGood(record.servedGoodSecond);
  const facts = { id, projectId, model, family };
  if (kind === "verdict") {
    return { ...facts, kind: "checked", isVerdict: true, servedModel, isGood: servedGood, ...second, reward };
  }
  if (kind !== "trial") {
    if (servedGood === null) return undefined;
    return { ...facts, kind: "checked", inferenceId, servedModel, isGood: servedGood, ...second, reward };
  }
  const grades = [
    ...(servedGood === null ? [] : [{ servedModel, isGood: servedGood, ...second }]),
    ...(trialModel === null || trialGood === null
      ? []
      : [{ servedModel: trialModel, isGood: trialGood, ...isSecondGood(record.trialGoodSecond) }]),
  ];
  return grades.length === 0
    ? undefined
    : { ...facts, kind: "graded", ...(record.improvementId !== null && { isRecorded: true }), grades };
}

/** Returns the grade of the second judge, of an answer that the first one has graded too. */
function isSecondGood(grade: boolean | null): { readonly isSecondGood?: boolean } {
  return grade === null ? {} : { isSecondGood: grade };
}
