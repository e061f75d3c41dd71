import { describe, expect, it } from "vitest";
import { Accuracy } from "../../../src/learning/best-of-n/accuracy.ts";

/** So many answers that were preferred, and so many that were not, of which those parts were good. */
function measured(count: number, good: number, otherGood: number): Accuracy {
  const accuracy = new Accuracy();
  for (let at = 0; at < count; at++) {
    accuracy.add(1, at < count * good ? 1 : 0);
    accuracy.add(0, at < count * otherGood ? 1 : 0);
  }
  return accuracy;
}

describe("Accuracy", () => {
  it("knows nothing before anything was seen", () => {
    const { observations, value, low, high } = new Accuracy().figures;
    expect({ observations, value }).toEqual({ observations: 0, value: 0.5 });
    expect(low).toBeLessThan(0.02);
    expect(high).toBeGreaterThan(0.98);
  });

  it("says how often it is right where two answers differ", () => {
    // Of the preferred 80% are good, of the others 40%: of pairs that differ .48 / (.48 + .08) are right, and the
    // observations forget a little.
    const { value, low, high, observations } = measured(50, 0.8, 0.4).figures;
    expect(value).toBeGreaterThan(0.8);
    expect(value).toBeLessThan(0.88);
    expect(low).toBeGreaterThan(0.65);
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(observations).toBeGreaterThan(85);
    expect(observations).toBeLessThan(100);
  });

  it("has a narrower interval the more was seen", () => {
    const width = (count: number) => {
      const { low, high } = measured(count, 0.8, 0.4).figures;
      return high - low;
    };
    expect(width(10)).toBeGreaterThan(width(40));
    expect(width(40)).toBeGreaterThan(width(160));
  });

  it("is one half where what it prefers is as good as what it does not, and below where that is worse", () => {
    expect(measured(40, 0.5, 0.5).figures.value).toBeCloseTo(0.5, 2);
    expect(measured(40, 0.2, 0.8).figures.high).toBeLessThan(0.5);
  });

  it("goes by pairs of which both rewards were seen, once they tell more exactly", () => {
    const accuracy = measured(20, 0.8, 0.4);
    const before = accuracy.figures;
    expect(before.basis).toBe("draws");
    accuracy.addPair(1);
    // One pair says next to nothing.
    expect(accuracy.figures).toEqual(before);
    for (let at = 0; at < 39; at++) accuracy.addPair(Number(at % 4 !== 0));
    // 30 of 40 are right: odds of 30.5 to 10.5, which are off by a factor of exp(1.96 * sqrt(1 / 30.5 + 1 / 10.5)) =
    // 2.02; with what is forgotten.
    const { basis, observations, value, low, high } = accuracy.figures;
    expect(basis).toBe("pairs");
    expect(observations).toBeGreaterThan(38);
    expect(observations).toBeLessThan(40);
    expect(value).toBeCloseTo(30.5 / 41, 2);
    expect(low).toBeCloseTo(30.5 / 2.02 / (10.5 + 30.5 / 2.02), 2);
    expect(high).toBeCloseTo((30.5 * 2.02) / (10.5 + 30.5 * 2.02), 2);
  });

  it("takes rewards between 0 and 1, and parts of a preference", () => {
    const accuracy = new Accuracy();
    accuracy.add(0.5, 0.5);
    accuracy.addPair(0.5);
    expect(accuracy.toSnapshot()).toEqual({
      preferredSum: 0.25,
      preferredCount: 0.5,
      otherSum: 0.25,
      otherCount: 0.5,
      pairs: 1,
      rightPairs: 0.5,
    });
    expect(new Accuracy(accuracy.toSnapshot()).figures).toEqual(accuracy.figures);
  });
});
