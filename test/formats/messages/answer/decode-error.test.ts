import { describe, expect, it } from "vitest";
import { decodeError } from "../../../../src/formats/messages/answer/decode-error.ts";
import { ErrorReason } from "../../../../src/hub/error.ts";

const body = (type: string, message: string) =>
  JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
const decode = (status: number, text: string) => decodeError({ status, headers: {}, body: text });

const cases: readonly [number, string, string, ErrorReason][] = [
  [400, "invalid_request_error", "messages.0: bad", ErrorReason.INVALID_REQUEST],
  [
    400,
    "invalid_request_error",
    "prompt is too long: 210000 tokens > 200000 maximum",
    ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  ],
  [
    400,
    "invalid_request_error",
    "input length and `max_tokens` exceed context limit: 1 + 2 > 2",
    ErrorReason.CONTEXT_LENGTH_EXCEEDED,
  ],
  [400, "invalid_request_error", "Your credit balance is too low", ErrorReason.QUOTA_EXCEEDED],
  [402, "billing_error", "pay", ErrorReason.QUOTA_EXCEEDED],
  [404, "not_found_error", "model: claude-x", ErrorReason.MODEL_NOT_FOUND],
  [404, "not_found_error", "file_1", ErrorReason.NOT_FOUND],
  [403, "permission_error", "Request blocked: prompt injection patterns detected", ErrorReason.CONTENT_FILTERED],
  [413, "request_too_large", "too large", ErrorReason.REQUEST_TOO_LARGE],
  [429, "rate_limit_error", "slow down", ErrorReason.RATE_LIMITED],
  [500, "api_error", "Internal server error", ErrorReason.UPSTREAM_ERROR],
  [504, "timeout_error", "late", ErrorReason.UPSTREAM_TIMEOUT],
  [529, "overloaded_error", "Overloaded", ErrorReason.UPSTREAM_OVERLOADED],
  [429, "new_error", "new", ErrorReason.RATE_LIMITED],
  [429, "invalid_request_error", "slow down", ErrorReason.RATE_LIMITED],
  [415, "invalid_request_error", "Content-Type must be application/json", ErrorReason.UPSTREAM_MISCONFIGURED],
];

describe("decodeError()", () => {
  it.each(cases)("reads %i %s: %s", (status, type, message, reason) => {
    const error = decode(status, body(type, message));
    const isUsedUp = reason === ErrorReason.QUOTA_EXCEEDED;
    const told = isUsedUp ? `this service's own account at the upstream is used up: ${message}` : message;
    expect({ reason: error.reason, message: error.message }).toEqual({ reason, message: told });
    expect(String(error.facts.cause)).toContain(message);
    expect(error.facts).toMatchObject({ upstreamStatus: status, upstreamCode: type, upstreamRequestId: "req_1" });
  });

  it.each([
    [401, "authentication_error"],
    [403, "permission_error"],
  ])("keeps what is wrong with the service's own account (%i) for the log, without keys", (status, type) => {
    const error = decode(status, body(type, "invalid x-api-key sk-ant-api03-secretsecret"));
    expect(error.reason).toBe(ErrorReason.UPSTREAM_UNAUTHENTICATED);
    expect(error.message).toBe("the upstream refused this service's own credentials");
    expect(String(error.facts.cause)).toBe("Error: invalid x-api-key [redacted]");
  });

  it.each([
    [413, "Input is too long for requested model.", ErrorReason.CONTEXT_LENGTH_EXCEEDED],
    [503, "upstream connect error", ErrorReason.UPSTREAM_OVERLOADED],
  ])("tells what a proxy says with %i without JSON", (status, text, reason) => {
    const error = decode(status, text);
    expect(error).toMatchObject({ reason, message: `the upstream answered with status ${status}: ${text}` });
  });

  it.each(["<html>a page</html>", '{"x": {"y": "z"}}'])("tells nothing of %s", (text) => {
    expect(decode(500, text).message).toBe("the upstream answered with status 500");
  });

  it("reads a status in the body that says more", () => {
    const error = decode(400, JSON.stringify({ error: { message: "a", code: 429 } }));
    expect(error.reason).toBe(ErrorReason.RATE_LIMITED);
  });

  it("reads an error in a list of one, and its delay", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "45.837906927s" }];
    const error = decode(429, JSON.stringify([{ error: { code: 429, message: "Quota exceeded.", details } }]));
    expect(error).toMatchObject({ reason: ErrorReason.RATE_LIMITED, message: "Quota exceeded." });
    expect(error.facts.retryAfterMs).toBe(45_838);
  });

  it.each([
    [502, "<html>Bad gateway</html>", ErrorReason.UPSTREAM_ERROR],
    [503, "", ErrorReason.UPSTREAM_OVERLOADED],
    [500, "{}", ErrorReason.UPSTREAM_ERROR],
  ])("reads an answer %i in another form by its status", (status, text, reason) => {
    const error = decode(status, text);
    expect({ reason: error.reason, message: error.message }).toEqual({
      reason,
      message: `the upstream answered with status ${status}`,
    });
  });
});
