import { describe, expect, it } from "vitest";
import { messagesCodec } from "../../../../src/formats/messages/codec.ts";
import { ErrorReason, InferenceError, type InferenceErrorFacts } from "../../../../src/hub/error.ts";

const cases: readonly [ErrorReason, number | undefined, number, string][] = [
  [ErrorReason.INVALID_REQUEST, undefined, 400, "invalid_request_error"],
  [ErrorReason.UNAUTHENTICATED, undefined, 401, "authentication_error"],
  [ErrorReason.QUOTA_EXCEEDED, 402, 402, "billing_error"],
  [ErrorReason.PERMISSION_DENIED, undefined, 403, "permission_error"],
  [ErrorReason.MODEL_NOT_FOUND, undefined, 404, "not_found_error"],
  [ErrorReason.UPSTREAM_ERROR, 409, 409, "conflict_error"],
  [ErrorReason.REQUEST_TOO_LARGE, undefined, 413, "request_too_large"],
  [ErrorReason.INVALID_REQUEST, 422, 422, "invalid_request_error"],
  [ErrorReason.RATE_LIMITED, undefined, 429, "rate_limit_error"],
  [ErrorReason.INTERNAL, undefined, 500, "api_error"],
  [ErrorReason.UPSTREAM_UNAUTHENTICATED, 401, 502, "api_error"],
  [ErrorReason.UPSTREAM_OVERLOADED, undefined, 503, "overloaded_error"],
  [ErrorReason.UPSTREAM_OVERLOADED, 529, 529, "overloaded_error"],
  [ErrorReason.UPSTREAM_TIMEOUT, undefined, 504, "timeout_error"],
];

describe("encodeError()", () => {
  it.each(cases)("encodes reason %i with upstream status %s as %i %s", (reason, upstreamStatus, status, type) => {
    const error = new InferenceError(reason, "why", { upstreamStatus });
    expect(messagesCodec.encodeError(error, "req_1")).toEqual({
      status,
      body: { type: "error", error: { type, message: "why" }, request_id: "req_1" },
    });
  });

  it.each<[InferenceErrorFacts, string, string]>([
    [{}, "shorten it", "prompt is too long"],
    [
      { promptTokens: 5, maxPromptTokens: 4, upstreamStatus: 413 },
      "shorten it",
      "prompt is too long: 5 tokens > 4 maximum",
    ],
    [{ maxPromptTokens: 4 }, "shorten it", "prompt is too long: the maximum is 4 tokens"],
    // Of a deployment that takes less than the catalog says.
    [{ promptTokens: 3, maxPromptTokens: 4 }, "shorten it", "prompt is too long: the maximum is 4 tokens"],
    [{ promptTokens: 5 }, "shorten it", "prompt is too long"],
    [{}, "prompt is too long: 9 tokens > 8 maximum", "prompt is too long: 9 tokens > 8 maximum"],
    // Agents ask for a shorter answer on these words.
    [
      { promptTokens: 9, maxPromptTokens: 8 },
      "input length and `max_tokens` exceed context limit: 5 + 4 > 8, decrease",
      "input length and `max_tokens` exceed context limit: 5 + 4 > 8, decrease",
    ],
  ])("says in the service's own words that a prompt is too long: %j, %s", (facts, said, message) => {
    const error = new InferenceError(ErrorReason.CONTEXT_LENGTH_EXCEEDED, said, facts);
    expect(messagesCodec.encodeError(error, "req_1")).toEqual({
      status: 400,
      body: { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" },
    });
  });
});
