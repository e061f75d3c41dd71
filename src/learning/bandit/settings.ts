/** The quantity to minimise once the regret budget says that quality does not suffer. */
export type Objective = "quality" | "balanced" | "cost" | "latency";

/** Names the rules and constants below; a decision of another version is not judged by these. */
export const POLICY_VERSION = "baht-g/19";

/**
 * The constants of the policy. One set serves all workloads; docs/decisions/0035-policy.md says where they come from.
 */
export interface PolicySettings {
  /** The most observations that what an arm did in other families counts for within one. */
  readonly familyPrior: number;
  /** Observations that a stated prior counts for. */
  readonly priorWeight: number;
  /** Observations that an advantage is drawn to zero by. */
  readonly advantageShrinkage: number;
  /** Reward that an arm other than base starts behind by, as one observation among `advantageShrinkage`. */
  readonly unexploredPenalty: number;
  /** The penalty for doubt about the difference to base, in standard deviations. */
  readonly doubt: number;
  /** The bonus for the same doubt once the budget is in gain, doubts and the next reward included. */
  readonly optimism: number;
  /** The part of exploring that is left to users while grades of a judge count. */
  readonly exploreWithGrades: number;
  /** The part of the regret that may be lost while grades count: trials find out what users else would. */
  readonly regretWithGrades: number;
  /** Least variance of a reward that is assumed. */
  readonly leastVariance: number;
  /**
   * Expected squares by which the dispersion of a family's rewards is drawn to that of rewards of 0 and 1, and its
   * least.
   */
  readonly dispersionShrinkage: number;
  readonly leastDispersion: number;
  /** Chance of playing base whatever the estimates say, for control. */
  readonly control: number;
  /** The same while base has fewer rewards in a family than the objective's floor. */
  readonly controlBelowFloor: number;
  /** The same where feedback is rare and people have said less of base there than of a model that may be better. */
  readonly controlUncompared: number;
  /** Rewards of others from which on base is played until it has one. */
  readonly mostWithoutBase: number;
  /**
   * Chance of exploring: `exploreScale / sqrt(requests of the family)` between the two bounds, and none while an
   * account is overdrawn.
   */
  readonly exploreMost: number;
  readonly exploreScale: number;
  readonly exploreLeast: number;
  /** Chance of the model that is expected to be worth the most, where trials speak for it and people have not yet. */
  readonly explorePromising: number;
  /**
   * Exploring takes variances of worths for `widenBy * log2(requests of the family / widenFrom)` times as great, where
   * that is above 1.
   */
  readonly widenFrom: number;
  readonly widenBy: number;
  /** Reward that a model has to earn for each price of base that it costs more, under `quality` and `balanced`. */
  readonly rewardPerPrice: number;
  /** Answers that a price of the catalog counts for beside those that were paid. */
  readonly knownPriceWeight: number;
  /** In the account: observations that what an arm earned above base is drawn to zero by. */
  readonly accountShrinkage: number;
  /** Standard deviations by which the account of a metric that is not optimised is read to the worse. */
  readonly accountDoubt: number;
  /** The loss against base that is allowed in a guarded metric that is not optimised, for each answer. */
  readonly guardedAllowance: number;
  /** Change detection: allowance and threshold of the two-sided CUSUM, and rewards of the arm before it judges. */
  readonly driftAllowance: number;
  readonly driftThreshold: number;
  readonly driftLeastRewards: number;
  /** The parts kept after an alarm: of the arm that changed, of the other arms, of budgets and request counts. */
  readonly keptOfChanged: number;
  readonly keptOfOthers: number;
  readonly keptOfAccounts: number;
  /**
   * The assumed accuracy of choosing between two answers that differ where it is not measured: the least that an arm of
   * several answers needs.
   */
  readonly severalAccuracy: number;
  /** Observations that what is expected of several answers by their models counts for. */
  readonly severalPrior: number;
  /**
   * Reward that several answers have to earn beside one of the best model for each further price of that, whatever the
   * objective.
   */
  readonly severalCharge: number;
  /**
   * Observations of a model, those of its prior included, before several answers are made of it; base is one from the
   * beginning.
   */
  readonly severalLeast: number;
  /**
   * The difference of answers in reward, as a part of that of independent answers: of two models, and of one model
   * twice.
   */
  readonly differingOfOthers: number;
  readonly differingOfSame: number;
}

