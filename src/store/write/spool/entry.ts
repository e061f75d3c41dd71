import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { InferenceAttemptRow } from "../../entities/inference-attempt.ts";
import type { InferenceWrite } from "../../types/record-batch.ts";

/** What a frame holds: an inference, or all feedback entries of one call. */
export type SpoolEntry =
  | { readonly kind: "inference"; readonly inference: InferenceWrite }
  | { readonly kind: "feedback"; readonly feedback: readonly FeedbackEntryRow[] };

/** First byte of a payload. A change of what follows it takes a new number, so that spools outlive an upgrade. */
const FEEDBACK = 3;
const INFERENCE = 10;
const INFERENCE_WITHOUT_BODIES = 11;

/** How the JSON of an inference is read, and whether its bodies come after it: of this version, and of earlier ones. */
const INFERENCES: ReadonlyMap<number, { readonly revive: (json: unknown) => Facts; readonly hasBodies: boolean }> =
  new Map([
    [INFERENCE, { revive: (json) => reviveInference(json as SpooledInference), hasBodies: true }],
    [INFERENCE_WITHOUT_BODIES, { revive: (json) => reviveInference(json as SpooledInference), hasBodies: false }],
    [8, { revive: (json) => reviveUnkept(json as UnkeptInference), hasBodies: true }],
    [9, { revive: (json) => reviveUnkept(json as UnkeptInference), hasBodies: false }],
    [6, { revive: (json) => reviveUnsaved(json as UnsavedInference), hasBodies: true }],
    [7, { revive: (json) => reviveUnsaved(json as UnsavedInference), hasBodies: false }],
    [4, { revive: (json) => reviveUndecided(json as UndecidedInference), hasBodies: true }],
    [5, { revive: (json) => reviveUndecided(json as UndecidedInference), hasBodies: false }],
    [1, { revive: (json) => reviveEarliest(json as EarliestRow), hasBodies: true }],
    [2, { revive: (json) => reviveEarliest(json as EarliestRow), hasBodies: false }],
  ]);

/** Kind, and length of the JSON. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;

/** Encodes an inference: its row and its attempts as JSON, then both bodies. */
export function encodeInference({ row, attempts, request, response }: InferenceWrite): Uint8Array[] {
  // A date as its number takes JSON half the time of one as text; attempts without the names of their members a quarter, and each
  // text apart less than both at once.
  const facts = JSON.stringify({ ...row, startedAt: row.startedAt.getTime() });
  const values = JSON.stringify(attempts.map((attempt) => ATTEMPT_MEMBERS.map((member) => attempt[member])));
  const json = Buffer.from(`[${facts},${values}]`);
  if (request === undefined || response === undefined) return [head(INFERENCE_WITHOUT_BODIES, json.length), json];
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32LE(request.length);
  return [head(INFERENCE, json.length), json, length, request, response];
}

/** Members of an attempt in the order of their values; its id is that of the row, its position that in the list. New ones come last. */
const ATTEMPT_MEMBERS = [
  ...(["role", "outcome", "isWinner", "upstream", "upstreamModel", "upstreamRequestId", "propensity"] as const),
  ...(["startedAfterMs", "firstEventMs", "latencyMs", "inputTokens", "cacheReadTokens", "cacheWriteTokens"] as const),
  ...(["cacheWrite5mTokens", "cacheWrite1hTokens", "outputTokens", "reasoningTokens", "usageEstimated"] as const),
  ...(["costNanos", "losses", "errorReason", "errorMessage", "errorUpstreamStatus", "errorUpstreamCode"] as const),
  ...(["failedChecks", "score", "candidateReason"] as const),
];

/** Encodes the feedback entries of one call. */
export function encodeFeedback(rows: readonly FeedbackEntryRow[]): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(rows));
  return [head(FEEDBACK, json.length), json];
}

