import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MetricScale } from "../../../src/learning/learner/metric-scale.ts";

const base = { weight: 1, isBase: true };
const other = { weight: 1, isBase: false };

/** Stars of a base that earns 1 to 3, and of a model that earns 4 or 5. */
function starred(ofBase: number, ofOther: number): MetricScale {
  const scale = new MetricScale();
  for (let at = 0; at < ofBase; at++) scale.add(1 + (at % 3), base);
  for (let at = 0; at < ofOther; at++) scale.add(4 + (at % 2), other);
  return scale;
}

describe("MetricScale", () => {
  it("has the answers of a better model seem no poorer, however many of them are served", () => {
    const even = [1, 2, 3, 4, 5].map((value) => starred(300, 300).positionOf(value));
    for (const served of [600, 3000, 9000]) {
      const now = [1, 2, 3, 4, 5].map((value) => starred(300, served).positionOf(value));
      for (const [at, position] of now.entries()) expect(position).toBeCloseTo(even[at] ?? Number.NaN, 2);
      // Each of the better model is worth more than one half, and none of base.
      expect(now.map((position) => position > 0.5)).toEqual([false, false, false, true, true]);
    }
  });

  it("is of base alone where nothing else answers, and of others alone where base does not", () => {
    expect([1, 3].map((value) => starred(300, 0).positionOf(value))).toEqual([0, 1]);
    expect([4, 5].map((value) => starred(0, 300).positionOf(value))).toEqual([0, 1]);
  });

  it("goes by what is known best where one side is hardly known", () => {
    const scale = starred(1000, 0);
    scale.add(1e300, other);
    expect([1, 3].map((value) => Math.round(10 * scale.positionOf(value)))).toEqual([0, 10]);
  });

  it("moves by no more than 12 k / n for k hostile values among n of either side", () => {
    const values = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 100, maxLength: 200 });
    const hostile = fc.array(fc.constantFrom(-1e300, -7, 0, 3, 9, 1e300), { maxLength: 8 });
    fc.assert(
      fc.property(values, values, hostile, fc.boolean(), (ofBase, ofOthers, sent, isBase) => {
        const scale = new MetricScale();
        for (const value of ofBase) scale.add(value, base);
        for (const value of ofOthers) scale.add(value, other);
        const before = [1, 2, 3, 4, 5].map((value) => scale.positionOf(value));
        for (const value of sent) scale.add(value, { weight: 1, isBase });
        const most = (12 * sent.length) / ((isBase ? ofBase : ofOthers).length + sent.length);
        for (const [at, value] of [1, 2, 3, 4, 5].entries())
          expect(Math.abs(scale.positionOf(value) - (before[at] ?? 0))).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("takes values off again, and is what it was after a restart", () => {
    const scale = starred(300, 300);
    const positions = [1, 2, 3, 4, 5].map((value) => scale.positionOf(value));
    for (let at = 0; at < 50; at++) scale.add(9, other);
    for (let at = 0; at < 50; at++) scale.remove(9, other);
    expect([1, 2, 3, 4, 5].map((value) => scale.positionOf(value))).toEqual(positions);
    const again = new MetricScale(JSON.parse(JSON.stringify(scale.toSnapshot())));
    expect([1, 2, 3, 4, 5].map((value) => again.positionOf(value))).toEqual(positions);
  });

  it("is the same whether values lie exactly or between bins", () => {
    const [exact, many] = [new MetricScale(), new MetricScale()];
    for (let at = 0; at < 3000; at++) {
      exact.add(Math.floor((at % 300) / 10), at % 2 === 0 ? base : other);
      many.add((at % 300) / 10, at % 2 === 0 ? base : other);
    }
    for (const value of [3, 9, 15, 21, 27]) expect(many.positionOf(value)).toBeCloseTo(exact.positionOf(value), 1);
  });
});
