import type { FeedbackIds, FeedbackResult } from "../../../gen/attune/feedback/v1/feedback_pb.ts";

/** One result of POST /v1/feedback: exactly one of the two is null. */
export interface EncodedResult {
  readonly feedback_ids: { readonly [name: string]: string } | null;
  readonly error: { readonly status_code: number; readonly message: string } | null;
}

/** Encodes the results of a batch, in order. */
export function encodeResults(results: readonly FeedbackResult[]): EncodedResult[] {
  return results.map(encodeResult);
}

function encodeResult({ outcome }: FeedbackResult): EncodedResult {
  switch (outcome.case) {
    case "stored":
      return { feedback_ids: encodeIds(outcome.value), error: null };
    case "error":
      return encodeError(outcome.value.statusCode, outcome.value.message);
    case undefined:
      return encodeError(500, "the service did not say what became of the event");
  }
}

/** Object.fromEntries defines its members, so that one named __proto__ stays a member. */
function encodeIds({ ids }: FeedbackIds): { readonly [name: string]: string } {
  return Object.fromEntries(ids.map(({ name, id }) => [name, id]));
}

function encodeError(statusCode: number, message: string): EncodedResult {
  return { feedback_ids: null, error: { status_code: statusCode, message } };
}