export const POLICY_SETTINGS: PolicySettings = Object.freeze({
  familyPrior: 12,
  priorWeight: 30,
  advantageShrinkage: 4,
  unexploredPenalty: 0.1,
  doubt: 0.3,
  optimism: 0.7,
  exploreWithGrades: 0.5,
  regretWithGrades: 0.75,
  leastVariance: 0.05,
  dispersionShrinkage: 4,
  leastDispersion: 0.1,
  control: 0.02,
  controlBelowFloor: 0.15,
  controlUncompared: 0.2,
  mostWithoutBase: 3,
  exploreMost: 0.05,
  exploreScale: 0.7,
  exploreLeast: 0.005,
  explorePromising: 0.05,
  widenFrom: 300,
  widenBy: 3,
  rewardPerPrice: 0.005,
  knownPriceWeight: 10,
  accountShrinkage: 4,
  accountDoubt: 2.4,
  guardedAllowance: 0.02,
  driftAllowance: 0.1,
  driftThreshold: 12,
  driftLeastRewards: 20,
  keptOfChanged: 0.05,
  keptOfOthers: 0.2,
  keptOfAccounts: 0.05,
  severalAccuracy: 0.75,
  severalPrior: 30,
  severalCharge: 0.02,
  severalLeast: 10,
  differingOfOthers: 0.75,
  differingOfSame: 0.3,
});

/**
 * Reward that an account may lose against base after so many rewards: 1.2 and 0.9% of them at first, then 8 and 0.3%.
 */
export function allowedRegret(rewards: number): number {
  return Math.min(1.2 + 0.009 * rewards, 8 + 0.003 * rewards);
}

/** The treatment of priors in the regret budget. */
export interface Belief {
  /** Part of a prior's observations that counts. */
  readonly share: number;
  /** The discount on a stated prior, and the greatest advantage over base that counts. */
  readonly discount: number;
  readonly most: number;
  /**
   * True if it is taken for what it says, the difference to base: who is not stated to be better is taken as stated,
   * and doubt about base counts for less where rewards of the arm add to what was known of the difference.
   */
  readonly isOfDifference: boolean;
}

export interface ObjectiveSettings {
  /** The most reward that one price of base is held to be worth. */
  readonly mostPriceWeight: number;
  /** Only models whose price is below this many of base's answer in its place. */
  readonly mostPrice: number;
  /** True if a model has to earn its price even where nothing is to be saved: what it costs more than base. */
  readonly isPriceEarned: boolean;
  /** Standard deviations by which the account is read to the worse. */
  readonly doubt: number;
  readonly belief: Belief;
  /** Reward that the account may lose after so many rewards. */
  readonly budget: (rewards: number) => number;
  /**
   * Base is played more often in a family while it has fewer rewards there than so many roots of its requests. Where
   * price may take a family from base, what is believed of base there would else be what others earned.
   */
  readonly floor: number;
  /** True if others may be worse than base by a margin, for being cheaper or faster. */
  readonly isMarginGiven: boolean;
  /** True if several answers may be asked for: who is after what is cheap or fast does not want them. */
  readonly isBestOfNAllowed: boolean;
}

const GUARDED = {
  mostPrice: Number.POSITIVE_INFINITY,
  doubt: 2.75,
  belief: { share: 1, discount: 0.085, most: 0.06, isOfDifference: true },
  budget: allowedRegret,
  floor: 1,
  isMarginGiven: false,
  isBestOfNAllowed: true,
};
/** The margin that `cost` and `latency` may lose: half a percent of the rewards, and twelve to begin with. */
const WITH_MARGIN = {
  mostPriceWeight: 0.2,
  mostPrice: 0.8,
  isPriceEarned: false,
  doubt: 1.4,
  // What a belief gives is spent at once here, on what is cheaper and worse: it has to be earned first.
  belief: { share: 0.5, discount: 0.04, most: 1, isOfDifference: false },
  budget: (rewards: number) => 12 + 0.005 * rewards,
  floor: 4,
  isMarginGiven: true,
  isBestOfNAllowed: false,
};

export const OBJECTIVES: Record<Objective, ObjectiveSettings> = {
  quality: { mostPriceWeight: 0, isPriceEarned: true, ...GUARDED },
  balanced: { mostPriceWeight: 0.04, isPriceEarned: true, ...GUARDED },
  cost: WITH_MARGIN,
  latency: WITH_MARGIN,
};
