import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../src/learning/bandit/decide.ts";
import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import type { FeedbackEvent } from "../../src/learning/events.ts";
import { learnBatch } from "../../src/learning/learner/learn-batch.ts";
import { WorkloadModel } from "../../src/learning/learner/workload-model.ts";

const KEY = { projectId: "p", model: "base" };
const SHAPE = {
  arms: ["base", "good"],
  base: "base",
  objective: "quality",
  feedback: "complete",
  guarded: [],
} as const;

interface Skill {
  readonly correct: number;
  readonly latency: (random: SeededRandom) => number;
}

/** Plays calls whose callers say after each whether it was right (up) and how long it took (down). */
function shareOfGood(skills: Readonly<Record<string, Skill>>, calls: number): number {
  const memory = WorkloadModel.begin(KEY, SHAPE, {});
  const random = new SeededRandom(36);
  const decision = new Decision(2);
  let good = 0;
  for (let at = 0; at < calls; at++) {
    const family = memory.state.families.find("a") ?? -1;
    decide(memory.state, { family, eligible: Uint8Array.of(1, 1), seed: random.bits() }, decision);
    const servedModel = SHAPE.arms[decision.arm] ?? "base";
    if (at >= calls / 2) good += decision.arm;
    const { correct, latency } = skills[servedModel] ?? { correct: 0, latency: () => 0 };
    const said = { kind: "feedback", projectId: "p", inferenceId: String(at), attempt: null, atMs: at } as const;
    const values: FeedbackEvent[] = [
      { ...said, id: `${at}-0`, name: "correct", value: random.uniform() < correct, optimize: "max" },
      { ...said, id: `${at}-1`, name: "latency", value: latency(random), optimize: "min" },
    ];
    learnBatch(values, {
      memoryOf: () => memory,
      targets: new Map([[String(at), { model: "base", servedModel, family: "a" }]]),
      repeated: new Set(),
      others: new Map(),
    });
  }
  return good / (calls / 2);
}

describe("correctness up and latency down: 25 ms against 2 ms", () => {
  const around = (ms: number, spread: number) => (random: SeededRandom) => Math.max(0, ms + spread * random.normal());

  it("finds the model that is right more often, where nothing is slow", () => {
    const skills = {
      base: { correct: 0.6, latency: around(2, 0.3) },
      good: { correct: 0.95, latency: around(25, 2) },
    };
    expect(shareOfGood(skills, 2000)).toBeGreaterThan(0.9);
  });

  it("finds it where one answer in twenty takes half a second", () => {
    const tailed = (ms: number) => (random: SeededRandom) =>
      random.uniform() < 0.05 ? around(500, 50)(random) : around(ms, 1)(random);
    const skills = { base: { correct: 0.6, latency: tailed(2) }, good: { correct: 0.95, latency: tailed(25) } };
    expect(shareOfGood(skills, 2000)).toBeGreaterThan(0.9);
  });

  it("finds the faster of two that are right as often", () => {
    const skills = {
      base: { correct: 0.8, latency: around(500, 20) },
      good: { correct: 0.8, latency: around(100, 20) },
    };
    expect(shareOfGood(skills, 4000)).toBeGreaterThan(0.5);
  });
});
