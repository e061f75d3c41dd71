import { describe, expect, it } from "vitest";
import { measureSafety } from "../../bench/policy/safety.ts";

/**
 * The short form of `npm run bench:policy -- --safety`, whose thousand streams of twice the length are held to 5% and
 * 95%.
 */
const SHORT = { streams: 600, steps: 1000, families: 4, others: 4, believed: undefined };

describe("the guard", () => {
  it("seldom leaves base for others that are just as good", () => {
    expect(measureSafety({ ...SHORT, harm: 0 }).mostlyDeviating).toBeLessThanOrEqual(0.05);
  });

  it("keeps the loss below a hundredth where all others are worse by a tenth", () => {
    expect(measureSafety({ ...SHORT, harm: 0.1 }).withinHundredth).toBeGreaterThanOrEqual(0.95);
  });

  it("keeps the loss low also where they are believed to be better", () => {
    expect(measureSafety({ ...SHORT, harm: 0.1, believed: 0.05 }).withinHundredth).toBeGreaterThanOrEqual(0.9);
  });

  it("keeps it low where there are many families, each with a few rewards", () => {
    expect(measureSafety({ ...SHORT, harm: 0.1, families: 60 }).withinHundredth).toBeGreaterThanOrEqual(0.95);
  });
});
