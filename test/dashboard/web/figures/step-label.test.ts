import { describe, expect, it } from "vitest";
import { perStep, rangeLabel, stepLabel } from "../../../../src/dashboard/web/figures/step-label.ts";

const HOUR_MS = 3_600_000;
const END = Date.parse("2026-11-21T14:00:00Z");

describe("stepLabel()", () => {
  it.each([
    { what: "an hour", rangeHours: 1, stepHours: 1 / 30, expected: "14:00" },
    { what: "a day", rangeHours: 24, stepHours: 1, expected: "14:00" },
    { what: "a week", rangeHours: 168, stepHours: 6, expected: "21 Nov 14:00" },
    { what: "90 days", rangeHours: 2160, stepHours: 24, expected: "21 Nov" },
    { what: "a year", rangeHours: 8904, stepHours: 168, expected: "21 Nov 2026" },
  ])("writes a step of $what", ({ rangeHours, stepHours, expected }) => {
    const steps = { fromMs: END - rangeHours * HOUR_MS, toMs: END, stepMs: stepHours * HOUR_MS };
    expect(stepLabel(END, steps)).toBe(expected);
  });
});

describe("perStep()", () => {
  it.each([
    [2 * 60_000, "per 2 minutes"],
    [HOUR_MS, "per hour"],
    [6 * HOUR_MS, "per 6 hours"],
    [24 * HOUR_MS, "per day"],
    [168 * HOUR_MS, "per week"],
  ])("%d ms", (stepMs, expected) => {
    expect(perStep(stepMs)).toBe(expected);
  });
});

describe("rangeLabel()", () => {
  it("says that it is UTC", () => {
    expect(rangeLabel(END - HOUR_MS, END)).toBe("21 Nov 2026, 13:00 – 21 Nov 2026, 14:00 UTC");
  });
});
