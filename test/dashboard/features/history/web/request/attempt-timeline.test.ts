import { describe, expect, it } from "vitest";
import { placeAttempts } from "../../../../../../src/dashboard/features/history/web/request/attempt-timeline.ts";

describe("placeAttempts()", () => {
  it("places attempts between the start and the end of their request", () => {
    const attempts = [
      { startedAfterMs: 0, firstEventMs: null, latencyMs: 100 },
      { startedAfterMs: 100, firstEventMs: 200, latencyMs: 300 },
    ];
    expect(placeAttempts(attempts, 500)).toEqual([
      { start: 0, waiting: 20, answering: 0 },
      { start: 20, waiting: 40, answering: 20 },
    ]);
  });

  it("makes the line longer for an attempt that ended after its request", () => {
    const attempts = [{ startedAfterMs: 100, firstEventMs: 50, latencyMs: 300 }];
    expect(placeAttempts(attempts, 200)).toEqual([{ start: 25, waiting: 12.5, answering: 62.5 }]);
  });

  it("takes a first event after the end for one at the end, and a request of no time for nothing", () => {
    expect(placeAttempts([{ startedAfterMs: 0, firstEventMs: 10.5, latencyMs: 10 }], 10)).toEqual([
      { start: 0, waiting: 100, answering: 0 },
    ]);
    expect(placeAttempts([{ startedAfterMs: 0, firstEventMs: null, latencyMs: 0 }], 0)).toEqual([
      { start: 0, waiting: 0, answering: 0 },
    ]);
  });
});
