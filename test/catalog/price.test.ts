import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWholePicos, usdPerMillionToPicos } from "../../src/catalog/price.ts";

describe("usdPerMillionToPicos()", () => {
  it.each([
    [0, 0],
    [1, 1_000_000],
    [1.5625, 1_562_500],
    [0.1, 100_000],
    [0.000001, 1],
    [75, 75_000_000],
  ])("converts %d USD to %d picos", (usd, picos) => {
    expect(usdPerMillionToPicos(usd)).toBe(picos);
    expect(isWholePicos(usd)).toBe(true);
  });

  it("gives back every price of six decimals", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), (picos) => {
        const usd = Number(`${Math.floor(picos / 1e6)}.${String(picos % 1e6).padStart(6, "0")}`);
        return isWholePicos(usd) && usdPerMillionToPicos(usd) === picos;
      }),
    );
  });

  it.each([0.0000001, 1.00000001, Number.NaN])("has no whole picos for %d USD", (usd) => {
    expect(isWholePicos(usd)).toBe(false);
  });
});
