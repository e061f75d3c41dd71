import { describe, expect, it } from "vitest";
import { ErrorReason, InferenceError } from "../../../src/hub/error.ts";
import type { AttemptRecord } from "../../../src/inference/ports.ts";
import { HealthTracker } from "../../../src/routing/health/health-tracker.ts";
import { inferenceRecord } from "../../support/inference-record.ts";

const place = { upstream: "up", model: "m" };
const inference = { id: "i", model: "m", streamed: true };

function setUp() {
  let nowMs = 1000;
  const watch = new HealthTracker(() => nowMs);
  const [attempt] = inferenceRecord().attempts;
  if (attempt === undefined) throw new Error("the record has no attempt");
  const record: AttemptRecord = { ...attempt, upstream: place.upstream, upstreamModel: place.model };
  return {
    watch,
    end: (facts: Partial<AttemptRecord>) => watch.ended({ ...record, ...facts }, inference),
    fail: (reason: ErrorReason, facts = {}) =>
      watch.ended({ ...record, outcome: "failed", error: new InferenceError(reason, "failed", facts) }, inference),
    pass(ms: number): void {
      nowMs += ms;
    },
    health: (streamed = true) => watch.healthOf(place, streamed),
  };
}

describe("HealthTracker", () => {
  it("counts what is in flight", () => {
    const { watch, end, health } = setUp();
    watch.began(place);
    watch.began(place);
    expect(health().inFlight).toBe(2);
    end({ outcome: "completed" });
    expect(health().inFlight).toBe(1);
    expect(watch.healthOf({ upstream: "up", model: "other" }, true).inFlight).toBe(0);
  });

  it("holds a full queue against no place: who fills it turns nobody else away", () => {
    const { watch, fail, health } = setUp();
    for (let call = 0; call < 5; call += 1) fail(ErrorReason.RATE_LIMITED, { isQueueFull: true });
    expect([health().isOut, watch.reportOf(place).failures]).toEqual([false, 0]);
    for (let call = 0; call < 5; call += 1) fail(ErrorReason.RATE_LIMITED);
    expect([health().isOut, watch.reportOf(place).failures]).toEqual([true, 5]);
  });

  it("goes by the key with most room where a place has several", () => {
    const watch = new HealthTracker(
      () => 1000,
      ({ model }) => (model === "m" ? 0.7 : undefined),
    );
    const upstreamHeaders = { "x-ratelimit-limit-tokens": "100", "x-ratelimit-remaining-tokens": "5" };
    for (const model of ["m", "n"])
      watch.answered({ place: { ...place, model }, afterMs: 1, upstreamHeaders }, inference);
    expect(watch.healthOf(place, true).headroom).toBe(0.7);
    expect(watch.reportOf({ ...place, model: "n" }).headroom).toBe(0.05);
  });

  it("keeps the times of streams and of whole answers apart", () => {
    const { watch, health } = setUp();
    watch.answered({ place, afterMs: 200, upstreamHeaders: {} }, inference);
    watch.answered({ place, afterMs: 9000, upstreamHeaders: {} }, { ...inference, streamed: false });
    expect([health(true).peakMs, health(false).peakMs]).toEqual([200, 9000]);
  });

  it("learns from what was broken off: it would have taken longer still", () => {
    const { end, health } = setUp();
    end({ outcome: "canceled", latencyMs: 3000, firstTokenMs: undefined });
    expect(health().peakMs).toBe(3000);
    end({ outcome: "canceled", latencyMs: 10, firstTokenMs: undefined });
    expect(health().peakMs).toBe(3000);
    end({ outcome: "canceled", latencyMs: 60_000, firstTokenMs: 100 });
    expect(health().peakMs).toBe(3000);
  });

  it("takes a place for slower each time that a call of it is broken off after the same wait", () => {
    const { watch, end, health } = setUp();
    for (let call = 0; call < 5; call++) watch.answered({ place, afterMs: 40, upstreamHeaders: {} }, inference);
    const peaks = [1, 2, 3].map(() => {
      end({ outcome: "canceled", latencyMs: 130, firstTokenMs: undefined });
      return health().peakMs;
    });
    expect(peaks).toEqual([170, 300, 430]);
    // What is common says nothing.
    end({ outcome: "canceled", latencyMs: 40, firstTokenMs: undefined });
    expect(health().peakMs).toBe(430);
  });

  it("believes what is told of limits for a minute, in answers and in failures", () => {
    const { watch, fail, pass, health } = setUp();
    const left = (requests: string) => ({
      "x-ratelimit-limit-requests": "100",
      "x-ratelimit-remaining-requests": requests,
    });
    expect(health().headroom).toBe(1);
    watch.answered({ place, afterMs: 1, upstreamHeaders: left("50") }, inference);
    expect(health().headroom).toBe(0.5);
    fail(ErrorReason.RATE_LIMITED, { upstreamHeaders: left("0") });
    expect(health().headroom).toBe(0);
    pass(60_000);
    expect(health().headroom).toBe(1);
  });

  it("reports failures since the last success, and limits only where it was told of some", () => {
    const { watch, end, fail } = setUp();
    const report = () => watch.reportOf(place);
    expect(report()).toMatchObject({ failures: 0, hasSucceeded: false, headroom: undefined });
    fail(ErrorReason.INVALID_REQUEST);
    fail(ErrorReason.UPSTREAM_ERROR);
    expect(report()).toMatchObject({ failures: 2, hasSucceeded: false });
    end({ outcome: "completed" });
    expect(report()).toMatchObject({ failures: 0, hasSucceeded: true });
    fail(ErrorReason.UPSTREAM_ERROR);
    expect(report()).toMatchObject({ failures: 1, hasSucceeded: true });
    watch.answered(
      {
        place,
        afterMs: 1,
        upstreamHeaders: { "x-ratelimit-limit-tokens": "100", "x-ratelimit-remaining-tokens": "25" },
      },
      inference,
    );
    expect(report().headroom).toBe(0.25);
  });

  it("leaves for last what fails of its own doing", () => {
    const { fail, health } = setUp();
    fail(ErrorReason.UPSTREAM_ERROR);
    fail(ErrorReason.UPSTREAM_ERROR);
    expect(health().isOut).toBe(true);
  });

  it.each([ErrorReason.INVALID_REQUEST, ErrorReason.CONTEXT_LENGTH_EXCEEDED, ErrorReason.CONTENT_FILTERED])(
    "does not blame a place for reason %i, which is the request's own",
    (reason) => {
      const { fail, health } = setUp();
      for (let failure = 0; failure < 5; failure++) fail(reason);
      expect(health().isOut).toBe(false);
    },
  );
});
