import type { FeedbackIds, FeedbackResult } from "../../../gen/attune/feedback/v1/feedback_pb.ts";
import { errorStatus } from "../../formats/shared/error-status.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { type DecodedFailure, decodeStatus } from "../client/decode-status.ts";

/** One result of POST /v1/feedback: ids or the error is null. */
interface EncodedResult {
  readonly feedback_ids: { readonly [name: string]: string } | null;
  readonly error: { readonly status_code: number; readonly message: string } | null;
  readonly warnings?: readonly string[];
}

/** Names of members in JSON by those of the RPC. */
const MEMBERS: Readonly<Record<string, string>> = { inference_id: "id", session_id: "session" };

/** Encodes what became of an event. */
export function encodeResult({ outcome }: FeedbackResult): EncodedResult {
  switch (outcome.case) {
    case "stored":
      return encodeStored(outcome.value);
    case "error":
      return encodeFailure(decodeStatus(outcome.value));
    case undefined:
      return encodeFailure(new InferenceError(ErrorReason.INTERNAL, "the service returned no result for this event"));
  }
}

function encodeStored(stored: FeedbackIds): EncodedResult {
  const { warnings } = stored;
  const result = { feedback_ids: encodeIds(stored), error: null };
  return warnings.length === 0 ? result : { ...result, warnings };
}

/** Encodes why an event was not stored. */
export function encodeFailure(failure: DecodedFailure): EncodedResult {
  return { feedback_ids: null, error: { status_code: errorStatus(failure), message: inJson(failure) } };
}

/** Names the target of feedback as JSON does. */
function inJson({ message, facts: { param } }: DecodedFailure): string {
  return param !== undefined && message.startsWith(`${param}: `)
    ? `${toMember(param)}${message.slice(param.length)}`
    : message;
}

/** Returns the name of a field of the RPC in JSON. */
export function toMember(field: string): string {
  return MEMBERS[field] ?? field;
}

/** Object.fromEntries defines its members, so that one named __proto__ stays a member. */
function encodeIds({ ids }: FeedbackIds): { readonly [name: string]: string } {
  return Object.fromEntries(ids.map(({ name, id }) => [name, id]));
}
