import { beforeAll, describe, expect, it } from "vitest";
import type { DecisionRecord, OverrideReason } from "../../src/hub/decision-record.ts";
import type { LoggedItem } from "../../src/learning/events.ts";
import { LoggedReplay } from "../../src/replay/logged-replay.ts";
import type { LoggedReport } from "../../src/replay/report.ts";
import { MersenneTwister } from "../bench/replay/mersenne-twister.ts";

const MODELS = ["base", "other", "worse"];
const KEY = { projectId: "p", model: "base" };
/** Mean reward by family and model: the other model is better at sums, and worse at verse. */
const TRUTH: Record<string, readonly number[]> = { sums: [0.5, 0.95, 0.3], verse: [0.6, 0.55, 0.3] };
const PRICES = [100, 50, 10];

interface World {
  readonly requests: number;
  readonly seed: number;
  readonly exploreChance?: number;
  readonly kept?: OverrideReason;
  readonly feedbackOn?: readonly number[];
  /** What a family is called on record. */
  readonly nameOf?: (family: string) => string;
}

/**
 * A workload on record whose models were chosen by known chances: for sums mostly the other model, for verse mostly
 * base.
 */
function* play({
  requests,
  seed,
  exploreChance = 0.4,
  kept,
  feedbackOn = [1, 1, 1],
  nameOf,
}: World): Generator<LoggedItem> {
  const chance = new MersenneTwister(seed);
  for (let index = 0; index < requests; index++) {
    const family = chance.uniform() < 0.5 ? "sums" : "verse";
    const best = family === "sums" ? 1 : 0;
    // Equal worths and doubts: exploring takes each model with the same chance.
    const dice = chance.uniform();
    const explored = Math.floor(chance.uniform() * MODELS.length);
    const arm = dice < exploreChance ? explored : best;
    const name = nameOf?.(family) ?? family;
    const decision: DecisionRecord = {
      mode: "on",
      family: name,
      policy: "test/1",
      version: 1,
      arms: MODELS,
      eligible: [1, 1, 1],
      worths: [0.5, 0.5, 0.5],
      doubts: [0.1, 0.1, 0.1],
      base: 0,
      best,
      arm,
      choice: "best",
      controlChance: 0,
      exploreChance,
      exploreWidth: 1,
      switchCost: 0,
      hasRoom: true,
      seed: chance.bits(),
      ...(kept !== undefined && { kept }),
    };
    const served = kept === undefined ? arm : 0;
    const id = `i${index}`;
    yield {
      kind: "served",
      decision,
      event: {
        kind: "served",
        id,
        projectId: "p",
        model: "base",
        servedModel: MODELS[served] ?? "",
        family: name,
        status: "completed",
        isRefused: false,
        costNanos: PRICES[served] ?? null,
        cacheSavedNanos: null,
        latencyMs: 100,
      },
    };
    const isGood = chance.uniform() < (TRUTH[family]?.[served] ?? 0);
    if (chance.uniform() >= (feedbackOn[served] ?? 0)) continue;
    yield {
      kind: "feedback",
      event: {
        kind: "feedback",
        id: `f${index}`,
        inferenceId: id,
        attempt: null,
        projectId: "p",
        name: "good",
        value: isGood,
        optimize: null,
        atMs: index,
      },
    };
  }
}

function replayed(world: World, objective: "quality" | "cost" = "quality"): LoggedReport {
  const replay = new LoggedReplay({ key: KEY, models: MODELS, objective, feedback: "complete" });
  for (const item of play(world)) replay.take(item);
  return replay.report();
}

function courseOf(report: LoggedReport, name: string) {
  const course = report.courses.find((one) => one.name === name);
  if (course === undefined) throw new Error(`no course ${name}`);
  return course;
}

