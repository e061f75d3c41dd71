import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../src/inference/error.ts";
import { createHealth } from "../../src/routing/health.ts";
import { inferenceRecord } from "../support/inference-record.ts";

const place = { upstream: "up", model: "m" };

function setUp() {
  let nowMs = 1000;
  const health = createHealth(() => nowMs);
  const [attempt] = inferenceRecord().attempts;
  if (attempt === undefined) throw new Error("the record has no attempt");
  const ended = { ...attempt, upstream: place.upstream, upstreamModel: place.model };
  return {
    failing(reason: ErrorReason, retryAfterMs?: number): void {
      const error = new InferenceError(reason, "failed", { retryAfterMs });
      health.observe({ ...ended, outcome: "failed", error });
    },
    answering: () => health.observe({ ...ended, outcome: "completed" }),
    pass(ms: number): void {
      nowMs += ms;
    },
    coolingMs: (of = place) => Math.max(0, health.coolingUntilMs(of) - nowMs),
  };
}

describe("createHealth()", () => {
  it("takes one failure for chance, and leaves a place that goes on failing for last, longer each time", () => {
    const { failing, coolingMs } = setUp();
    const waits = Array.from({ length: 9 }, () => {
      failing(ErrorReason.UPSTREAM_ERROR);
      return coolingMs();
    });
    expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(coolingMs({ upstream: "up", model: "other" })).toBe(0);
  });

  it("believes a place that says when to come again, up to a minute", () => {
    const { failing, coolingMs } = setUp();
    failing(ErrorReason.RATE_LIMITED, 7000);
    expect(coolingMs()).toBe(7000);
    failing(ErrorReason.RATE_LIMITED, 3_600_000);
    expect(coolingMs()).toBe(60_000);
  });

  it("forgets it all when the place answers, and by itself", () => {
    const { failing, answering, pass, coolingMs } = setUp();
    for (let failure = 0; failure < 5; failure++) failing(ErrorReason.UPSTREAM_UNREACHABLE);
    answering();
    expect(coolingMs()).toBe(0);
    failing(ErrorReason.UPSTREAM_ERROR);
    failing(ErrorReason.UPSTREAM_ERROR);
    pass(1000);
    expect(coolingMs()).toBe(0);
  });

  it.each([ErrorReason.INVALID_REQUEST, ErrorReason.CONTEXT_LENGTH_EXCEEDED, ErrorReason.CONTENT_FILTERED])(
    "does not blame a place for reason %i, which is the request's own",
    (reason) => {
      const { failing, coolingMs } = setUp();
      for (let failure = 0; failure < 5; failure++) failing(reason);
      expect(coolingMs()).toBe(0);
    },
  );
});
