import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ArrivedAnswer } from "../../../src/inference/ports.ts";
import { chooseByRules } from "../../../src/routing/candidates/choose-by-rules.ts";
import { chooseCandidate } from "../../../src/routing/candidates/requested-candidates.ts";
import type { Selection } from "../../../src/routing/candidates/selection.ts";

const answer = (conclusion: string | undefined, characters: number, isBroken = false): ArrivedAnswer => ({
  verdict: {
    failed: isBroken ? (["cut"] as const) : [],
    passed: 3,
    isComplete: true,
    isProven: false,
    isRetryable: false,
  },
  conclusion,
  words: new Map(conclusion === undefined ? [["word", characters]] : []),
  characters,
  isElsewhere: false,
  model: "m",
});
/** Expects more the shorter an answer is. */
const shorter = (isProven: boolean): Selection["selector"] => ({
  predict: ({ length }) => 0.5 - length / 5,
  isProven,
  usualLogLength: undefined,
});
const drawing = (...draws: number[]) => {
  const left = [...draws];
  return () => left.shift() ?? 0.999;
};
const choose = (arrived: readonly ArrivedAnswer[], selection: Partial<Selection>, coming = 0, isStructured = false) =>
  chooseCandidate(arrived, coming, {
    isStructured,
    selection: { selector: shorter(true), acts: true, random: drawing(), ...selection },
  });
const LONG_AND_SHORT = [answer("a", 1000), answer("b", 500)];

