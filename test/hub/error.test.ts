import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { UsageSchema } from "../../gen/attune/content/v1/content_pb.ts";
import { ErrorReason, InferenceError } from "../../src/hub/error.ts";
import { errorFromDetail, errorToDetail } from "../../src/hub/error-detail.ts";

describe("InferenceError", () => {
  it("hides the text of what it does not know", () => {
    const error = InferenceError.from(new Error("password=hunter2"));
    expect(error).toMatchObject({ reason: ErrorReason.INTERNAL, retryable: false });
    expect(error.message).not.toContain("hunter2");
  });

  it("takes on facts without losing those it has", () => {
    const error = new InferenceError(ErrorReason.RATE_LIMITED, "slow", { upstream: "a" });
    expect(error.with({ upstream: "b", inferenceId: "i" }).facts).toEqual({ upstream: "a", inferenceId: "i" });
  });

  it.each([
    [ErrorReason.RATE_LIMITED, undefined, true],
    [ErrorReason.RATE_LIMITED, false, false],
    [ErrorReason.INVALID_REQUEST, undefined, false],
    [ErrorReason.INVALID_REQUEST, true, true],
  ])("of reason %i, with the upstream saying %s, advises another try: %s", (reason, shouldRetry, advised) => {
    const error = new InferenceError(reason, "x", { shouldRetry });
    expect(error.shouldRetry).toBe(advised);
    expect(error.retryable).toBe(reason === ErrorReason.RATE_LIMITED);
  });

  it("names the place in the message of an invalid request", () => {
    expect(InferenceError.invalid("messages[0].role", "is unknown")).toMatchObject({
      message: "messages[0].role: is unknown",
      facts: { param: "messages[0].role" },
    });
  });
});

describe("atPlaces()", () => {
  const shout = (place: string) => place.toUpperCase();

  it("renames places in the facts and at the beginning of the message", () => {
    const violations = [
      { param: "a", problem: "is wrong" },
      { param: "b", problem: "is a" },
    ];
    expect(InferenceError.invalid("a", "is a").with({ violations }).atPlaces(shout)).toMatchObject({
      message: "A: is a",
      facts: { param: "A", violations: [{ param: "A" }, { param: "B", problem: "is a" }] },
    });
  });

  it("composes what strict mode says anew, and names what has one name once", () => {
    const lossy = InferenceError.lossy(["a[0]", "a[1]", "b"], "up");
    expect(lossy.message).toMatch(/^the upstream's format cannot carry: a\[0\], a\[1\], b\. /);
    const spelled = lossy.atPlaces((place) => place.replace(/\[.*/, "[]"));
    expect(spelled).toMatchObject({ reason: ErrorReason.TRANSLATION_LOSS, facts: { param: "a[]", upstream: "up" } });
    expect(spelled.facts.refusedLosses).toEqual(["a[]", "b"]);
    expect(spelled.message).toMatch(/^the upstream's format cannot carry: a\[\], b\. /);
  });

  it.each([
    ["an upstream answered with", { param: "a", upstreamStatus: 400 }],
    ["an upstream said inside of a stream", { param: "a", upstreamCode: "invalid_value" }],
    ["names no place", {}],
  ])("leaves what %s", (_what, facts) => {
    const error = new InferenceError(ErrorReason.INVALID_REQUEST, "a: is wrong", facts);
    expect(error.atPlaces(shout)).toBe(error);
  });
});

describe("errorToDetail()", () => {
  it("carries every fact there and back, except the cause", () => {
    const facts = {
      param: "model",
      upstreamStatus: 529,
      upstream: "anthropic",
      upstreamRequestId: "req_1",
      upstreamCode: "overloaded_error",
      inferenceId: "id",
      refusedLosses: ["top_k"],
      upstreamHeaders: { "anthropic-ratelimit-tokens-remaining": "0" },
      shouldRetry: false,
      retryAfterMs: 1500,
      usage: create(UsageSchema, { inputTokens: 2 }),
    };
    const error = new InferenceError(ErrorReason.UPSTREAM_OVERLOADED, "busy", { ...facts, cause: new Error("secret") });
    const decoded = errorFromDetail(error.message, errorToDetail(error));
    expect(decoded).toMatchObject({ reason: ErrorReason.UPSTREAM_OVERLOADED, message: "busy", retryable: true, facts });
    expect(decoded.cause).toBeUndefined();
  });
});
