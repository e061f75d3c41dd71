import { describe, expect, it } from "vitest";
import { messagesCodec } from "../../../src/facade/messages/codec.ts";
import { ErrorReason, InferenceError } from "../../../src/inference/error.ts";

const cases: readonly [ErrorReason, number | undefined, number, string][] = [
  [ErrorReason.INVALID_REQUEST, undefined, 400, "invalid_request_error"],
  [ErrorReason.CONTEXT_LENGTH_EXCEEDED, undefined, 400, "invalid_request_error"],
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
});
