import { describe, expect, it } from "vitest";
import {
  layOut,
  type PlayedCall,
  playedLength,
  stateAt,
  timeAt,
  totalsAt,
} from "../../../../../src/dashboard/web/pages/sessions/playback.ts";

const call = (startMs: number, latencyMs: number): PlayedCall => {
  return { startedAt: new Date(startMs), latencyMs, promptTokens: 10, outputTokens: 5, costNanos: 7 };
};
const calls = [call(1_000, 1_000), call(1_500, 1_500), call(63_000, 1_000)];

describe("layOut()", () => {
  it("plays calls that overlap once, and a long silence shortened", () => {
    expect(playedLength(layOut(calls))).toBe(2_000 + 2_000 + 1_000);
  });

  it("is empty without calls", () => {
    expect(timeAt(layOut([]), 5)).toBeUndefined();
  });
});

describe("timeAt()", () => {
  it.each([
    [-1, 1_000],
    [0, 1_000],
    [2_000, 3_000],
    [3_000, 33_000],
    [4_000, 63_000],
    [9_000, 64_000],
  ])("finds the time at %i", (placeMs, timeMs) => {
    expect(timeAt(layOut(calls), placeMs)).toBe(timeMs);
  });
});

describe("totalsAt()", () => {
  it("counts calls as they begin, and what they used as they end", () => {
    expect(totalsAt(calls, 2_000)).toEqual({ calls: 2, tokens: 15, costNanos: 7 });
    expect(calls.map((one) => stateAt(one, 2_000))).toEqual(["over", "under way", "to come"]);
  });
});
