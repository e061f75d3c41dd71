import { describe, expect, it } from "vitest";
import type { Counter } from "../../src/quotas/counter.ts";
import { type BudgetUse, createQuotaWatch, type QuotaWarning } from "../../src/quotas/quota-watch.ts";

const DAY_MS = 86_400_000;

function createWatched({ rule, endMs }: { readonly rule: string; readonly endMs?: number }) {
  const facts = { used: 0 };
  const counter = {
    subject: "key:2b7c",
    rule,
    limit: 1000,
    warnedEndMs: 0,
    reportedUse: undefined,
    usedByAll: () => facts.used,
    resetsAtMs: () => endMs,
  } as unknown as Counter;
  const warnings: QuotaWarning[] = [];
  const uses: (number | undefined)[] = [];
  const untils: number[] = [];
  const watch = createQuotaWatch({
    warnAt: () => 0.8,
    warn: (warning) => warnings.push(warning),
    report({ share, untilMs }: BudgetUse) {
      uses.push(share);
      untils.push(untilMs);
    },
  });
  const use = (used: number, nowMs = 0) => {
    facts.used = used;
    watch(counter, nowMs);
  };
  return { use, warnings, uses, untils };
}

describe("createQuotaWatch()", () => {
  it("reports each step of 5 hundredths that the use of a budget takes, until it is hardly used again", () => {
    const { use, warnings, uses, untils } = createWatched({ rule: "costNanosPerDay", endMs: DAY_MS });
    for (const used of [0, 99, 100, 149, 150, 840, 849, 1200, 50, 0]) use(used);
    expect(uses).toEqual([0.1, 0.15, 0.8, 1.2, undefined]);
    expect(new Set(untils)).toEqual(new Set([DAY_MS]));
    expect(warnings).toHaveLength(1);
  });

  it("reports a budget in all anew each day, for the day after too", () => {
    const { use, untils } = createWatched({ rule: "costNanosTotal" });
    for (const nowMs of [0, 10, DAY_MS, DAY_MS + 10]) use(900, nowMs);
    expect(untils).toEqual([2 * DAY_MS, 3 * DAY_MS]);
  });

  it("reports no limit that is not of money", () => {
    const { use, uses, warnings } = createWatched({ rule: "requestsPerMinute", endMs: 60_000 });
    use(900);
    expect(uses).toEqual([]);
    expect(warnings).toMatchObject([{ isBudget: false, used: 900 }]);
  });
});
