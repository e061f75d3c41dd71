import { armsOfSeveral } from "../../../src/learning/bandit/best-of-n.ts";
import { Decision, decide } from "../../../src/learning/bandit/decide.ts";
import { UNSEEN } from "../../../src/learning/bandit/estimates.ts";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { SeededRandom } from "../../../src/learning/bandit/seeded-random.ts";
import { WorkloadState } from "../../../src/learning/bandit/workload-state.ts";

/** Requests from which on the loss is held against a hundredth of them: a single choice of a bad arm is a tenth. */
const FIRST_JUDGED = 100;

export interface SafetyOptions {
  readonly streams: number;
  readonly steps: number;
  /** Prompt families, all alike. */
  readonly families: number;
  /** Arms beside base. */
  readonly others: number;
  /** How much worse than base they are, and how much better they are believed to be. */
  readonly harm: number;
  readonly believed: number | undefined;
  /**
   * Arms of two answers beside them, as good as the others, though the policy is told that the better one is given so
   * often; none if absent.
   */
  readonly toldAccuracy?: number;
}

export interface SafetyResult {
  /** The share of the streams in which more than half of the requests went to others than base. */
  readonly mostlyDeviating: number;
  /**
   * The share in which the expected loss was never above a hundredth, and above a two-hundredth, of the requests so
   * far.
   */
  readonly withinHundredth: number;
  readonly withinTwoHundredth: number;
}

/** Serves streams of requests whose rewards are 0 or 1 by chance: base earns 0.6, the others less by `harm`. */
export function measureSafety(options: SafetyOptions): SafetyResult {
  const { streams, steps, families, others, harm, believed, toldAccuracy } = options;
  const several = toldAccuracy === undefined ? [] : armsOfSeveral(2);
  const arms = ["base", ...Array.from({ length: others }, (_, index) => `other ${index}`), ...several];
  const priors =
    believed === undefined ? {} : Object.fromEntries(arms.map((arm, index) => [arm, index === 0 ? 0 : believed]));
  const eligible = new Uint8Array(arms.length).fill(1);
  const decision = new Decision(arms.length);
  let mostly = 0;
  let hundredth = 0;
  let twoHundredth = 0;
  for (let stream = 0; stream < streams; stream++) {
    const random = new SeededRandom(stream);
    const state = new WorkloadState({ arms, base: "base", priors, feedback: "complete" });
    state.accuracy = toldAccuracy ?? state.accuracy;
    let deviations = 0;
    let mostLost = 0;
    for (let step = 1; step <= steps; step++) {
      const family = String(Math.floor(random.uniform() * families));
      const request = { family: state.families.find(family) ?? UNSEEN, eligible, seed: random.bits() };
      const { arm } = decide(state, request, decision);
      if (arm !== 0) deviations += 1;
      if (step >= FIRST_JUDGED) mostLost = Math.max(mostLost, (harm * deviations) / step);
      learn(state, { kind: "served", family, arm });
      const reward = random.uniform() < (arm === 0 ? 0.6 : 0.6 - harm) ? 1 : 0;
      learn(state, { kind: "rewarded", family, arm, reward });
    }
    if (deviations > steps / 2) mostly += 1;
    if (mostLost <= 0.01) hundredth += 1;
    if (mostLost <= 0.005) twoHundredth += 1;
  }
  return {
    mostlyDeviating: mostly / streams,
    withinHundredth: hundredth / streams,
    withinTwoHundredth: twoHundredth / streams,
  };
}