describe("what was learned", () => {
  it("ranks answers that passed, once it has proved to be good, with the chance of each on record", () => {
    const choice = choose(LONG_AND_SHORT, { random: drawing(0.06) });
    expect(choice).toMatchObject({
      chosen: 1,
      answers: [
        { reason: "lower_rank", score: 0.5, ranking: { chance: 0.025, signals: { order: -1, characters: 1000 } } },
        { reason: "learned", score: 0.5, ranking: { chance: 0.975, signals: { order: 1, characters: 500 } } },
      ],
    });
    // ln(1001 / 501)
    expect(choice?.answers[0]?.ranking?.signals.length).toBeCloseTo(0.692, 3);
    expect(choice?.answers[1]?.ranking?.signals.length).toBeCloseTo(-0.692, 3);
    expect(choice?.answers[1]?.ranking?.expectedReward).toBeCloseTo(0.638, 3);
  });

  it("never prefers an answer that failed a check, nor is such a one drawn", () => {
    const arrived = [answer("a", 1000), answer("c", 800), answer("b", 10, true)];
    expect(choose(arrived, {})).toMatchObject({ chosen: 1, answers: [{}, {}, { reason: "lower_score" }] });
    expect(choose(arrived, {})?.answers[2]).not.toHaveProperty("ranking");
    expect(choose(arrived, { random: drawing(0.01, 0.99) })).toMatchObject({
      chosen: 1,
      answers: [{}, { reason: "random" }, {}],
    });
  });

  it("leaves a trial to chance alone, but for what failed a check", () => {
    const drawn = (at: number, isProven: boolean) =>
      choose(LONG_AND_SHORT, { selector: shorter(isProven), isTrial: true, random: drawing(0.98, at) });
    const first = [
      { reason: "random", ranking: { chance: 0.5 } },
      { reason: "not_drawn", ranking: { chance: 0.5 } },
    ];
    for (const isProven of [true, false]) {
      expect(drawn(0.49, isProven)).toMatchObject({ chosen: 0, answers: first });
      expect(drawn(0.5, isProven)).toMatchObject({ chosen: 1, answers: [...first].reverse() });
    }
    const broken = [answer("a", 1000, true), answer("b", 500)];
    expect(choose(broken, { isTrial: true, random: drawing(0, 0) })).toMatchObject({ chosen: 1 });
  });

  it("leaves one of twenty choices to chance", () => {
    expect(choose(LONG_AND_SHORT, { random: drawing(0.049, 0.2) })).toMatchObject({
      chosen: 0,
      answers: [
        { reason: "random", ranking: { chance: 0.025 } },
        { reason: "not_drawn", ranking: { chance: 0.975 } },
      ],
    });
  });

  it("does not change what is clear: the first of the form, and a majority", () => {
    const proven = { ...answer("x", 900), verdict: { ...answer("x", 9).verdict, isProven: true } };
    expect(choose([proven, answer("y", 10)], {}, 1, true)).toMatchObject({
      chosen: 0,
      answers: [{ reason: "first_to_pass", ranking: { chance: 1 } }, { ranking: { chance: 0 } }],
    });
    const majority = [answer("a", 900), answer("a", 800), answer("b", 10)];
    expect(choose(majority, { random: drawing(0) })).toMatchObject({
      chosen: 0,
      answers: [{ reason: "majority" }, {}, {}],
    });
  });

  it("leaves equals to chance before it is proven, and else one of ten choices", () => {
    const unproven = { selector: shorter(false) };
    expect(choose(LONG_AND_SHORT, { ...unproven, random: drawing(0.9, 0.7) })).toMatchObject({
      chosen: 1,
      answers: [
        { reason: "not_drawn", ranking: { chance: 0.5 } },
        { reason: "random", ranking: { chance: 0.5 } },
      ],
    });
    // The first two have words in common, the third has none.
    const unlike = [answer(undefined, 3), answer(undefined, 5), answer("c", 4)];
    expect(choose(unlike, { ...unproven, random: drawing(0.11) })).toMatchObject({
      chosen: 0,
      answers: [{ reason: "first_of_equals" }, {}, {}],
    });
    const drawn = choose(unlike, { selector: undefined, random: drawing(0.09, 0.99) });
    expect(drawn).toMatchObject({ chosen: 2, answers: [{ reason: "not_drawn" }, {}, { reason: "random" }] });
    expect(drawn?.answers[2]?.ranking?.chance).toBeCloseTo(0.1 / 3, 10);
    expect(drawn?.answers[2]?.ranking?.expectedReward).toBeUndefined();
  });

  const sets = fc.array(fc.tuple(fc.constantFrom("a", "b", undefined), fc.nat(3000), fc.boolean()), {
    minLength: 1,
    maxLength: 4,
  });
  const arrivals = sets.map((set) => set.map((each) => answer(...each)));

  it("changes nothing where it only watches", () => {
    fc.assert(
      fc.property(arrivals, fc.boolean(), fc.nat(2), (arrived, isProven, coming) => {
        const byRules = chooseByRules(arrived, coming, false);
        const choice = choose(arrived, { selector: shorter(isProven), acts: false, random: drawing(0, 0) }, coming);
        expect(choice?.chosen).toBe(byRules?.chosen);
        expect(choice?.answers[choice.chosen]?.reason).toBe(byRules?.why);
      }),
    );
  });

  it("gives answers that passed chances that are one together, and the others none", () => {
    fc.assert(
      fc.property(arrivals, fc.boolean(), fc.double({ min: 0, max: 0.999, noNaN: true }), (arrived, isProven, draw) => {
        const choice = choose(arrived, { selector: shorter(isProven), random: () => draw });
        const passed = arrived.filter(({ verdict }) => verdict.failed.length === 0).length;
        const chances = (choice?.answers ?? []).map(({ ranking }) => ranking?.chance);
        expect(chances.filter((chance) => chance !== undefined)).toHaveLength(passed > 1 ? passed : 0);
        if (passed < 2) return;
        expect(chances.reduce<number>((sum, chance = 0) => sum + chance, 0)).toBeCloseTo(1, 10);
        expect(chances[choice?.chosen ?? -1]).toBeGreaterThan(0);
        expect(arrived[choice?.chosen ?? -1]?.verdict.failed).toEqual([]);
      }),
    );
  });
});
