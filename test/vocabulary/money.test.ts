import { describe, expect, it } from "vitest";
import { formatUsd, nanosToUsd, writeUsd } from "../../src/vocabulary/money.ts";

describe("nanosToUsd()", () => {
  it.each([
    [600, 0, "0.0000006"],
    [600, 6, "0.0000006"],
    [2_500_000, 6, "0.002500"],
    [0, 0, "0"],
    [0, 2, "0.00"],
    [-1_500_000_000, 2, "-1.50"],
    [12_000_000_000, 0, "12"],
    [0.4, 0, "0"],
    [9_007_199_254_740_993n, 0, "9007199.254740993"],
  ])("writes %d nanos with at least %d decimals", (nanos, decimals, text) => {
    expect(nanosToUsd(nanos, decimals)).toBe(text);
  });
});

describe("writeUsd()", () => {
  it.each([
    [6e-7, "0.0000006"],
    [5, "5"],
    [0.1, "0.1"],
  ])("writes %d USD without an exponent", (usd, text) => {
    expect(writeUsd(usd)).toBe(text);
  });
});

describe("formatUsd()", () => {
  it.each([
    [600, "0.0000006 USD"],
    [12_300_000_000, "12.30 USD"],
  ])("writes %d nanos for a sentence", (nanos, text) => {
    expect(formatUsd(nanos)).toBe(text);
  });
});
