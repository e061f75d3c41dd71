import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JudgedAnswer } from "../../../src/inference/attempts/candidates.ts";
import type { AnswerVerdict } from "../../../src/inference/ports.ts";
import { chooseByRules } from "../../../src/routing/candidates/choose-by-rules.ts";

const judged = (conclusion: string | undefined, verdict: Partial<AnswerVerdict> = {}): JudgedAnswer => ({
  verdict: { failed: [], passed: 3, isComplete: true, isProven: false, isRetryable: false, ...verdict },
  conclusion,
  words: new Map(conclusion === undefined ? [["word", 3]] : []),
  characters: 12,
});
const broken = (conclusion?: string): JudgedAnswer => judged(conclusion, { failed: ["invalid_json"], passed: 3 });
const proven = (conclusion?: string): JudgedAnswer => judged(conclusion, { passed: 5, isProven: true });

const FREE = false;
const STRUCTURED = true;

describe("chooseByRules()", () => {
  it("takes the only one", () => {
    expect(chooseByRules([judged("a")], 0, FREE)).toEqual({ chosen: 0, why: "only_answer", scores: [0.5] });
    expect(chooseByRules([], 2, FREE)).toBeUndefined();
  });

  it("waits for nobody once one has the form that was asked for", () => {
    expect(chooseByRules([broken(), proven()], 2, STRUCTURED)).toMatchObject({ chosen: 1, why: "first_to_pass" });
    expect(chooseByRules([broken()], 1, STRUCTURED)).toBeUndefined();
    // Passed, but nothing of it was held against a schema.
    expect(chooseByRules([judged("a")], 1, STRUCTURED)).toBeUndefined();
    expect(chooseByRules([proven("a")], 1, FREE)).toBeUndefined();
    expect(chooseByRules([judged("a", { isProven: true, isComplete: false })], 1, STRUCTURED)).toBeUndefined();
  });

  it("waits for nobody once more than half have come to the same", () => {
    expect(chooseByRules([judged("a"), judged("b"), judged("b")], 1, FREE)).toBeUndefined();
    expect(chooseByRules([judged("a"), judged("b"), judged("b")], 0, FREE)).toEqual({
      chosen: 1,
      why: "majority",
      scores: [0.5, 0.75, 0.75],
    });
    expect(chooseByRules([judged("b"), judged("b")], 1, FREE)).toMatchObject({ chosen: 0, why: "majority" });
    // Texts that come to no conclusion are no majority, however alike.
    expect(chooseByRules([judged(undefined), judged(undefined)], 1, FREE)).toBeUndefined();
  });

  it("prefers what passed its checks to what agrees, and of what did not what passed more", () => {
    expect(chooseByRules([broken("a"), broken("a"), judged("b")], 0, FREE)).toEqual({
      chosen: 2,
      why: "highest_score",
      scores: [0.375, 0.375, 0.5],
    });
    const closer = judged(undefined, { failed: ["schema_mismatch"], passed: 4 });
    expect(chooseByRules([broken("a"), closer], 0, FREE)).toMatchObject({ chosen: 1, scores: [0.375, 0.4] });
  });

  it("takes of equals the one that came first", () => {
    expect(chooseByRules([judged("a"), judged("b")], 0, FREE)).toMatchObject({ chosen: 0, why: "first_of_equals" });
  });
});

const answers = fc.record({
  conclusion: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
  words: fc.dictionary(fc.constantFrom("u", "v", "w"), fc.integer({ min: 1, max: 9 })),
  failed: fc.constantFrom([], [], ["cut"] as const, ["invalid_json"] as const),
  isProven: fc.boolean(),
});
const sets = fc.array(
  answers.map(
    ({ conclusion, words, failed, isProven }): JudgedAnswer => ({
      ...judged(conclusion, { failed: [...failed], isProven: isProven && failed.length === 0 }),
      words: new Map(conclusion === undefined ? Object.entries(words) : []),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);
const rules = fc.constantFrom(FREE, STRUCTURED);

describe("a set that is complete", () => {
  it("is scored the same in whatever order it came, and the best of it is chosen", () => {
    const shuffled = sets.chain((set) =>
      fc.tuple(fc.constant(set), fc.shuffledSubarray(set, { minLength: set.length })),
    );
    fc.assert(
      fc.property(shuffled, rules, ([set, other], asked) => {
        const [one, two] = [chooseByRules(set, 0, asked), chooseByRules(other, 0, asked)];
        const byAnswer = new Map(set.map((answer, at) => [answer, one?.scores[at]]));
        expect(other.map((answer) => byAnswer.get(answer))).toEqual(two?.scores);
        expect(one?.scores[one.chosen]).toBe(Math.max(...(one?.scores ?? [])));
        expect(one?.scores[one.chosen]).toBe(two?.scores[two.chosen]);
        for (const [at, score] of (one?.scores ?? []).entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(score < 0.5).toBe(set[at]?.verdict.failed.length !== 0);
        }
      }),
    );
  });

  it("goes with the majority, also where not all of it has come", () => {
    const withMajority = fc.tuple(sets, fc.integer({ min: 0, max: 2 })).map(([others, coming]) => ({
      coming,
      set: [...others, ...Array.from({ length: others.length + coming + 1 }, () => judged("agreed"))],
    }));
    fc.assert(
      fc.property(withMajority, ({ set, coming }) => {
        const choice = chooseByRules(set, coming, FREE);
        expect(choice?.why).toBe("majority");
        expect(set[choice?.chosen ?? -1]?.conclusion).toBe("agreed");
      }),
    );
  });
});
