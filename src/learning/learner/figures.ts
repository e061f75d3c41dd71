import { everyArm } from "../bandit/best-of-n-estimates.ts";
import { findStrictness, hasGrades, mayDeviate, rewardLevel } from "../bandit/budget-usage.ts";
import { Decision, decide } from "../bandit/decide.ts";
import { meanReward, priorWeight, UNSEEN } from "../bandit/estimates.ts";
import { priceInReward, relativePrice } from "../bandit/prices.ts";
import type { WorkloadState } from "../bandit/workload-state.ts";

/** An estimate with its standard deviation, by the policy's own reckoning. */
export interface Estimate {
  readonly worth: number;
  readonly doubt: number;
}

/** The figures of a model in a workload. */
export interface ArmFigures extends Estimate {
  readonly model: string;
  /** Rewards that this rests on, as far as they are not forgotten. */
  readonly rewards: number;
  /** The price of its answers, as a multiple of base's in the same families; by time under the objective `latency`. */
  readonly price: number;
  /** Reward, of 1, that its price has to earn beside base's by the objective; below 0 for what it saves. */
  readonly hasToEarn: number;
}

/** The usage of a regret budget. */
export interface RegretFigures {
  /** `rewards`, `complaints`, or the name of a metric that is guarded. */
  readonly name: string;
  /** The loss that has to be reckoned with, and what may be lost. */
  readonly loss: number;
  readonly budget: number;
}

/** A workload in figures, for people. */
export interface WorkloadFigures {
  readonly base: string;
  readonly rewards: number;
  readonly hasRoom: boolean;
  /** The worth of each model on all of the workload's requests, 0 to 1. */
  readonly arms: readonly ArmFigures[];
  /** The same of the model that is chosen in each family. */
  readonly chosen: Estimate;
  /** Part of the requests that is of families in which another model than base is chosen. */
  readonly routedShare: number;
  readonly accounts: readonly RegretFigures[];
}

/** The figures of a family. */
export interface FamilyFigures {
  readonly name: string;
  /** Seen so far, as far as they are not forgotten. */
  readonly requests: number;
  readonly rewards: number;
  readonly base: Estimate;
  readonly chosen: string;
  readonly ofChosen: Estimate;
}

/**
 * Describes a workload: every model by the same mix of requests, so that models are not judged by what they were asked.
 */
export function describeState(state: WorkloadState): WorkloadFigures {
  const shares = listShares(state);
  const decisions = shares.map(({ family }) => chosenIn(state, family));
  const mixes = state.arms.map(() => new Mix(state));
  const chosen = new Mix(state);
  let routedShare = 0;
  for (const [at, { family, share }] of shares.entries()) {
    const decision = decisions[at];
    if (decision === undefined) continue;
    for (const [arm, mix] of mixes.entries()) mix.add(family, share, estimateIn(state, family, { decision, arm }));
    chosen.add(family, share, estimateIn(state, family, { decision, arm: decision.best }));
    if (decision.best !== state.base) routedShare += share;
  }
  return {
    base: state.arms[state.base] ?? "",
    rewards: state.rewards,
    hasRoom: mayDeviate(state),
    arms: state.arms.map((model, arm) => ({
      model,
      rewards: state.armCounts[arm] ?? 0,
      price: relativePrice(state, arm),
      hasToEarn: priceInReward(state, arm) - priceInReward(state, state.base),
      ...(mixes[arm]?.estimate() ?? { worth: 0, doubt: 0 }),
    })),
    chosen: chosen.estimate(),
    routedShare,
    accounts: getAccounts(state),
  };
}

/** Describes the families with the most requests, `most` of them at most, as they are answered without some models. */
export function describeFamilies(
  state: WorkloadState,
  most: number,
  excluded: readonly string[] = [],
): FamilyFigures[] {
  const arms = state.arms.length;
  const entries = [...state.families.entries()].map(([name, family]) => ({
    name,
    family,
    requests: state.requests[family] ?? 0,
    rewards: state.counts.subarray(family * arms, (family + 1) * arms).reduce((sum, count) => sum + count, 0),
  }));
  entries.sort((one, other) => other.requests - one.requests || other.rewards - one.rewards);
  return entries.slice(0, most).map(({ family, ...facts }) => {
    const decision = chosenIn(state, family, excluded);
    const { best } = decision;
    const of = (arm: number): Estimate => {
      const { worth, doubt } = estimateIn(state, family, { decision, arm });
      return { worth, doubt };
    };
    return { ...facts, base: of(state.base), chosen: state.arms[best] ?? "", ofChosen: of(best) };
  });
}

