import { describe, expect, it } from "vitest";
import {
  latestAt,
  layOut,
  type PlayedCall,
  placeAt,
  playedLength,
  stateAt,
  timeAt,
  totalsAt,
} from "../../../../../src/dashboard/features/sessions/web/playback.ts";

const call = (number: number, startMs: number, latencyMs: number): PlayedCall => {
  return { number, line: number - 1, depth: 0, startMs, latencyMs, isFailed: number === 1, tokens: 15, costNanos: 7 };
};
const calls = [call(1, 1_000, 1_000), call(2, 1_500, 1_500), call(3, 63_000, 1_000)];

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

describe("placeAt()", () => {
  it.each([0, 2_000, 3_000, 4_000, 5_000])("finds the place %i again by its time", (placeMs) => {
    const stretches = layOut(calls);
    expect(placeAt(stretches, timeAt(stretches, placeMs) ?? 0)).toBe(placeMs);
  });

  it("stays within the run", () => {
    expect([0, 99_000].map((timeMs) => placeAt(layOut(calls), timeMs))).toEqual([0, 5_000]);
  });
});

describe("totalsAt()", () => {
  it("counts calls under way, and what those used that are over", () => {
    expect(totalsAt(calls, 2_000)).toEqual({ underWay: 1, failed: 1, tokens: 15, costNanos: 7 });
    expect(calls.map((one) => stateAt(one, 2_000))).toEqual(["over", "under way", "to come"]);
  });
});

describe("latestAt()", () => {
  it.each([
    [0, 1],
    [1_500, 2],
    [70_000, 3],
  ])("finds the call that began last at %i", (timeMs, number) => {
    expect(latestAt(calls, timeMs)?.number).toBe(number);
  });
});
