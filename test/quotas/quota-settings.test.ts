import { describe, expect, it } from "vitest";
import { changeQuota, isUnlimited, readQuotaSettings, replaceQuota } from "../../src/quotas/quota-settings.ts";

describe("changeQuota()", () => {
  it("sets what is given, takes away what is null, and leaves the rest", () => {
    const before = { requestsPerMinute: 60, costNanosPerDay: 5, models: ["a"] };
    expect(changeQuota(before, { requestsPerMinute: 0, costNanosPerDay: null, concurrentCalls: 2 })).toEqual({
      requestsPerMinute: 0,
      concurrentCalls: 2,
      models: ["a"],
    });
    expect(changeQuota(before, replaceQuota({ models: ["b"] }))).toEqual({ models: ["b"] });
    expect(isUnlimited(changeQuota(before, replaceQuota({})))).toBe(true);
  });
});

describe("readQuotaSettings()", () => {
  it.each([
    [null, {}],
    ["text", {}],
    [
      { requestsPerMinute: 0, costNanosTotal: 1e15, models: ["a"] },
      { requestsPerMinute: 0, costNanosTotal: 1e15, models: ["a"] },
    ],
    [{ requestsPerMinute: -1, concurrentCalls: 1.5, inputTokensPerMinute: "9", requestsPerHour: 5, models: 1 }, {}],
  ])("%j: %j", (stored, settings) => {
    expect(readQuotaSettings(stored)).toEqual(settings);
  });
});
