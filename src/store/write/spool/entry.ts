import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import type { InferenceAttemptRow } from "../../entities/inference-attempt.ts";
import type { InferenceWrite, NamedItems } from "../../types/record-batch.ts";

/** The content of a frame: an inference, or all feedback entries of one call. */
export type SpoolEntry =
  | { readonly kind: "inference"; readonly inference: InferenceWrite }
  | { readonly kind: "feedback"; readonly feedback: readonly FeedbackEntryRow[] };

/** First byte of a payload. A change of what follows it takes a new number, so that spools outlive an upgrade. */
const FEEDBACK = 3;
const INFERENCE = 4;
const INFERENCE_WITHOUT_BODIES = 5;

/** Kind, and length of the JSON. */
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;

/**
 * Encodes an inference: as JSON the values of its row and of its attempts, its first words and the names of its items;
 * then both bodies.
 */
export function encodeInference({ row, attempts, request, response, words, items }: InferenceWrite): Uint8Array[] {
  const values = listValues(ROW_MEMBERS, row);
  // A date as its number takes JSON half the time of one as text.
  values[STARTED_AT] = row.startedAt.getTime();
  const attemptValues = attempts.map((attempt) => listValues(ATTEMPT_MEMBERS, attempt));
  const texts = items === undefined ? [words] : [words, items];
  const json = Buffer.from(JSON.stringify([values, attemptValues, ...(words === undefined ? [] : texts)]));
  if (request === undefined || response === undefined) return [head(INFERENCE_WITHOUT_BODIES, json.length), json];
  const length = new DataView(new ArrayBuffer(LENGTH_BYTES));
  length.setUint32(0, request.length, true);
  return [head(INFERENCE, json.length), json, new Uint8Array(length.buffer), request, response];
}

/**
 * Members of a row in the order of their values: without their names JSON takes half the room, and two thirds of the
 * time. A member that is new comes last, and none leaves its place, so that older lists can be read.
 */
const ROW_MEMBERS = [
  ...(["id", "projectId", "keyId", "dialect", "streamed", "model", "upstream", "upstreamModel"] as const),
  ...(["upstreamRequestId", "workload", "servedModel", "family", "decision", "status", "startedAt"] as const),
  ...(["latencyMs", "timeToFirstTokenMs", "inputTokens", "cacheReadTokens", "cacheWriteTokens"] as const),
  ...(["cacheWrite5mTokens", "cacheWrite1hTokens", "outputTokens", "reasoningTokens", "usageEstimated"] as const),
  ...(["costNanos", "baseCostNanos", "saved", "cacheSavedNanos", "finishReason", "rawFinishReason"] as const),
  ...(["errorReason", "errorMessage", "errorUpstreamStatus", "errorUpstreamCode", "deviation"] as const),
  ...(["optimizations", "translationLosses", "previousId", "stored", "coalescingKey", "deletedAt"] as const),
  ...(["sessionId", "sessionSource", "parentSessionId", "endUserId", "tags", "requestId"] as const),
  ...(["billing", "costGaps"] as const),
] satisfies readonly (keyof InferenceRow)[];
const STARTED_AT = ROW_MEMBERS.indexOf("startedAt");
const EMPTY_ROW = emptyOf<InferenceRow>(ROW_MEMBERS);

/** Members of an attempt in the order of their values; its id is that of the row, its position that in the list. */
const ATTEMPT_MEMBERS = [
  ...(["role", "outcome", "isWinner", "upstream", "upstreamModel", "upstreamRequestId", "propensity"] as const),
  ...(["startedAfterMs", "firstEventMs", "latencyMs", "inputTokens", "cacheReadTokens", "cacheWriteTokens"] as const),
  ...(["cacheWrite5mTokens", "cacheWrite1hTokens", "outputTokens", "reasoningTokens", "usageEstimated"] as const),
  ...(["costNanos", "losses", "errorReason", "errorMessage", "errorUpstreamStatus", "errorUpstreamCode"] as const),
  ...(["failedChecks", "score", "candidateReason", "ranking"] as const),
] satisfies readonly (keyof InferenceAttemptRow)[];

const EMPTY_ATTEMPT = emptyOf<InferenceAttemptRow>(ATTEMPT_MEMBERS);

/** Returns the values of an object's members, in their order. */
function listValues<Row>(members: readonly (keyof Row)[], row: Row): unknown[] {
  const values: unknown[] = [];
  for (const member of members) values.push(row[member]);
  return values;
}

