import { describe, expect, it } from "vitest";
import { followPage } from "../../../../../src/dashboard/features/sessions/web/follow-page.ts";
import type { PlayedCall } from "../../../../../src/dashboard/features/sessions/web/playback.ts";

const call = (line: number, startMs: number): PlayedCall => {
  return { number: 1, line, depth: 0, startMs, latencyMs: 10, isFailed: false, tokens: 0, costNanos: 0 };
};
const follow = (calls: readonly PlayedCall[], timeMs: number, offset: number) =>
  followPage(calls, { timeMs, offset, pageSize: 10 });

describe("followPage()", () => {
  it("goes to the page of the call that began last once nothing of the page shown is near", () => {
    const calls = [8, 9, 10, 11, 12, 13, 14].map((line) => call(line, line * 100));
    expect([800, 905, 1_005, 1_400].map((timeMs) => follow(calls, timeMs, 0))).toEqual([0, 0, 10, 10]);
  });

  it("stays between subagents at once, whose steps are on two pages", () => {
    const calls = [3, 23, 4, 24, 5, 25].map((line, at) => call(line, at * 100));
    expect([0, 100, 200, 300].map((timeMs) => follow(calls, timeMs, 0))).toEqual([0, 0, 0, 0]);
    expect(follow(calls, 100, 20)).toBe(20);
  });

  it("goes to the page of a place that a person moved to", () => {
    const calls = Array.from({ length: 100 }, (_, line) => call(line, line * 100));
    expect(follow(calls, 7_250, 0)).toBe(70);
    expect(follow(calls, 0, 90)).toBe(0);
  });

  it("stays where there are no calls", () => {
    expect(follow([], 5, 30)).toBe(30);
  });
});
