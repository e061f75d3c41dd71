import fc from "fast-check";
import { Decision, decide, type Hold } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import type { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

export const ARMS = ["base", "good", "bad", "odd"] as const;

/** A request and, if there is one, the reward that each arm would get for it. */
export interface Step {
  readonly family: string;
  readonly seed: number;
  readonly eligible: readonly number[];
  readonly rewards: readonly number[];
  readonly hasFeedback: boolean;
}

export const someStep: fc.Arbitrary<Step> = fc.record({
  family: fc.constantFrom("a", "b", "c"),
  seed: fc.integer(),
  eligible: fc.tuple(...ARMS.map(() => fc.constantFrom(1, 1, 1, 0))),
  rewards: fc.tuple(...ARMS.map(() => fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })))),
  hasFeedback: fc.boolean(),
});

export function decideStep(state: WorkloadState, step: Step, hold?: Hold): Decision {
  const family = state.families.find(step.family) ?? UNSEEN;
  const request = { family, eligible: Uint8Array.from(step.eligible), seed: step.seed, hold };
  return decide(state, request, new Decision(state.arms.length));
}

/** Decides, serves and, if there is feedback, learns from it. */
export function takeStep(state: WorkloadState, step: Step, hold?: Hold): Decision {
  const decision = decideStep(state, step, hold);
  const { arm } = decision;
  learn(state, { kind: "served", family: step.family, arm, price: 1 + arm });
  if (step.hasFeedback) learn(state, { kind: "rewarded", family: step.family, arm, reward: step.rewards[arm] ?? 0 });
  return decision;
}

/** Seeds that are far from each other, as ids of requests would give. */
export function seedOf(index: number): number {
  return Math.imul(index + 1, 0x9e3779b1);
}