/** The accounts that have no room left. */
export function listOverdrawn(state: WorkloadState): RegretFigures[] {
  return getAccounts(state).filter(({ loss, budget }) => loss > budget);
}

function getAccounts(state: WorkloadState): RegretFigures[] {
  const { settings, complaints, guarded } = state;
  const own = findStrictness(state);
  return [
    { name: "rewards", ...rewardLevel(state) },
    ...(complaints === undefined
      ? []
      : [{ name: "complaints", loss: complaints.lossOf(settings, own), budget: complaints.budgetOf(own) }]),
    ...[...guarded].map(([name, account]) => ({ name, loss: account.lossOf(settings), budget: account.budget })),
  ];
}

/** Each family's part of the requests; of what is not told apart, where there is none yet. */
export function listShares(state: WorkloadState): { readonly family: number; readonly share: number }[] {
  let all = 0;
  for (let family = 0; family < state.families.size; family++) all += state.requests[family] ?? 0;
  if (all <= 0) return [{ family: UNSEEN, share: 1 }];
  return Array.from({ length: state.families.size }, (_, family) => ({
    family,
    share: (state.requests[family] ?? 0) / all,
  })).filter(({ share }) => share > 0);
}

/** Returns the decision in a family where every model may answer that is not excluded. */
export function chosenIn(state: WorkloadState, family: number, excluded: readonly string[] = []): Decision {
  const { arms } = state;
  const eligible = everyArm(state).map((may, arm) => (excluded.includes(arms[arm] ?? "") ? 0 : may));
  return decide(state, { family, eligible, seed: 0 }, new Decision(arms.length));
}

/** An estimate of a model in a family. */
interface FamilyEstimate extends Estimate {
  readonly arm: number;
}

/** Returns what a decision in a family rests on: by people's rewards, and by grades once they count. */
function estimateIn(
  state: WorkloadState,
  family: number,
  { decision, arm }: { readonly decision: Decision; readonly arm: number },
): FamilyEstimate {
  const worth = hasGrades(state) ? (decision.means[arm] ?? 0) : meanReward(state, family, arm);
  return { arm, worth, doubt: decision.doubts[arm] ?? 0 };
}

/**
 * The mean over families, by their parts of the requests. What is doubtful of each family is its own; what is believed
 * where little was seen comes from all families, and is doubtful for all alike. While grades count, what is doubtful of
 * a model is so in all families.
 */
class Mix {
  readonly #state: WorkloadState;
  readonly #shared: Float64Array;
  #worth = 0;
  #variance = 0;
  #doubt = 0;

  constructor(state: WorkloadState) {
    this.#state = state;
    this.#shared = new Float64Array(state.arms.length);
  }

  add(family: number, share: number, { arm, worth, doubt }: FamilyEstimate): void {
    const state = this.#state;
    const seen = family === UNSEEN ? 0 : (state.counts[family * state.arms.length + arm] ?? 0);
    const believed = priorWeight(state, arm);
    this.#worth += share * worth;
    this.#doubt += share * doubt;
    this.#variance += (share * doubt) ** 2;
    this.#shared[arm] = (this.#shared[arm] ?? 0) + (share * believed) / (believed + seen);
  }

  estimate(): Estimate {
    const { armCounts, armPriorWeights, settings } = this.#state;
    if (hasGrades(this.#state)) return { worth: this.#worth, doubt: this.#doubt };
    let variance = this.#variance;
    for (const [arm, part] of this.#shared.entries()) {
      const weight = (armCounts[arm] ?? 0) + settings.advantageShrinkage + (armPriorWeights[arm] ?? 0);
      variance += part ** 2 * (Math.max(this.#worth * (1 - this.#worth), settings.leastVariance) / weight);
    }
    return { worth: this.#worth, doubt: Math.sqrt(variance) };
  }
}
