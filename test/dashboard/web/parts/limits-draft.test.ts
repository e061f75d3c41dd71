import { describe, expect, it } from "vitest";
import { writeLimit } from "../../../../src/dashboard/web/parts/limits-draft.ts";

describe("writeLimit()", () => {
  it.each([
    ["costNanosPerMonth", 50_000_000_000, "50 USD a month"],
    ["costNanosPerDay", 500_000_000, "0.5 USD a day"],
    ["inputTokensPerMinute", 200_000, "200000 input tokens a minute"],
    ["requestsPerMinute", 0, "0 requests a minute"],
  ])("writes %s of %d as people set it", (name, value, expected) => {
    expect(writeLimit(name, value)).toBe(expected);
  });

  it.each([
    ["name", 5],
    ["costNanosPerMonth", null],
    ["costNanosPerMonth", undefined],
  ])("leaves %s of %s to others", (name, value) => {
    expect(writeLimit(name, value)).toBeUndefined();
  });
});
