import { describe, expect, it } from "vitest";
import { Decision, decide } from "../../src/learning/bandit/decide.ts";
import { learn } from "../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../src/learning/bandit/seeded-random.ts";
import type { ServedEvent } from "../../src/learning/events.ts";
import { learnBatch } from "../../src/learning/learner/learn-batch.ts";
import { WorkloadModel } from "../../src/learning/learner/workload-model.ts";
import { GUARDED } from "../../src/learning/workload.ts";

const SHAPE = {
  arms: ["base", "good"],
  base: "base",
  objective: "quality",
  feedback: "complete",
  guarded: Object.values(GUARDED),
} as const;
const PART = 500;

/** A model's answers in a part of the calls: how many times as long they take, and how many fail. */
interface Trouble {
  readonly times?: number;
  readonly failing?: number;
}

type Weather = (part: number, call: number) => { readonly base?: Trouble; readonly good?: Trouble };

/** Plays calls that "good" answers better; returns its share by parts of 500 calls. */
function sharesOfGood(
  weather: Weather,
  { parts, seed, alone = 3000 }: { readonly parts: number; readonly seed: number; readonly alone?: number },
): number[] {
  const memory = WorkloadModel.begin({ projectId: "p", model: "base" }, SHAPE, {});
  const { state } = memory;
  const random = new SeededRandom(seed);
  const decision = new Decision(2);
  // A base that has answered alone for long weighs much.
  for (let call = 0; call < alone; call++) {
    for (const metric of Object.values(GUARDED))
      learn(state, { kind: "measured", family: "a", arm: 0, metric, value: 1 });
    memory.latency.add(300 * Math.exp(0.3 * random.normal()));
  }
  return Array.from({ length: parts }, (_, part) => {
    let good = 0;
    for (let call = 0; call < PART; call++) {
      const family = state.families.find("a") ?? -1;
      decide(state, { family, eligible: Uint8Array.of(1, 1), seed: random.bits() }, decision);
      good += decision.arm;
      const name = decision.arm === 0 ? "base" : "good";
      const { times = 1, failing = 0 } = weather(part, call)[name] ?? {};
      const served: ServedEvent = {
        kind: "served",
        id: `${part}-${call}`,
        projectId: "p",
        model: "base",
        servedModel: name,
        family: "a",
        status: random.uniform() < failing ? "failed" : "completed",
        isRefused: false,
        costNanos: null,
        cacheSavedNanos: null,
        latencyMs: times * 300 * Math.exp(0.3 * random.normal()),
      };
      const none = { targets: new Map(), repeated: new Set<string>(), others: new Map() };
      learnBatch([served], { ...none, memoryOf: () => memory });
      const reward = Number(random.uniform() < (name === "good" ? 0.95 : 0.6));
      learn(state, { kind: "rewarded", family: "a", arm: decision.arm, reward });
    }
    return good / PART;
  });
}

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const leastOf = (weather: Weather, parts = 12) =>
  SEEDS.map((seed) => Math.min(...sharesOfGood(weather, { parts, seed }).slice(4)));

describe("guards while all models are in trouble", () => {
  it("let the better model answer while all are three times as slow, and afterwards", () => {
    const slow = (part: number) => (part >= 4 ? { times: 3 } : {});
    const forAWhile = (part: number) => (part >= 4 && part < 7 ? { times: 3 } : {});
    for (const trouble of [slow, forAWhile]) {
      const shares = leastOf((part) => ({ base: trouble(part), good: trouble(part) }));
      expect(Math.min(...shares)).toBeGreaterThan(0.8);
    }
  });

  it("let it answer while a third of all answers fail, every now and then", () => {
    const shares = leastOf((part) => {
      const trouble = part % 4 === 0 && part > 0 ? { failing: 0.33 } : {};
      return { base: trouble, good: trouble };
    }, 24);
    expect(Math.min(...shares)).toBeGreaterThan(0.7);
  });

  it("let it answer where twenty calls now and then are slow, whoever answers", () => {
    const gusts: Weather = (_part, call) => {
      const trouble = { times: call % 250 < 20 ? 5 : 1 };
      return { base: trouble, good: trouble };
    };
    const shares = SEEDS.flatMap((seed) => sharesOfGood(gusts, { parts: 6, seed, alone: 0 }).slice(2));
    expect(shares.filter((share) => share < 0.5)).toEqual([]);
  });

  it("stop it once it alone is three times as slow, or fails more often", () => {
    for (const trouble of [{ times: 3 }, { failing: 0.2 }]) {
      for (const seed of SEEDS) {
        const shares = sharesOfGood((part) => (part >= 4 ? { good: trouble } : {}), { parts: 12, seed });
        expect(shares[4]).toBeLessThan(0.6);
        expect(Math.max(...shares.slice(5))).toBeLessThan(0.25);
      }
    }
  });

  it("stop it if it becomes slower than base while all are slow", () => {
    for (const seed of SEEDS) {
      const weather: Weather = (part) => {
        const times = part >= 4 ? 3 : 1;
        return { base: { times }, good: { times: part >= 8 ? 3 * times : times } };
      };
      const shares = sharesOfGood(weather, { parts: 16, seed });
      expect(Math.max(...shares.slice(10))).toBeLessThan(0.3);
    }
  });
});
