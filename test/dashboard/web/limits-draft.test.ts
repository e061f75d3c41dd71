import { describe, expect, it } from "vitest";
import { describeLimits, findProblems, toDraft, toSettings } from "../../../src/dashboard/web/parts/limits-draft.ts";

const settings = { requestsPerMinute: 0, costNanosPerDay: 1_500_000_000, models: ["a"] };

describe("toDraft() and toSettings()", () => {
  it("write limits as texts, and read them again", () => {
    const draft = toDraft(settings);
    expect(draft).toMatchObject({
      limits: { requestsPerMinute: "0", usdPerDay: "1.5", usdTotal: "" },
      models: ["a"],
    });
    expect(toSettings(draft)).toEqual(settings);
    expect(toSettings(toDraft({}))).toEqual({});
  });
});

describe("findProblems()", () => {
  it("finds what is no limit", () => {
    const draft = toDraft(settings);
    expect(findProblems(draft)).toEqual({});
    const limits = { ...draft.limits, requestsPerMinute: "1.5", usdPerDay: " 2 ", usdTotal: "$5" };
    expect(findProblems({ ...draft, limits })).toEqual({
      requestsPerMinute: "must be a whole number from 0 to 1000000000000",
      usdTotal: "must be an amount in USD from 0 to 1000000, with at most nine decimals",
    });
  });
});

describe("describeLimits()", () => {
  it.each([
    [{}, ""],
    [settings, "0 requests a minute, 1.5 USD a day, only a"],
    [{ requestsPerMinute: 1, costNanosTotal: 1_000_000_000 }, "1 request a minute, 1 USD in total"],
    [{ concurrentCalls: 1, models: ["a", "b"] }, "1 concurrent call, only a and b"],
    [{ inputTokensPerMinute: 10, models: ["a", "b", "c"] }, "10 input tokens a minute, only 3 models"],
  ])("%j: %s", (limits, text) => {
    expect(describeLimits(limits)).toBe(text);
  });
});
