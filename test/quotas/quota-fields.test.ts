import { describe, expect, it } from "vitest";
import { LimitsSchema } from "../../gen/attune/admin/v1/limits_pb.ts";
import { QuotaRuleSchema } from "../../gen/attune/quota/v1/quota_pb.ts";
import { formatLimit, parseLimit, QUOTA_FIELD_NAMES, QUOTA_RULE_NAMES } from "../../src/quotas/quota-fields.ts";
import { quotaToMessage } from "../../src/quotas/quota-state.ts";

describe("QUOTA_FIELDS", () => {
  it("has a row for each limit of the proto, and no two rows one rule", () => {
    const limits = LimitsSchema.fields.map(({ localName }) => localName).filter((name) => name !== "models");
    expect([...QUOTA_FIELD_NAMES].sort()).toEqual(limits.sort());
    expect(QUOTA_RULE_NAMES).toHaveLength(QUOTA_FIELD_NAMES.length);
  });
});

describe("quotaToMessage()", () => {
  it("has a value of QuotaRule for each rule", () => {
    const told = QUOTA_RULE_NAMES.map(
      (rule) => quotaToMessage({ kind: "key", rule, limit: 1, used: 0, resetsAtMs: undefined }).rule,
    );
    const all = QuotaRuleSchema.values.map(({ number }) => number).filter((number) => number > 0);
    expect(told.sort()).toEqual(all.sort());
  });
});

describe("parseLimit()", () => {
  it.each([
    ["count", "0", 0],
    ["count", "1000000000000", 1_000_000_000_000],
    ["usd", "0", 0],
    ["usd", "0.1", 100_000_000],
    ["usd", "0.000000001", 1],
    ["usd", "100", 100_000_000_000],
    ["usd", "10.5", 10_500_000_000],
    ["usd", "999999.123456789", 999_999_123_456_789],
    ["usd", "1000000", 1_000_000_000_000_000],
  ] as const)("reads a %s of %s, and formatLimit() writes it again", (unit, text, limit) => {
    expect([parseLimit(unit, text), formatLimit(unit, limit)]).toEqual([limit, text]);
  });

  it.each([
    ["count", ["", "-1", "1.5", "1e3", " 1", "1000000000001"]],
    ["usd", ["", "-1", "0.0000000001", "1000000.1", "1e3", "$5", ".5"]],
  ] as const)("takes nothing else for a %s", (unit, texts) => {
    expect(texts.map((text) => parseLimit(unit, text))).toEqual(texts.map(() => undefined));
  });
});
