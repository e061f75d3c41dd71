import { describe, expect, it } from "vitest";
import type { CheckedEvent, FeedbackEvent } from "../../../src/learning/events.ts";
import { learnBatch } from "../../../src/learning/learner/learn-batch.ts";
import { RaterVotes, votesFromWeights } from "../../../src/learning/learner/rater-votes.ts";
import { WorkloadModel } from "../../../src/learning/learner/workload-model.ts";

const KEY = { projectId: "p", model: "base" };
const SHAPE = {
  arms: ["base", "good"],
  base: "base",
  objective: "quality",
  feedback: "complete",
  guarded: [],
} as const;

/** What is said of answers of base, one after another. */
class Said {
  readonly memory = WorkloadModel.begin(KEY, SHAPE, {});
  #at = 0;

  /** Has a rater vote on a further answer; returns the id of the answer. */
  vote(rater: string, value: boolean | number): string {
    return this.voteOn(rater, { [typeof value === "number" ? "score" : "helpful"]: value });
  }

  /** The same of several metrics. */
  voteOn(rater: string, values: Readonly<Record<string, boolean | number>>): string {
    this.#at += 1;
    const inferenceId = `0190a5a0-7d6e-7000-8000-${String(this.#at).padStart(12, "0")}`;
    const facts = { kind: "feedback", projectId: "p", optimize: null, keyId: "k", attempt: null } as const;
    const events = Object.entries(values).map(([name, value], index): FeedbackEvent => {
      const id = `${String(this.#at).padStart(6, "0")}.${index}`;
      return { ...facts, name, id, inferenceId, value, atMs: this.#at };
    });
    const target = { model: "base", servedModel: "base", family: "a", endUserId: rater };
    this.#learn(events, new Map([[inferenceId, target]]));
    return inferenceId;
  }

  /** Has a judge grade an answer that was voted on. */
  grade(inferenceId: string, isGood: boolean, reward: number): void {
    const facts = { kind: "checked", id: "1", ...KEY, family: "a", servedModel: "base" } as const;
    this.#learn([{ ...facts, inferenceId, isGood, reward }], new Map());
  }

  #learn(
    events: readonly (FeedbackEvent | CheckedEvent)[],
    targets: Parameters<typeof learnBatch>[1]["targets"],
  ): void {
    learnBatch(events, { memoryOf: () => this.memory, repeated: new Set(), others: new Map(), targets });
  }
}

function heardOnce(raters: number): Said {
  const said = new Said();
  for (let at = 0; at < raters; at++) said.grade(said.vote(`user ${at}`, true), true, 1);
  return said;
}

describe("votes of one rater", () => {
  it("count for what the rater's votes count for now, the first sixteen of them too", () => {
    const said = heardOnce(20);
    const { state } = said.memory;
    for (let at = 0; at < 2; at++) said.vote("loud", false);
    expect([state.rewards, state.armSums[0], state.praises]).toEqual([22, 20, 20]);
    for (let at = 2; at < 20; at++) said.vote("loud", false);
    // Sixteen at the weight of the twentieth, .001, and four at that which they came with.
    const later = [17, 18, 19, 20].reduce((sum, n) => sum + (2 / n) ** 3, 0);
    expect(state.rewards).toBeCloseTo(20 + 16 * 0.001 + later, 9);
    expect(state.armSums[0]).toBeCloseTo(20, 9);
    expect(state.praises).toBeCloseTo(20, 9);
  });

  it("measure a judge by the same weight", () => {
    const said = heardOnce(20);
    const { grades } = said.memory.state;
    for (let at = 0; at < 2; at++) said.grade(said.vote("loud", false), true, 0);
    expect([grades.record.praised, grades.record.rejected, grades.pairs.alone.counts[0]]).toEqual([20, 2, 22]);
    for (let at = 2; at < 20; at++) said.vote("loud", false);
    expect(grades.record.praised).toBe(20);
    expect(grades.record.rejected).toBeCloseTo(0.002, 9);
    expect(grades.record.rejectedGood).toBeCloseTo(0.002, 9);
    expect(grades.pairs.alone.counts[0]).toBeCloseTo(20.002, 9);
  });

  it("count for more again where votes of others become usual", () => {
    const said = heardOnce(20);
    for (let at = 0; at < 4; at++) said.vote("loud", false);
    expect(said.memory.state.rewards).toBeCloseTo(20 + 4 / 8, 9);
    for (let round = 0; round < 3; round++) for (let at = 0; at < 20; at++) said.vote(`user ${at}`, true);
    // Four are usual now: six count fully.
    said.vote("loud", false);
    expect(said.memory.state.rewards).toBeCloseTo(80 + 5, 9);
  });

  it("go on as they were from what is stored", () => {
    const said = heardOnce(20);
    said.grade(said.vote("loud", false), true, 0);
    const again = WorkloadModel.restore(KEY, SHAPE, { snapshot: said.memory.toSnapshot(), version: 1 });
    expect(again.voices.votes.toSnapshot()).toEqual(said.memory.voices.votes.toSnapshot());
    // The first rater was the only one then, and is not weighed again.
    expect(again.voices.votes.toSnapshot().votes).toHaveLength(20);
  });
});

