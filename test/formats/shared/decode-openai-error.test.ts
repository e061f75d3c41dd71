import { describe, expect, it } from "vitest";
import { decodeOpenAiError, decodeOpenAiErrorObject } from "../../../src/formats/shared/decode-openai-error.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

const decode = (status: number, body: unknown) =>
  decodeOpenAiError({ status, headers: {}, body: typeof body === "string" ? body : JSON.stringify(body) });

const error = (type: string, code: string | null, message = "Said", param: string | null = null) => ({
  error: { message, type, param, code },
});

/** The words for callers where it is this service's account that is used up. */
const USED_UP = "this service's own account at the upstream is used up: Said";

describe("decodeOpenAiError()", () => {
  it.each<[number, unknown, ErrorReason, string]>([
    [400, error("invalid_request_error", null), ErrorReason.INVALID_REQUEST, "Said"],
    [400, error("invalid_request_error", "context_length_exceeded"), ErrorReason.CONTEXT_LENGTH_EXCEEDED, "Said"],
    [400, error("invalid_request_error", "content_filter"), ErrorReason.CONTENT_FILTERED, "Said"],
    [400, error("image_error", "content_policy_violation"), ErrorReason.CONTENT_FILTERED, "Said"],
    [404, error("invalid_request_error", "model_not_found"), ErrorReason.MODEL_NOT_FOUND, "Said"],
    [404, error("invalid_request_error", null), ErrorReason.NOT_FOUND, "Said"],
    [
      404,
      { object: "error", message: "The model `x` does not exist.", type: "NotFoundError", code: 404 },
      ErrorReason.MODEL_NOT_FOUND,
      "The model `x` does not exist.",
    ],
    [404, { error: { code: "DeploymentNotFound", message: "Said" } }, ErrorReason.MODEL_NOT_FOUND, "Said"],
    [
      403,
      { error: { code: 403, message: "Flagged", metadata: { reasons: ["violence"], flagged_input: "hi" } } },
      ErrorReason.CONTENT_FILTERED,
      "Flagged",
    ],
    [
      403,
      error("forbidden", null, "Your chosen model requires moderation and your input was flagged"),
      ErrorReason.CONTENT_FILTERED,
      "Your chosen model requires moderation and your input was flagged",
    ],
    [
      403,
      { error: { message: "No.", innererror: { content_filter_result: { hate: { filtered: true } } } } },
      ErrorReason.CONTENT_FILTERED,
      "No.",
    ],
    [
      403,
      error("permission_error", null, "Your account was flagged for its use of the API"),
      ErrorReason.UPSTREAM_UNAUTHENTICATED,
      "the upstream refused this service's own credentials",
    ],
    [
      403,
      error("invalid_request_error", null, "You are not allowed to sample from this model"),
      ErrorReason.UPSTREAM_UNAUTHENTICATED,
      "the upstream refused this service's own credentials",
    ],
    [
      400,
      "<?xml version='1.0'?><Error><Code>InvalidArgument</Code><Message>Said &lt;</Message></Error>",
      ErrorReason.INVALID_REQUEST,
      "the upstream answered with status 400: Said &lt;",
    ],
    [200, { code: "resource_exhausted", message: "Said" }, ErrorReason.RATE_LIMITED, "Said"],
    [400, { __type: "com.amazon.x#ThrottlingException", Message: "Said" }, ErrorReason.RATE_LIMITED, "Said"],
    [429, [error("", null, "Quota exceeded.")], ErrorReason.RATE_LIMITED, "Quota exceeded."],
    [429, error("requests", "rate_limit_exceeded"), ErrorReason.RATE_LIMITED, "Said"],
    [429, error("insufficient_quota", "insufficient_quota"), ErrorReason.QUOTA_EXCEEDED, USED_UP],
    [500, error("server_error", null), ErrorReason.UPSTREAM_ERROR, "Said"],
    [503, error("service_unavailable_error", "slow_down"), ErrorReason.UPSTREAM_OVERLOADED, "Said"],
    [200, error("service_unavailable_error", "server_is_overloaded"), ErrorReason.UPSTREAM_OVERLOADED, "Said"],
    [
      401,
      error("invalid_request_error", "invalid_api_key", "Incorrect API key provided: sk-abcdef****wxyz."),
      ErrorReason.UPSTREAM_UNAUTHENTICATED,
      "the upstream refused this service's own credentials",
    ],
    [
      400,
      {
        object: "error",
        message: "This model's maximum context length is 4096 tokens.",
        type: "BadRequestError",
        code: 400,
      },
      ErrorReason.CONTEXT_LENGTH_EXCEEDED,
      "This model's maximum context length is 4096 tokens.",
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size",
          type: "exceed_context_size_error",
        },
      },
      ErrorReason.CONTEXT_LENGTH_EXCEEDED,
      "the request exceeds the available context size",
    ],
    [
      503,
      { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
      ErrorReason.UPSTREAM_OVERLOADED,
      "Loading model",
    ],
    [404, { detail: "Not Found" }, ErrorReason.NOT_FOUND, "Not Found"],
    [422, { detail: [{ loc: ["body", "x"] }] }, ErrorReason.INVALID_REQUEST, "x: is refused"],
    [400, { error: "bad" }, ErrorReason.INVALID_REQUEST, "bad"],
    [422, {}, ErrorReason.INVALID_REQUEST, "the upstream failed and did not say why"],
    [502, "<html>nginx</html>", ErrorReason.UPSTREAM_ERROR, "the upstream answered with status 502"],
    [502, "", ErrorReason.UPSTREAM_ERROR, "the upstream answered with status 502"],
    [429, "Too Many Requests", ErrorReason.RATE_LIMITED, "the upstream answered with status 429: Too Many Requests"],
    [400, "[1]", ErrorReason.INVALID_REQUEST, "the upstream answered with status 400: [1]"],
  ])("decodes %i %j", (status, body, reason, message) => {
    expect(decode(status, body)).toMatchObject({ reason, message, facts: { upstreamStatus: status } });
  });

  it.each([
    [{ error: { message: "m", details: [{ "@type": "x" }, { retryDelay: "17s" }] } }, 17_000],
    [{ error: { message: "m", retry_after: 2.5 } }, 2500],
    [{ error: "m", retry_after: "3" }, 3000],
    [{ error: { message: "m", metadata: { retry_after_seconds: 4 } } }, 4000],
    [{ error: { message: "m", retry_after: 1e12 } }, 86_400_000],
    [{ error: { message: "m", retry_after: "soon", details: "none" } }, undefined],
    [{ error: { message: "m", retry_after: -1 } }, undefined],
  ])("reads the delay of %j", (body, delayMs) => {
    expect(decode(429, body).facts.retryAfterMs).toBe(delayMs);
    expect(decode(429, [body]).facts.retryAfterMs).toBe(delayMs);
  });

  it("keeps the place and the upstream's own name", () => {
    const { facts } = decode(400, error("invalid_request_error", "invalid_value", "Said", "messages[0].role"));
    expect(facts).toEqual({
      param: "messages[0].role",
      upstreamStatus: 400,
      upstreamCode: "invalid_value",
      isUpstreamWords: true,
    });
  });

  it("shows no key, wherever it stands", () => {
    expect(decode(500, error("server_error", null, "bad key sk-proj-AbCd1234efgh")).message).toBe("bad key [redacted]");
    expect(decode(500, "Authorization: Bearer abc.def-ghi.jkl").message).toBe(
      "the upstream answered with status 500: Authorization: [redacted]",
    );
  });

  it("cuts a long message", () => {
    expect(decode(500, "x ".repeat(5000)).message).toHaveLength(2003);
  });
});

