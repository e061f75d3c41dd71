import { describe, expect, it } from "vitest";
import { describeOwner, describeQuota, toWrittenQuota } from "../../src/quotas/describe-quota.ts";
import type { QuotaKind } from "../../src/quotas/quota.ts";

const settings = { outputTokensPerMinute: 0, costNanosPerDay: 1_500_000_000, models: ["a", "b"] };

describe("describeQuota()", () => {
  it("writes limits with the options of commands", () => {
    expect(describeQuota(settings)).toBe("output-tpm=0 usd-day=1.5 models=a,b");
    expect(describeQuota({})).toBe("");
  });
});

describe("toWrittenQuota()", () => {
  it("has the names and units of attune.yaml", () => {
    expect(toWrittenQuota(settings)).toEqual({ outputTokensPerMinute: 0, usdPerDay: 1.5, models: ["a", "b"] });
  });
});

describe("describeOwner()", () => {
  it.each([
    ["installation", "", "", "installation"],
    ["project", "", "", "each project"],
    ["project", "p", "", "project"],
    ["key", "p", "", "each key"],
    ["key", "p", "2b7c", "key 2b7c"],
    ["endUser", "", "", "each end user"],
    ["endUser", "p", "ada", "end user ada"],
    ["tag", "p", "team=search", "tag team=search"],
  ] as const satisfies readonly (readonly [QuotaKind, ...string[]])[])(
    "%s of %j, %j",
    (kind, projectId, name, text) => {
      expect(describeOwner({ kind, projectId, name })).toBe(text);
    },
  );
});
