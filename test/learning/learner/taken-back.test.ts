import { describe, expect, it } from "vitest";
import type { FeedbackEvent } from "../../../src/learning/events.ts";
import { learnBatch } from "../../../src/learning/learner/learn-batch.ts";
import { indexRules, listConstraints } from "../../../src/learning/learner/metric-settings.ts";
import { WorkloadModel } from "../../../src/learning/learner/workload-model.ts";

const SHAPE = {
  arms: ["base", "good"],
  base: "base",
  objective: "quality",
  feedback: "complete",
  guarded: [],
} as const;

const inferenceId = "0190a5a0-7d6e-7000-8000-00000000000a";
const TARGET = { model: "base", servedModel: "good", family: "a", endUserId: "ada" };

const say = (name: string, at: number, value = true): FeedbackEvent => ({
  kind: "feedback",
  id: `${at}`,
  inferenceId,
  attempt: null,
  projectId: "p",
  name,
  value,
  optimize: null,
  keyId: "k",
  atMs: at,
});

/** Tells what is said of one answer, beside what else is stored of it then. */
function tell(memory: WorkloadModel, event: FeedbackEvent, stored: readonly FeedbackEvent[]): void {
  learnBatch([event], {
    memoryOf: () => memory,
    repeated: new Set<string>(),
    others: new Map(),
    targets: new Map([[inferenceId, TARGET]]),
    values: new Map([[inferenceId, stored]]),
  });
}

const begin = () => WorkloadModel.begin({ projectId: "p", model: "base" }, SHAPE, {});
const rewardsOf = ({ state }: WorkloadModel) => Math.round(state.rewards * 1e9) / 1e9;

describe("learning of feedback that is taken back", () => {
  it("withdraws the reward", () => {
    const memory = begin();
    const thumb = say("helpful", 1, false);
    tell(memory, thumb, [thumb]);
    expect(rewardsOf(memory)).toBe(1);
    tell(memory, { ...thumb, isTakenBack: true }, []);
    expect(rewardsOf(memory)).toBe(0);
  });

  it("leaves the reward of what else was said, earlier or later", () => {
    const [first, later] = [say("helpful", 1, false), say("solved", 2)];
    for (const gone of [first, later]) {
      const memory = begin();
      tell(memory, first, [first]);
      tell(memory, later, [first, later]);
      const stays = gone === first ? later : first;
      tell(memory, { ...gone, isTakenBack: true }, [stays]);
      const alone = begin();
      tell(alone, stays, [stays]);
      expect(rewardsOf(memory)).toBe(1);
      const [one, other] = [memory, alone].map(({ state }) => JSON.stringify(state.seeFamily("a")));
      expect(one).toBe(other);
    }
  });

  it("takes off no more than was learned, however much is forgotten of a rater who says much", () => {
    const memory = begin();
    const answer = (at: number) => `0190a5a0-7d6e-7000-8000-${at.toString(16).padStart(12, "0")}`;
    const hear = (event: FeedbackEvent, endUserId: string): void => {
      const target = { ...TARGET, endUserId };
      const targets = new Map([[event.inferenceId, target]]);
      learnBatch([event], { memoryOf: () => memory, repeated: new Set<string>(), others: new Map(), targets });
    };
    for (let at = 0; at < 40; at++) hear({ ...say("ok", at), inferenceId: answer(at) }, `user ${at}`);
    const loud = Array.from({ length: 600 }, (_, at) => ({
      ...say("ok", 100 + at, false),
      inferenceId: answer(100 + at),
    }));
    for (const event of loud) hear(event, "loud");
    for (const event of loud) hear({ ...event, isTakenBack: true }, "loud");
    expect(memory.state.rewards).toBeGreaterThan(39.9);
  });
});

describe("learning of feedback that an operator removes", () => {
  it("leaves nothing of a flood in scales, names, voices, bounds and guards", () => {
    const metrics = [
      { name: "stars", atLeast: 2 },
      { name: "tone", weight: 0 },
    ];
    const shape = { ...SHAPE, guarded: ["metric:tone"], constraints: listConstraints(metrics) };
    const play = (isAttacked: boolean): WorkloadModel => {
      const memory = WorkloadModel.begin({ projectId: "p", model: "base" }, shape, {});
      memory.rules = indexRules(metrics);
      const tellOne = (event: FeedbackEvent, endUserId: string): void => {
        const targets = new Map([[event.inferenceId, { ...TARGET, endUserId }]]);
        learnBatch([event], { memoryOf: () => memory, repeated: new Set<string>(), others: new Map(), targets });
      };
      const on = (at: number) => `0190a5a0-7d6e-7000-8000-${at.toString(16).padStart(12, "0")}`;
      const event = (at: number, name: string, value: number) => ({
        ...say(name, at),
        value,
        inferenceId: on(at),
      });
      for (let at = 0; at < 30; at++) {
        tellOne(event(at, "stars", 1 + (at % 5)), `user ${at}`);
        tellOne(event(50 + at, "tone", at % 2), `user ${at}`);
      }
      if (!isAttacked) return memory;
      const hostile = ["stars", "tone", "noise"].map((name, at) => event(90 + at, name, 1e6));
      for (const each of hostile) tellOne(each, "mallory");
      expect(memory.metrics.toSnapshot().facts["noise"]).toBeDefined();
      for (const each of hostile) tellOne({ ...each, isTakenBack: true, isErased: true }, "mallory");
      return memory;
    };
    const [attacked, clean] = [play(true), play(false)];
    const { facts, ...scales } = attacked.metrics.toSnapshot();
    expect(scales).toEqual({ metrics: clean.metrics.toSnapshot().metrics });
    expect(Object.keys(facts)).toEqual(["stars", "tone"]);
    expect(attacked.voices.toSnapshot()).toEqual({
      ...clean.voices.toSnapshot(),
      latest: clean.voices.toSnapshot().latest.slice(3),
      // When rewards are next rated again goes by all numbers that ever came.
      votes: { ...clean.voices.votes.toSnapshot(), numbers: expect.anything() },
    });
    const figuresOf = ({ state }: WorkloadModel) => ({
      bound: state.constraints.map(({ counts, means }) => [...counts, ...means].map((each) => each.toFixed(6))),
      guard: [...state.guarded.values()].map(({ account }) => [...account.counts, ...account.sums]),
      counts: [...state.counts],
    });
    expect(figuresOf(attacked)).toEqual(figuresOf(clean));
  });
});