describe("decodeOpenAiErrorObject(), inside a stream", () => {
  it.each<[Record<string, unknown>, ErrorReason, number | undefined]>([
    [error("server_error", null), ErrorReason.UPSTREAM_ERROR, undefined],
    [error("invalid_request_error", null), ErrorReason.INVALID_REQUEST, undefined],
    [error("rate_limit_error", null), ErrorReason.RATE_LIMITED, undefined],
    [{ error: { message: "Said", code: 502 } }, ErrorReason.UPSTREAM_ERROR, 502],
    [{ error: { message: "Said", code: "429" } }, ErrorReason.RATE_LIMITED, 429],
    [{ type: "error", message: "Said", code: "insufficient_quota" }, ErrorReason.QUOTA_EXCEEDED, undefined],
    [{ code: "InvalidParameter", message: "Said", request_id: "q" }, ErrorReason.INVALID_REQUEST, undefined],
    [error("invalid_parameter_error", null), ErrorReason.INVALID_REQUEST, undefined],
    [{ error: { message: "Said", type: "toString" } }, ErrorReason.UPSTREAM_ERROR, undefined],
  ])("decodes %j", (object, reason, upstreamStatus) => {
    const decoded = decodeOpenAiErrorObject(object);
    expect(decoded).toMatchObject({ reason, message: reason === ErrorReason.QUOTA_EXCEEDED ? USED_UP : "Said" });
    expect(decoded.facts.upstreamStatus).toBe(upstreamStatus);
  });
});
