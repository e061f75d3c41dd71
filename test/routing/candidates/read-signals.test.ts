import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RANKED_SIGNALS } from "../../../src/hub/candidate-signals.ts";
import type { ArrivedAnswer } from "../../../src/inference/ports.ts";
import { readSignals } from "../../../src/routing/candidates/read-signals.ts";

const answer = (
  characters: number,
  changes: Partial<ArrivedAnswer> & { readonly isProven?: boolean } = {},
): ArrivedAnswer => {
  const { isProven = false, ...others } = changes;
  return {
    verdict: { failed: [], passed: 3, isComplete: true, isProven, isRetryable: false },
    conclusion: `${characters}`,
    words: new Map(),
    characters,
    isElsewhere: false,
    model: "m",
    ...others,
  };
};

describe("readSignals()", () => {
  it("holds each answer against the others", () => {
    const agreeing = { conclusion: "42" };
    const [first, second, third] = readSignals(
      [answer(99, { ...agreeing, isProven: true }), answer(199, { ...agreeing, isElsewhere: true }), answer(799)],
      { usualLogLength: Math.log(200) },
    );
    // The first two agree with one of two others each, the third with none: a third on average.
    expect(first?.agreement).toBeCloseTo(1 / 2 - 1 / 3, 10);
    expect(third?.agreement).toBeCloseTo(-1 / 3, 10);
    // The others have 499, 449 and 149 characters on average.
    expect(first?.length).toBeCloseTo(Math.log(100 / 500), 10);
    expect(second?.length).toBeCloseTo(Math.log(200 / 450), 10);
    expect(third?.length).toBeCloseTo(Math.log(800 / 150), 10);
    // From what is usual they are ln 2, 0 and ln 4 away: ln 2 on average.
    expect(first?.unusual).toBeCloseTo(0, 10);
    expect(second?.unusual).toBeCloseTo(-Math.log(2), 10);
    expect(third?.unusual).toBeCloseTo(Math.log(2), 10);
    expect([first, second, third].map((each) => each?.order)).toEqual([-1, 0, 1]);
    expect([first?.elsewhere, second?.elsewhere]).toEqual([-1 / 3, 1 - 1 / 3]);
    expect([first?.proven, third?.proven]).toEqual([1 - 1 / 3, -1 / 3]);
    expect(third?.characters).toBe(799);
  });

  it("compares how probable they were, where that is known of all of them", () => {
    const [one, other, last] = [-0.2, -0.5, -1.1].map((logProbability) => answer(99, { logProbability }));
    if (one === undefined || other === undefined || last === undefined) throw new Error("there are three");
    const known = readSignals([one, other, last], {}).map(({ confidence }) => confidence);
    for (const [at, expected] of [0.4, 0.1, -0.5].entries()) expect(known[at]).toBeCloseTo(expected, 10);
    const missing = readSignals([one, other, answer(99)], {}).map(({ confidence }) => confidence);
    expect(missing).toEqual([0, 0, 0]);
    const apart = readSignals([one, answer(99, { logProbability: -20 })], {});
    expect(apart.map(({ confidence }) => confidence)).toEqual([2, -2]);
  });

  it("compares what their models are expected to be worth, where that is known of all of them", () => {
    const worths = new Map([
      ["good", 0.8],
      ["fair", 0.5],
    ]);
    const modelsOf = (...models: string[]) =>
      readSignals(
        models.map((model) => answer(99, { model })),
        { worths },
      ).map(({ model }) => model);
    const [good = 0, fair = 0] = modelsOf("good", "fair");
    expect(good).toBeCloseTo(0.15, 10);
    expect(fair).toBeCloseTo(-0.15, 10);
    expect(modelsOf("fair", "fair")).toEqual([0, 0]);
    expect(modelsOf("good", "new")).toEqual([0, 0]);
    expect(readSignals([answer(99), answer(99)], {}).map(({ model }) => model)).toEqual([0, 0]);
  });

  it("takes nothing for usual while that is not known, and no length for more than seven times another", () => {
    const [one, other] = readSignals([answer(0), answer(1_000_000)], {});
    expect([one?.unusual, other?.unusual]).toEqual([0, 0]);
    expect([one?.length, other?.length]).toEqual([-2, 2]);
  });

  const answers = fc.array(fc.tuple(fc.nat(100_000), fc.boolean(), fc.boolean(), fc.constantFrom("a", "b", "c")), {
    minLength: 2,
    maxLength: 4,
  });

  it("is within its bounds, and the same for answers that are alike but for when they came", () => {
    fc.assert(
      fc.property(answers, fc.option(fc.double({ min: 0, max: 12, noNaN: true }), { nil: undefined }), (set, usual) => {
        const made = set.map(([characters, isProven, isElsewhere, conclusion]) =>
          answer(characters, { isProven, isElsewhere, conclusion }),
        );
        for (const signals of readSignals(made, { usualLogLength: usual })) {
          for (const name of RANKED_SIGNALS) expect(Math.abs(signals[name] ?? 9)).toBeLessThanOrEqual(2);
        }
        const [first] = made;
        if (first === undefined) return;
        for (const { order, characters, ...relative } of readSignals([first, { ...first }], {
          usualLogLength: usual,
        })) {
          expect(characters).toBe(first.characters);
          expect(Math.abs(order)).toBe(1);
          for (const value of Object.values(relative)) expect(value).toBeCloseTo(0, 10);
        }
      }),
    );
  });
});
