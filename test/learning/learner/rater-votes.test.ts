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
  vote(rater: string, value: boolean): string {
    this.#at += 1;
    const inferenceId = `0190a5a0-7d6e-7000-8000-${String(this.#at).padStart(12, "0")}`;
    const facts = { kind: "feedback", projectId: "p", name: "helpful", optimize: null, keyId: "k" } as const;
    const id = String(this.#at).padStart(6, "0");
    const event: FeedbackEvent = { ...facts, id, inferenceId, attempt: null, value, atMs: this.#at };
    const target = { model: "base", servedModel: "base", family: "a", endUserId: rater };
    this.#learn(event, new Map([[inferenceId, target]]));
    return inferenceId;
  }

  /** Has a judge grade an answer that was voted on. */
  grade(inferenceId: string, isGood: boolean, reward: number): void {
    const facts = { kind: "checked", id: "1", ...KEY, family: "a", servedModel: "base" } as const;
    this.#learn({ ...facts, inferenceId, isGood, reward }, new Map());
  }

  #learn(event: FeedbackEvent | CheckedEvent, targets: Parameters<typeof learnBatch>[1]["targets"]): void {
    learnBatch([event], { memoryOf: () => this.memory, repeated: new Set(), others: new Map(), targets });
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
