import { describe, expect, it } from "vitest";
import type { AnswerFeatures } from "../../../src/learning/equivalence/answer-features.ts";
import { compareAnswers } from "../../../src/learning/equivalence/compare-answers.ts";
import {
  addComparison,
  findDifference,
  NO_EVIDENCE,
  reportEvidence,
} from "../../../src/learning/equivalence/evidence.ts";
import { audit, type SimulatedModel } from "./simulated-answers.ts";

const EQUAL = (): SimulatedModel => ({});
const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

describe("findDifference()", () => {
  it("takes no equal deployment for a different one in runs over 2,000 samples, looked at after each", () => {
    // Of the thousand runs of evidence.slow.ts, fewer than ten may be.
    const runs = seedsFrom(1, 60).map((seed) => audit(EQUAL, { seed, samples: 2000 }).foundAfter);
    expect(runs.filter((found) => found !== undefined)).toEqual([]);
  }, 60_000);

  it.each<readonly [string, SimulatedModel]>([
    ["answers a third longer", { length: 1.33 }],
    ["answers shorter", { length: 0.75 }],
    ["cuts off a third of its answers", { cut: 0.35 }],
    ["calls another tool half the time", { otherTool: 0.55 }],
    ["chooses a fifth of its words otherwise", { words: 0.2 }],
    ["differs a little in everything", { length: 1.15, cut: 0.16, otherTool: 0.3, words: 0.1 }],
  ])("finds a model that %s within 500 samples", (_, model) => {
    const runs = seedsFrom(1000, 60).map((seed) => audit(() => model, { seed, samples: 500 }).foundAfter);
    expect(runs.filter((found) => found === undefined).length).toBeLessThanOrEqual(1);
  });

  it("finds one that becomes different after thousands of samples within 500 more", () => {
    const change = 3000;
    const model = (sample: number): SimulatedModel => (sample > change ? { length: 1.33, words: 0.2 } : {});
    for (const seed of seedsFrom(2000, 8)) {
      const { foundAfter = Number.POSITIVE_INFINITY } = audit(model, { seed, samples: change + 500 });
      expect(foundAfter).toBeGreaterThan(change);
      expect(foundAfter).toBeLessThanOrEqual(change + 500);
    }
  });

  it("takes no notice of what differs by less than matters, however many samples are sure of it", () => {
    // 52% of answers are longer: 3,000 samples of each kind would convict a coin that is not asked how far it is bent.
    let evidence = NO_EVIDENCE;
    for (let sample = 0; sample < 20_000; sample++) {
      const isHit = sample % 100 < 52;
      evidence = addComparison(evidence, {
        tosses: [{ measure: "length", coin: 0, isHit }],
        hasNull: false,
        distance: 0,
      });
    }
    expect(reportEvidence(evidence).measures[0]?.eValue).toBeGreaterThan(2000);
    expect(findDifference(evidence)).toBeUndefined();
  });

  it("says by what it differs, after how many samples, and how unlikely that is by chance", () => {
    const { evidence, foundAfter } = audit(() => ({ length: 2 }), { seed: 7, samples: 500 });
    const difference = findDifference(evidence);
    expect(difference).toMatchObject({ by: ["length", "spread"], samples: foundAfter });
    expect(difference?.pValue).toBeLessThanOrEqual(1 / 2000);
  });
});

const features = (
  exact: string,
  length: number,
  pieces: number[],
  more: Partial<AnswerFeatures> = {},
): AnswerFeatures => ({
  exact,
  length,
  finish: 1,
  tools: 0,
  pieces: Uint32Array.from(pieces),
  ...more,
});

describe("compareAnswers()", () => {
  const base = features("a", 100, [1, 2, 3, 4]);

  it("tosses no coin where a deployment answers as base does", () => {
    expect(compareAnswers({ deployed: base, base, baseAgain: base, isDeterministic: true })).toEqual({
      tosses: [],
      hasNull: true,
      isMatch: true,
      isBaseMatch: true,
      distance: 0,
      baseDistance: 0,
    });
  });

  it("compares pairs by length, finish reason and tools", () => {
    const deployed = features("b", 90, [1, 2, 5, 6], { finish: 3, tools: 4 });
    expect(compareAnswers({ deployed, base, isDeterministic: false })).toEqual({
      tosses: [
        { measure: "length", coin: 0, isHit: false },
        { measure: "finish", coin: 3, isHit: true },
        { measure: "finish", coin: 1, isHit: false },
        { measure: "tools", coin: 4, isHit: true },
        { measure: "tools", coin: 0, isHit: false },
      ],
      isMatch: undefined,
      hasNull: false,
      // Two of six pieces in common.
      distance: 1 - 2 / 6,
    });
  });

  it("finds the odd one out of three", () => {
    const near = features("c", 101, [1, 2, 3, 5]);
    const far = features("d", 300, [7, 8, 9, 10]);
    const odd = (deployed: AnswerFeatures, one: AnswerFeatures, other: AnswerFeatures) =>
      compareAnswers({ deployed, base: one, baseAgain: other, isDeterministic: true }).tosses.filter(
        ({ measure }) => measure === "text" || measure === "spread",
      );
    expect(odd(far, base, near).map(({ isHit }) => isHit)).toEqual([true, true]);
    expect(odd(near, base, far).map(({ isHit }) => isHit)).toEqual([false, false]);
  });

  it("leaves out where all three differ alike", () => {
    const [one, other, third] = [features("a", 1, [1]), features("b", 2, [2]), features("c", 3, [3])];
    const { tosses } = compareAnswers({ deployed: one, base: other, baseAgain: third, isDeterministic: true });
    expect(tosses.filter(({ measure }) => measure !== "length")).toEqual([]);
  });
});

describe("reportEvidence()", () => {
  it("reports what was matched, beside what base matches of itself, with intervals", () => {
    let evidence = NO_EVIDENCE;
    for (let sample = 0; sample < 100; sample++) {
      evidence = addComparison(evidence, {
        tosses: [],
        hasNull: true,
        isMatch: sample % 10 !== 0,
        isBaseMatch: sample % 20 !== 0,
        distance: 0.2,
        baseDistance: 0.1,
      });
    }
    const report = reportEvidence(evidence);
    expect(report).toMatchObject({ samples: 100, nulls: 100, matchCount: 100, baseMatchCount: 100 });
    expect(report.match.estimate).toBe(0.9);
    expect(report.match.low).toBeGreaterThan(0.75);
    expect(report.match.high).toBeLessThan(0.98);
    expect(report.baseMatch.estimate).toBe(0.95);
    expect(report.distance).toBeCloseTo(0.2, 10);
    expect(report.baseDistance).toBeCloseTo(0.1, 10);
  });
});
