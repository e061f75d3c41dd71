import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_BELIEFS, poolBeliefs, type Ranked, Ranker } from "../../../src/learning/best-of-n/ranker.ts";
import { sigmoid } from "../../../src/learning/best-of-n/sigmoid.ts";

const NONE: Ranked = {
  agreement: 0,
  length: 0,
  unusual: 0,
  order: 0,
  elsewhere: 0,
  proven: 0,
  confidence: 0,
  model: 0,
};
const lengthOf = ({ beliefs }: Ranker) => ({ weight: beliefs.weights[1] ?? 0, variance: beliefs.variances[1] ?? 0 });

describe("Ranker", () => {
  it("expects one half of everything before it has learned", () => {
    const ranker = Ranker.begin(NO_BELIEFS);
    expect(ranker.predict(NONE)).toBe(0.5);
    expect(ranker.predict({ ...NONE, length: 2, order: -1 })).toBe(0.5);
  });

  it("settles where the step and the new expectation fit", () => {
    // With the first weight and that of length, the doubt of an answer of length 1 is 4 + 4 (and a thousandth,
    // forgotten); so t = 8 (1 - sigmoid(t)) has to hold.
    const ranker = Ranker.begin(NO_BELIEFS);
    ranker.learn({ ...NONE, length: 1 }, 1, 1);
    const expected = ranker.predict({ ...NONE, length: 1 });
    const logit = Math.log(expected / (1 - expected));
    expect(logit).toBeCloseTo(8 * (1 - sigmoid(logit)), 2);
    // Both weights are equally unknown, and move alike.
    expect(lengthOf(ranker).weight).toBeCloseTo(logit / 2, 6);
    expect(lengthOf(ranker).variance).toBeLessThan(4);
  });

  it("finds the weight that rewards were made with", () => {
    const ranker = Ranker.begin(NO_BELIEFS);
    // Of 16 short answers 12 are good, of 16 long ones 4: odds of 3 and of 1/3.
    for (let round = 0; round < 40; round++) {
      for (let at = 0; at < 16; at++) {
        ranker.learn({ ...NONE, length: -1 }, at % 4 === 0 ? 0 : 1, 1);
        ranker.learn({ ...NONE, length: 1 }, at % 4 === 0 ? 1 : 0, 1);
      }
    }
    expect(lengthOf(ranker).weight).toBeCloseTo(-Math.log(3), 1);
    expect(ranker.predict({ ...NONE, length: -1 })).toBeCloseTo(0.75, 1);
    // Nothing was seen of the other signals.
    expect(ranker.beliefs.weights[0]).toBe(0);
    expect(ranker.beliefs.variances[0]).toBe(4);
  });

  it("goes on from its snapshot as if it had never stopped", () => {
    const [one, other] = [Ranker.begin(NO_BELIEFS), Ranker.begin(NO_BELIEFS)];
    const learn = (ranker: Ranker, at: number) =>
      ranker.learn({ ...NONE, length: Math.sin(at), order: Math.cos(at) }, at % 3 === 0 ? 1 : 0.25, 1);
    let restored = other;
    for (let at = 0; at < 60; at++) {
      learn(one, at);
      learn(restored, at);
      const next = Ranker.restore(JSON.parse(JSON.stringify(restored.toSnapshot())));
      if (next === undefined) throw new Error("the snapshot is of other signals");
      restored = next;
    }
    expect(restored.toSnapshot()).toEqual(one.toSnapshot());
  });

  it("is not restored where the signals were others", () => {
    expect(Ranker.restore({ weights: [0, 0], covariance: [1, 0, 0, 1] })).toBeUndefined();
  });

  it("goes on from what a version knew that did not look at models", () => {
    const ranker = Ranker.begin(NO_BELIEFS);
    for (let at = 0; at < 50; at++) ranker.learn({ ...NONE, length: at % 2 === 0 ? 1 : -1 }, at % 2, 1);
    const { weights, covariance } = ranker.toSnapshot();
    const size = weights.length;
    const before = {
      weights: weights.slice(0, -1),
      covariance: covariance.filter((_, at) => at % size < size - 1 && at < size * (size - 1)),
    };
    const restored = Ranker.restore(before);
    expect(restored?.predict({ ...NONE, length: 1 })).toBe(ranker.predict({ ...NONE, length: 1 }));
    expect(restored?.beliefs.variances.slice(0, -1)).toEqual(ranker.beliefs.variances.slice(0, -1));
    expect([restored?.beliefs.weights.at(-1), restored?.beliefs.variances.at(-1)]).toEqual([0, 4]);
    // What was written down by it has no such signal.
    const { model: _, ...written } = { ...NONE, length: 1 };
    expect(restored?.predict(written)).toBe(restored?.predict({ ...NONE, length: 1 }));
  });

  const signal = fc.double({ min: -2, max: 2, noNaN: true });
  const signals = fc.record({
    agreement: signal,
    length: signal,
    unusual: signal,
    order: signal,
    elsewhere: signal,
    proven: signal,
    confidence: signal,
    model: signal,
  });
  const lesson = fc.tuple(
    signals,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0.01, max: 4, noNaN: true }),
  );

  it("stays within its bounds whatever it is told, and moves towards each reward", () => {
    fc.assert(
      fc.property(fc.array(lesson, { maxLength: 60 }), lesson, (before, [own, reward, weight]) => {
        const ranker = Ranker.begin(NO_BELIEFS);
        for (const each of before) ranker.learn(...each);
        const expected = ranker.predict(own);
        ranker.learn(own, reward, weight);
        const after = ranker.predict(own);
        const isTowards = (after - expected) * (reward - expected) >= -1e-9;
        const { weights, variances } = ranker.beliefs;
        expect(weights.every((each) => Math.abs(each) <= 10)).toBe(true);
        expect(variances.every((each) => each >= 0 && each <= 4.1)).toBe(true);
        expect(isTowards || weights.some((each) => Math.abs(each) === 10)).toBe(true);
      }),
    );
  });
});

describe("poolBeliefs()", () => {
  const sure = (weight: number) => ({ weights: [0, weight, 0, 0, 0, 0, 0], variances: [4, 0.1, 4, 4, 4, 4, 4] });

  it("believes nothing without others", () => {
    expect(poolBeliefs([])).toEqual(NO_BELIEFS);
  });

  it("believes most of what others know surely and agree on, and stays in doubt of the rest", () => {
    const { weights, variances } = poolBeliefs([sure(-3), sure(-3), sure(-3)]);
    // 0.975 of what can be known is; each counts 0.975 / (0.1 + 0.5), and that nothing is known 1 / 4.
    expect(weights[1]).toBeCloseTo((-3 * 4.875) / 5.125, 10);
    expect(variances[1]).toBeCloseTo(0.5 + 1 / 5.125, 10);
    expect([weights[0], variances[0]]).toEqual([0, 4]);
  });

  it("believes little where others contradict each other", () => {
    const { weights, variances } = poolBeliefs([sure(-3), sure(3)]);
    expect(weights[1]).toBe(0);
    expect(variances[1]).toBe(4);
  });
});
