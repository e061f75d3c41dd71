import { describe, expect, it } from "vitest";
import { encodeOpenAiError, openAiError } from "../../../src/formats/shared/encode-openai-error.ts";
import { ErrorReason, InferenceError, type InferenceErrorFacts } from "../../../src/hub/error.ts";

const encode = (reason: ErrorReason, facts: InferenceErrorFacts = {}) =>
  encodeOpenAiError(new InferenceError(reason, "Said", facts), "req-1");

describe("encodeOpenAiError()", () => {
  it.each<[ErrorReason, number, string, string | null]>([
    [ErrorReason.INVALID_REQUEST, 400, "invalid_request_error", null],
    [ErrorReason.UNAUTHENTICATED, 401, "invalid_request_error", "invalid_api_key"],
    [ErrorReason.PERMISSION_DENIED, 403, "permission_error", "permission_denied"],
    [ErrorReason.NOT_FOUND, 404, "invalid_request_error", "not_found"],
    [ErrorReason.REQUEST_TOO_LARGE, 413, "invalid_request_error", "request_too_large"],
    [ErrorReason.CONTEXT_LENGTH_EXCEEDED, 400, "invalid_request_error", "context_length_exceeded"],
    [ErrorReason.TRANSLATION_LOSS, 400, "invalid_request_error", "unsupported_parameter"],
    [ErrorReason.RATE_LIMITED, 429, "rate_limit_error", "rate_limit_exceeded"],
    [ErrorReason.QUOTA_EXCEEDED, 429, "insufficient_quota", "insufficient_quota"],
    [ErrorReason.CONTENT_FILTERED, 400, "invalid_request_error", "content_filter"],
    [ErrorReason.UPSTREAM_OVERLOADED, 503, "service_unavailable_error", "server_is_overloaded"],
    [ErrorReason.UPSTREAM_ERROR, 502, "server_error", "upstream_error"],
    [ErrorReason.UPSTREAM_UNAUTHENTICATED, 502, "server_error", "upstream_unauthenticated"],
    [ErrorReason.UPSTREAM_UNREACHABLE, 502, "server_error", "upstream_unreachable"],
    [ErrorReason.UPSTREAM_TIMEOUT, 504, "server_error", "upstream_timeout"],
    [ErrorReason.STREAM_INTERRUPTED, 502, "server_error", "stream_interrupted"],
    [ErrorReason.UNAVAILABLE, 503, "service_unavailable_error", "service_unavailable"],
  ])("encodes reason %i as %i", (reason, status, type, code) => {
    expect(encode(reason)).toEqual({ status, body: { error: { message: "Said", type, param: null, code } } });
  });

  it("names the place, and the model where it is the model", () => {
    expect(encode(ErrorReason.INVALID_REQUEST, { param: "messages[0].role" }).body).toEqual({
      error: { message: "Said", type: "invalid_request_error", param: "messages[0].role", code: null },
    });
    expect(encode(ErrorReason.MODEL_NOT_FOUND)).toEqual({
      status: 404,
      body: { error: { message: "Said", type: "invalid_request_error", param: "model", code: "model_not_found" } },
    });
  });

  it("lets the upstream's status and code stand for a wrong request", () => {
    expect(encode(ErrorReason.INVALID_REQUEST, { upstreamStatus: 422, upstreamCode: "invalid_value" })).toEqual({
      status: 422,
      body: { error: { message: "Said", type: "invalid_request_error", param: null, code: "invalid_value" } },
    });
    expect(encode(ErrorReason.INVALID_REQUEST, { upstreamCode: "invalid_request_error" }).body).toEqual({
      error: { message: "Said", type: "invalid_request_error", param: null, code: null },
    });
  });

  it("names the request where the cause is in the log only", () => {
    expect(encode(ErrorReason.INTERNAL)).toEqual({
      status: 500,
      body: {
        error: { message: "Said (request id req-1)", type: "server_error", param: null, code: "internal_error" },
      },
    });
  });
});

describe("openAiError()", () => {
  it("is the inner object", () => {
    expect(openAiError(new InferenceError(ErrorReason.STREAM_INTERRUPTED, "Said"))).toEqual({
      message: "Said",
      type: "server_error",
      param: null,
      code: "stream_interrupted",
    });
  });
});