/** Decodes a payload. Throws an Error if it is of a kind that this version does not know. */
export function decodeEntry(payload: Buffer): SpoolEntry {
  const kind = payload[0];
  const inferences = kind === undefined ? undefined : INFERENCES.get(kind);
  if (inferences === undefined && kind !== FEEDBACK) {
    throw new Error(`the spool has an entry of the kind ${kind}, which this version does not know`);
  }
  const bodyAt = HEAD_BYTES + payload.readUInt32LE(1);
  const json: unknown = JSON.parse(payload.toString("utf8", HEAD_BYTES, bodyAt));
  if (inferences === undefined) return { kind: "feedback", feedback: (json as FeedbackEntryRow[]).map(reviveFeedback) };
  const facts = inferences.revive(json);
  if (!inferences.hasBodies) {
    return { kind: "inference", inference: { ...facts, request: undefined, response: undefined } };
  }
  const requestAt = bodyAt + LENGTH_BYTES;
  const responseAt = requestAt + payload.readUInt32LE(bodyAt);
  const [request, response] = [payload.subarray(requestAt, responseAt), payload.subarray(responseAt)];
  return { kind: "inference", inference: { ...facts, request, response } };
}

function head(kind: number, jsonLength: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES);
  bytes[0] = kind;
  bytes.writeUInt32LE(jsonLength, 1);
  return bytes;
}

/** The row of an inference, and the values of its attempts. */
type SpooledInference = readonly [row: InferenceRow, attempts: readonly (readonly unknown[])[]];

/** What is spooled of an inference, without its bodies. */
type Facts = Pick<InferenceWrite, "row" | "attempts">;

function reviveInference([row, attempts]: SpooledInference): Facts {
  return { row: reviveRow(row), attempts: attempts.map((values, position) => reviveAttempt(row.id, position, values)) };
}

function reviveAttempt(id: string, position: number, values: readonly unknown[]): InferenceAttemptRow {
  // Earlier versions wrote fewer: null where a value is missing, as for what is not known.
  const members = ATTEMPT_MEMBERS.map((member, index) => [member, values[index] ?? null] as const);
  return { id, position, ...Object.fromEntries(members) } as InferenceAttemptRow;
}

/** From before answers were given again. */
type UnkeptRow = Omit<InferenceRow, "twinKey">;
type UnkeptInference = readonly [row: UnkeptRow, attempts: readonly (readonly unknown[])[]];

function reviveUnkept([row, attempts]: UnkeptInference): Facts {
  return reviveInference([{ ...row, twinKey: null }, attempts]);
}

/** From before it was told by kind what was saved. */
type UnsavedRow = Omit<UnkeptRow, "saved">;
type UnsavedInference = readonly [row: UnsavedRow, attempts: readonly (readonly unknown[])[]];

function reviveUnsaved([row, attempts]: UnsavedInference): Facts {
  return reviveUnkept([{ ...row, saved: null }, attempts]);
}

/** From before models were chosen: who was asked answered. */
type UndecidedRow = Omit<UnsavedRow, "servedModel" | "family" | "decision">;
type UndecidedInference = readonly [row: UndecidedRow, attempts: readonly (readonly unknown[])[]];

function reviveUndecided([row, attempts]: UndecidedInference): Facts {
  return reviveUnsaved([{ ...row, servedModel: "", family: "", decision: null }, attempts]);
}

/** From before attempts had rows: the row of the inference alone. */
type EarliestRow = Omit<UndecidedRow, "usageEstimated" | "cacheSavedNanos">;

function reviveEarliest(row: EarliestRow): Facts {
  return reviveUndecided([{ ...row, usageEstimated: false, cacheSavedNanos: null }, []]);
}

/** JSON has no dates: earlier versions wrote them as text. */
function reviveRow(row: InferenceRow): InferenceRow {
  return { ...row, startedAt: new Date(row.startedAt), deletedAt: row.deletedAt && new Date(row.deletedAt) };
}

function reviveFeedback(row: FeedbackEntryRow): FeedbackEntryRow {
  return { ...row, createdAt: new Date(row.createdAt) };
}