/** Has each of some raters give numbers by turns; returns what is said. */
function scored(values: readonly number[], raters = 40): Said {
  const said = new Said();
  for (let at = 0; at < raters; at++) said.vote(`user ${at}`, values[at % values.length] ?? 0);
  return said;
}

describe("numbers of one rater", () => {
  it("leave the scale as the rater's votes lose weight, and others' rewards are rated again", () => {
    const [honest, said] = [scored([1, 2, 3, 4, 5]), scored([1, 2, 3, 4, 5])];
    const worthOf = ({ memory }: Said) =>
      [1, 3, 5].map((value) => memory.metrics.worthAgain({ name: "score", value, direction: "max" }) ?? 0);
    const before = worthOf(said);
    for (let at = 0; at < 16; at++) said.vote("loud", at % 2 === 0 ? 1e300 : -1e300);
    // Sixteen votes of (2/16)^3 each.
    for (const [at, worth] of worthOf(said).entries()) expect(worth).toBeCloseTo(before[at] ?? 0, 2);
    for (let at = 0; at < 20; at++) for (const each of [said, honest]) each.vote(`other ${at}`, 1 + (at % 5));
    const meanOf = ({ memory: { state } }: Said) => (state.armSums[0] ?? 0) / (state.armCounts[0] ?? 1);
    expect(meanOf(said)).toBeCloseTo(meanOf(honest), 2);
  });

  it("make rewards that are what their values are worth by now, at the tenth vote among others", () => {
    const said = new Said();
    for (let at = 0; at < 10; at++) said.vote(`user ${at}`, at);
    const { state, metrics } = said.memory;
    const worthNow = (value: number) => metrics.worthAgain({ name: "score", value, direction: "max" }) ?? 0;
    const expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].reduce((sum, value) => sum + worthNow(value), 0);
    expect(state.armSums[0]).toBeCloseTo(expected, 9);
    expect(state.rewards).toBeCloseTo(10, 9);
  });

  it("are held against a judge by what they are worth by now", () => {
    const said = new Said();
    said.vote("first", 0);
    // The second number is above the first one, and the least of all that come.
    said.grade(said.vote("second", 1), true, 1);
    const { record } = said.memory.state.grades;
    expect([record.praised, record.rejected]).toEqual([1, 0]);
    for (let at = 0; at < 20; at++) said.vote(`user ${at}`, 5);
    expect([record.praised, record.rejected, record.rejectedGood]).toEqual([0, 1, 1]);
  });

  it("are part of a reward with booleans, which have no scale", () => {
    const said = new Said();
    for (let at = 0; at < 10; at++) said.voteOn(`user ${at}`, { score: at, helpful: at > 3 });
    const worthOf = (value: number) => said.memory.metrics.worthAgain({ name: "score", value, direction: "max" }) ?? 0;
    const expected = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].reduce(
      (sum, value) => sum + (worthOf(value) + Number(value > 3)) / 2,
      0,
    );
    expect(said.memory.state.armSums[0]).toBeCloseTo(expected, 9);
  });

  it("are kept of the four most used metrics, and go on as they were from what is stored", () => {
    const said = scored([1, 2, 3, 4, 5]);
    const junk = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x${at}`, at]));
    said.voteOn("loud", { ...junk, score: 1e300 });
    const { votes } = said.memory.voices.votes.toSnapshot();
    expect(votes.at(-1)?.[4]?.slice(4)).toEqual([
      [
        ["score", 1e300, null],
        ["x0", 0, null],
        ["x1", 1, null],
        ["x10", 10, null],
      ],
      true,
    ]);
    const again = WorkloadModel.restore(KEY, SHAPE, { snapshot: said.memory.toSnapshot(), version: 1 });
    expect(again.voices.votes.toSnapshot()).toEqual(said.memory.voices.votes.toSnapshot());
  });
});

describe("RaterVotes", () => {
  it("knows the weights that earlier versions stored", () => {
    const votes = new RaterVotes(votesFromWeights([["00000001", 0.25]]));
    expect(votes.weightOf("0190a5a0-7d6e-7000-8000-000000000001")).toBe(0.25);
  });

  it("keeps the latest 512, and knows that others were forgotten", () => {
    const votes = new RaterVotes();
    const id = (at: number) => `0190a5a0-${String(at).padStart(4, "0")}-7000-8000-${String(at).padStart(12, "0")}`;
    for (let at = 0; at < 600; at++) votes.keep(id(at), { rater: "r", weight: 0.25, isEarly: true });
    const again = new RaterVotes(votes.toSnapshot());
    expect([87, 88, 599].map((at) => again.weightOf(id(at)))).toEqual([undefined, 0.25, 0.25]);
    expect([87, 600].map((at) => again.mayHaveForgotten(id(at)))).toEqual([true, false]);
  });

  it("keeps the weight of a vote that changes", () => {
    const votes = new RaterVotes();
    votes.keep("answer 00000001", { rater: "r", weight: 0.25, isEarly: true });
    votes.keep("answer 00000001", { rater: "r", weight: 1, isEarly: false });
    expect(votes.weightOf("answer 00000001")).toBe(0.25);
  });
});
