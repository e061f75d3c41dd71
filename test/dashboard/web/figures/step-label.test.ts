import { describe, expect, it } from "vitest";
import { perStep, rangeLabel, stepLabels } from "../../../../src/dashboard/web/figures/step-label.ts";

const HOUR_MS = 3_600_000;
const END = Date.parse("2026-11-21T14:00:00Z");
const ZURICH = "Europe/Zurich";
const LOS_ANGELES = "America/Los_Angeles";

const bucketsOf = (...starts: number[]) => starts.map((startMs) => ({ startMs, isPartial: false }));

describe("stepLabels()", () => {
  it.each([
    { what: "an hour", rangeHours: 1, stepHours: 1 / 30, zurich: "15:00", losAngeles: "06:00" },
    { what: "a day", rangeHours: 24, stepHours: 1, zurich: "15:00", losAngeles: "06:00" },
    { what: "a week", rangeHours: 168, stepHours: 6, zurich: "21 Nov 15:00", losAngeles: "21 Nov 06:00" },
  ])("writes a step of $what by the viewer's clock", ({ rangeHours, stepHours, zurich, losAngeles }) => {
    const steps = { fromMs: END - rangeHours * HOUR_MS, toMs: END, stepMs: stepHours * HOUR_MS };
    expect(stepLabels(bucketsOf(END), steps, ZURICH)).toEqual([zurich]);
    expect(stepLabels(bucketsOf(END), steps, LOS_ANGELES)).toEqual([losAngeles]);
  });

  it.each([
    { what: "90 days", rangeHours: 2160, stepHours: 24, expected: "21 Nov" },
    { what: "a year", rangeHours: 8904, stepHours: 168, expected: "21 Nov 2026" },
  ])(
    "says that the days of $what are those of UTC, where the viewer has others",
    ({ rangeHours, stepHours, expected }) => {
      const steps = { fromMs: END - rangeHours * HOUR_MS, toMs: END, stepMs: stepHours * HOUR_MS };
      const day = Date.parse("2026-11-21T00:00:00Z");
      expect(stepLabels(bucketsOf(day), steps, LOS_ANGELES)).toEqual([`${expected} UTC`]);
      expect(stepLabels(bucketsOf(day), steps, ZURICH)).toEqual([`${expected} UTC`]);
      expect(stepLabels(bucketsOf(day), steps, "UTC")).toEqual([expected]);
    },
  );

  it("tells the hour that comes twice when clocks are set back", () => {
    const midnight = Date.parse("2026-10-25T00:00:00Z");
    const steps = { fromMs: midnight, toMs: midnight + 3 * HOUR_MS, stepMs: HOUR_MS };
    const labels = stepLabels(bucketsOf(midnight, midnight + HOUR_MS, midnight + 2 * HOUR_MS), steps, ZURICH);
    expect(labels).toEqual(["02:00 GMT+2", "02:00 GMT+1", "03:00"]);
  });

  it("marks what is not complete", () => {
    const steps = { fromMs: END - HOUR_MS, toMs: END, stepMs: HOUR_MS };
    expect(stepLabels([{ startMs: END, isPartial: true }], steps, "UTC")).toEqual(["14:00*"]);
  });
});

describe("perStep()", () => {
  it.each([
    [2 * 60_000, "per 2 minutes"],
    [HOUR_MS, "per hour"],
    [6 * HOUR_MS, "per 6 hours"],
    [24 * HOUR_MS, "per day (UTC)"],
    [168 * HOUR_MS, "per week (UTC)"],
  ])("%d ms", (stepMs, expected) => {
    expect(perStep(stepMs, ZURICH)).toBe(expected);
    expect(perStep(stepMs, "UTC")).toBe(expected.replace(" (UTC)", ""));
  });
});

describe("rangeLabel()", () => {
  it("is of the viewer's clock, and names its zone", () => {
    const label = "21 Nov 2026, 14:00 – 21 Nov 2026, 15:00 (Europe/Zurich, GMT+1)";
    expect(rangeLabel(END - HOUR_MS, END, ZURICH)).toBe(label);
    expect(rangeLabel(END - HOUR_MS, END, "UTC")).toBe("21 Nov 2026, 13:00 – 21 Nov 2026, 14:00 (UTC)");
  });
});
