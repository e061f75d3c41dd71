import { describe, expect, it } from "vitest";
import { forecastBudget } from "../../../../src/dashboard/features/spend/forecast.ts";

const NOON = Date.parse("2026-11-10T12:00:00Z");
const HOUR_MS = 3_600_000;

describe("forecastBudget()", () => {
  it.each([
    // 24 an hour since the day before began, 36 hours ago: the 48 that are left last two hours.
    ["costNanosPerDay", { limit: 100, spent: 52, ofPace: 864 }, { leftNanos: 48, reachedAtMs: NOON + 2 * HOUR_MS }],
    // 1 an hour: it begins anew before.
    ["costNanosPerDay", { limit: 100, spent: 52, ofPace: 36 }, { leftNanos: 48, reachedAtMs: null }],
    ["costNanosPerMonth", { limit: 100, spent: 120, ofPace: 0 }, { leftNanos: 0, reachedAtMs: NOON }],
    // 1 an hour since seven days and a half ago.
    ["costNanosTotal", { limit: 100, spent: 90, ofPace: 180 }, { leftNanos: 10, reachedAtMs: NOON + 10 * HOUR_MS }],
    ["costNanosTotal", { limit: 100, spent: 90, ofPace: 0 }, { leftNanos: 10, reachedAtMs: null, resetsAtMs: null }],
  ] as const)("of %s with %j", (rule, used, expected) => {
    expect(forecastBudget(rule, used, NOON)).toMatchObject(expected);
  });
});