describe("LoggedReplay", () => {
  let report: LoggedReport;
  beforeAll(() => {
    report = replayed({ requests: 4000, seed: 1 });
  });

  it("divides a family once the clusters on record have won, as the learner does", () => {
    const whole = courseOf(replayed({ requests: 4000, seed: 1, nameOf: () => "auto:plain" }), "policy");
    const nameOf = (family: string) => `auto:plain#5.${family === "sums" ? 0 : 1}`;
    const divided = courseOf(replayed({ requests: 4000, seed: 1, nameOf }), "policy");
    // The other model is better in the mean, and has the half of the requests in which it is better.
    expect(whole.deviatingShare).toBeGreaterThan(0.8);
    expect(divided.deviatingShare).toBeLessThan(0.7);
    expect(divided.reward?.mean).toBeGreaterThan(whole.reward?.mean ?? 1);
  });

  it("tells what each model alone would have brought, though it answered mostly what it is good at", () => {
    // As served, the other model's mean would be near .9: it answered sums for the most part.
    expect(courseOf(report, "base").reward?.mean).toBeCloseTo(0.55, 1);
    expect(courseOf(report, "other").reward?.mean).toBeCloseTo(0.75, 1);
    expect(courseOf(report, "worse").reward?.mean).toBeCloseTo(0.3, 1);
    expect(courseOf(report, "other")).toMatchObject({ isBetter: true, doubt: null, deviatingShare: 1 });
    expect(courseOf(report, "worse")).toMatchObject({ isBetter: false });
    expect(courseOf(report, "worse").delta?.high).toBeLessThan(0);
  });

  it("has its intervals hold the truth in nearly all of many worlds", () => {
    let missed = 0;
    for (let seed = 100; seed < 140; seed++) {
      const found = replayed({ requests: 800, seed });
      for (const [name, truth] of [
        ["base", 0.55],
        ["other", 0.75],
        ["worse", 0.3],
      ] as const) {
        const { low, high } = courseOf(found, name).reward ?? { low: 0, high: 0 };
        if (truth < low || truth > high) missed += 1;
      }
    }
    expect(missed).toBeLessThanOrEqual(6);
  });

  it("plays the policy with what it could know by then, which is more than base brings", () => {
    const policy = courseOf(report, "policy");
    expect(policy.isBetter).toBe(true);
    expect(policy.reward?.mean).toBeGreaterThan(0.68);
    expect(policy.deviatingShare).toBeGreaterThan(0.3);
    expect(policy.deviatingShare).toBeLessThan(0.6);
  });

  it("tells costs as multiples of base's", () => {
    expect(courseOf(report, "base").costRatio).toBe(1);
    expect(courseOf(report, "other").costRatio).toBeCloseTo(0.5, 1);
    expect(courseOf(report, "worse").costRatio).toBeCloseTo(0.1, 1);
  });

  it("says of a workload that was only observed that nothing is known of others than base", () => {
    const observed = replayed({ requests: 500, seed: 2, kept: "observed" });
    expect(courseOf(observed, "base").reward?.mean).toBeCloseTo(0.55, 1);
    expect(courseOf(observed, "other")).toMatchObject({
      reward: null,
      delta: null,
      costRatio: null,
      doubt: "in 100% of the requests its model had no chance to answer",
    });
    expect(observed.served.deviatingShare).toBe(0);
  });

  it("passes over requests that went on with the model of their conversation", () => {
    const { run, courses } = replayed({ requests: 50, seed: 3, kept: "conversation" });
    expect(run).toMatchObject({ requests: 50, passedOver: 50, rewards: 0, unmatchedFeedback: 50 });
    expect(courses.every(({ reward }) => reward === null)).toBe(true);
  });

  it("holds nothing for known of a model that hardly ever answers", () => {
    const rare = replayed({ requests: 500, seed: 4, exploreChance: 0.02 });
    expect(courseOf(rare, "worse").reward).toBeNull();
    expect(courseOf(rare, "worse").doubt).toMatch(/^no more than \d+ answers? speaks? for it|^no more than/);
  });

  it("warns where feedback comes more often on one model than on base", () => {
    expect(replayed({ requests: 2000, seed: 5 }).warnings).toEqual([]);
    const [warning, ...others] = replayed({ requests: 2000, seed: 5, feedbackOn: [1, 0.5, 1] }).warnings;
    expect(others).toEqual([]);
    expect(warning).toMatch(/^other got feedback on \d\d\.\d% of its answers, and base on 100\.0%/);
  });

  it("counts the first word on a metric, and all metrics of an answer as one reward", () => {
    const replay = new LoggedReplay({ key: KEY, models: MODELS, objective: "quality", feedback: "complete" });
    const [served] = [...play({ requests: 1, seed: 6, feedbackOn: [0, 0, 0] })];
    if (served === undefined) throw new Error("nothing was served");
    replay.take(served);
    const say = (id: string, name: string, atMs: number) =>
      replay.take({
        kind: "feedback",
        event: {
          kind: "feedback",
          id,
          inferenceId: "i0",
          attempt: null,
          projectId: "p",
          name,
          value: true,
          optimize: null,
          atMs,
        },
      });
    say("a", "good", 1);
    say("b", "good", 2);
    say("c", "kind", 3);
    say("d", "short", 3);
    expect(replay.report().run).toMatchObject({ rewards: 1, requests: 1 });
  });
});
