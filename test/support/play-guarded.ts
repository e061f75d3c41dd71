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

/** A model's answers: how many times as long they take, and how many fail. */
export interface Trouble {
  readonly times?: number;
  readonly failing?: number;
}

/** The trouble of both models at a call. */
export type Weather = (call: number) => { readonly base?: Trouble; readonly good?: Trouble };

interface Play {
  readonly calls: number;
  readonly seed: number;
  /** Calls whose share is one figure. */
  readonly part: number;
  /** Calls that base answered alone before, which failed as often as `aloneFailing` says; no failures unless given. */
  readonly alone?: number;
  readonly aloneFailing?: number;
}

/** Plays calls that "good" answers better, with success, refusals and speed guarded; returns its share in each part. */
export function playGuarded(
  weather: Weather,
  { calls, seed, part, alone = 3000, aloneFailing = 0 }: Play,
): readonly number[] {
  const memory = WorkloadModel.begin({ projectId: "p", model: "base" }, SHAPE, {});
  const { state } = memory;
  const random = new SeededRandom(seed);
  const decision = new Decision(2);
  // A base that has answered alone for long weighs much.
  for (let call = 0; call < alone; call++) {
    for (const metric of Object.values(GUARDED)) {
      const value = metric === GUARDED.success && aloneFailing > 0 && random.uniform() < aloneFailing ? 0 : 1;
      learn(state, { kind: "measured", family: "a", arm: 0, metric, value });
    }
    memory.latency.add(300 * Math.exp(0.3 * random.normal()));
  }
  const shares = new Array<number>(Math.ceil(calls / part)).fill(0);
  for (let call = 0; call < calls; call++) {
    const family = state.families.find("a") ?? -1;
    decide(state, { family, eligible: Uint8Array.of(1, 1), seed: random.bits() }, decision);
    const at = Math.floor(call / part);
    shares[at] = (shares[at] ?? 0) + decision.arm / part;
    const name = decision.arm === 0 ? "base" : "good";
    const { times = 1, failing = 0 } = weather(call)[name] ?? {};
    const served: ServedEvent = {
      kind: "served",
      id: `${call}`,
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
  return shares;
}
