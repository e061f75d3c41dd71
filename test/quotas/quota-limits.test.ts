import { describe, expect, it } from "vitest";
import { hasLimitOn, listAmounts, listLimits } from "../../src/quotas/quota-limits.ts";

describe("listLimits()", () => {
  it("lists the limits in the order of the rules, each with the place of its amount", () => {
    const amounts = listAmounts({ requests: 1, outputTokens: 20, costNanos: 300 });
    const quota = {
      costNanosPerDay: 5,
      concurrentCalls: 4,
      requestsPerMinute: 0,
      outputTokensPerMinute: 3,
      models: [],
    };
    expect(
      listLimits(quota).map(({ rule, limit, isInFlight, amountAt }) => [rule, limit, isInFlight, amounts[amountAt]]),
    ).toEqual([
      ["requestsPerMinute", 0, false, 1],
      ["outputTokensPerMinute", 3, false, 20],
      ["concurrentCalls", 4, true, 1],
      ["costNanosPerDay", 5, false, 300],
    ]);
    expect(listLimits(quota)).toBe(listLimits(quota));
  });
});

describe("hasLimitOn()", () => {
  it.each([
    [{ concurrentCalls: 1 }, "requests", true],
    [{ concurrentCalls: 1 }, "costNanos", false],
    [{ costNanosTotal: 0 }, "costNanos", true],
    [{ inputTokensPerMinute: 1 }, "outputTokens", false],
    [{}, "requests", false],
  ] as const)("tells of %o whether it limits %s", (quota, amount, expected) => {
    expect(hasLimitOn(quota, amount)).toBe(expected);
  });
});