/**
 * Returns an object of its values; members that the list does not reach, since they are newer, are null. It is a copy
 * of one that has all members: V8 makes a hash table of an object that gets them one by one, 28 KB in place of 1.
 */
function reviveValues<Row extends object>(empty: Row, values: readonly unknown[]): Row {
  const row = { ...empty };
  let index = 0;
  for (const member in row) row[member] = (values[index++] ?? null) as never;
  return row;
}

/** An object with these members, in their order, as JSON.parse makes one: with all of them from the beginning. */
function emptyOf<Row>(members: readonly (keyof Row & string)[]): Row {
  return JSON.parse(`{${members.map((member) => `"${member}":null`).join()}}`);
}

/** Encodes the feedback entries of one call. */
export function encodeFeedback(rows: readonly FeedbackEntryRow[]): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(rows));
  return [head(FEEDBACK, json.length), json];
}

/** Decodes a payload. Throws an Error if it is of a kind that this version does not know. */
export function decodeEntry(payload: Buffer): SpoolEntry {
  const kind = payload[0];
  if (kind !== INFERENCE && kind !== INFERENCE_WITHOUT_BODIES && kind !== FEEDBACK) {
    throw new Error(`the spool has an entry of the kind ${kind}, which this version does not know`);
  }
  const bodyAt = HEAD_BYTES + payload.readUInt32LE(1);
  const json: unknown = JSON.parse(payload.toString("utf8", HEAD_BYTES, bodyAt));
  if (kind === FEEDBACK) return { kind: "feedback", feedback: (json as FeedbackEntryRow[]).map(reviveFeedback) };
  const facts = reviveInference(json as SpooledInference);
  if (kind === INFERENCE_WITHOUT_BODIES) {
    return { kind: "inference", inference: { ...facts, request: undefined, response: undefined } };
  }
  const requestAt = bodyAt + LENGTH_BYTES;
  const responseAt = requestAt + payload.readUInt32LE(bodyAt);
  const [request, response] = [payload.subarray(requestAt, responseAt), payload.subarray(responseAt)];
  return { kind: "inference", inference: { ...facts, request, response } };
}

function head(kind: number, jsonLength: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(HEAD_BYTES));
  bytes.setUint8(0, kind);
  bytes.setUint32(1, jsonLength, true);
  return new Uint8Array(bytes.buffer);
}

/** The values of the row of an inference, those of its attempts, its first words, and the names of its items. */
type SpooledInference = readonly [
  row: readonly unknown[],
  attempts: readonly (readonly unknown[])[],
  words?: readonly [prompt: string, answer: string],
  items?: NamedItems,
];

/** The spooled facts of an inference, without its bodies. */
type Facts = Pick<InferenceWrite, "row" | "attempts" | "words" | "items">;

function reviveInference([values, attemptValues, words, items]: SpooledInference): Facts {
  const row = reviveRow(values);
  const attempts = attemptValues.map((attempt, position) => reviveAttempt(row.id, position, attempt));
  return { row, attempts, ...(words === undefined ? {} : { words }), ...(items === undefined ? {} : { items }) };
}

function reviveAttempt(id: string, position: number, values: readonly unknown[]): InferenceAttemptRow {
  const attempt = reviveValues(EMPTY_ATTEMPT, values);
  attempt.id = id;
  attempt.position = position;
  return attempt;
}

/** JSON has no dates. */
function reviveRow(values: readonly unknown[]): InferenceRow {
  const row = reviveValues(EMPTY_ROW, values);
  row.startedAt = new Date(row.startedAt);
  row.deletedAt = row.deletedAt && new Date(row.deletedAt);
  return row;
}

function reviveFeedback(row: FeedbackEntryRow): FeedbackEntryRow {
  // Entries of older spools have none of them.
  const { sessionId = null, servedModel = "", rater = null } = row;
  return { ...row, sessionId, servedModel, rater, createdAt: new Date(row.createdAt) };
}

/** Returns the ids by which an inference is found in the log; none for feedback, and for what cannot be decoded. */
export function readEntryIds(
  entry: SpoolEntry | undefined,
): { readonly requestId?: string | null | undefined; readonly inferenceId: string } | undefined {
  if (entry?.kind !== "inference") return undefined;
  const { id, requestId } = entry.inference.row;
  return { requestId, inferenceId: id };
}
