import { describe, expect, it } from "vitest";
import { writeAhead, writeWorthInterval } from "../../../../../src/dashboard/features/workloads/web/write-worth.ts";

describe("writeWorthInterval()", () => {
  it.each([
    // An estimate may be beyond what a reward can be.
    [1.02, 0.219, "1.00 (0.59 – 1.00)"],
    [0.5, 0.1, "0.50 (0.30 – 0.70)"],
    [-0.01, 0.1, "0.00 (0.00 – 0.19)"],
  ])("writes %s ± 1.96 * %s as a reward from 0 to 1", (worth, doubt, text) => {
    expect(writeWorthInterval(worth, doubt)).toBe(text);
  });
});

describe("writeAhead()", () => {
  it.each([
    [{ worth: 0.12, low: 0.03, high: 0.21 }, "+0.12 (+0.03 – +0.21)"],
    // Before the first reward, the spread is wider than rewards are.
    [{ worth: -0.03, low: -1.57, high: 1.52 }, "-0.03 (-1.00 – +1.00)"],
  ])("writes a lead with its interval, within what rewards can be apart: %o", (estimate, text) => {
    expect(writeAhead(estimate)).toBe(text);
  });
});
