import { parsePlaces } from "./best-of-n.ts";
import { type Constraint, ConstraintRecord } from "./constraint-record.ts";
import { Drifts } from "./drifts.ts";
import { Families, REST } from "./families.ts";
import { grown } from "./grown.ts";
import { knownPrices } from "./known-prices.ts";
import { mergeFamily } from "./merge-family.ts";
import { MetricAccount } from "./metric-account.ts";
import { PredictionErrors } from "./prediction-errors.ts";
import { PriceRecord } from "./price-record.ts";
import { RewardAccount } from "./reward-account.ts";
import { OBJECTIVES, type Objective, POLICY_SETTINGS, type PolicySettings } from "./settings.ts";
import { Evidence } from "./shadow/evidence.ts";
import { Grades } from "./shadow/grades.ts";

/** True if every request gets feedback, or only those whose caller chooses to give it. */
export type FeedbackKind = "voluntary" | "complete";

interface WorkloadOptions {
  /** The models that may answer, base among them, and arms of several answers (see `armsOfSeveral`). */
  readonly arms: readonly string[];
  readonly base: string;
  /** Default "quality". */
  readonly objective?: Objective;
  /** Default "voluntary": complaints per request are guarded too. */
  readonly feedback?: FeedbackKind;
  /** Metrics that are guarded and not optimised. */
  readonly guarded?: readonly string[];
  /** The constraints on every arm but base; an arm that breaks one does not serve. */
  readonly constraints?: readonly Constraint[];
  /** The prior advantage of each model over base; a model that is absent has no prior. */
  readonly priors?: Readonly<Record<string, number>>;
  /** The prices that models are known to have, as multiples of base's; one that is absent is learned. */
  readonly prices?: Readonly<Record<string, number>>;
  /** Reward that a model has to earn for each price of base that it costs more, where nothing is saved for. */
  readonly rewardPerPrice?: number;
  /** The worth of one reward more, in USD, in place of the above; 0 if absent, and where nobody has stated it. */
  readonly usdPerReward?: number;
  /** Most families that are told apart; default 1,000. */
  readonly familyLimit?: number;
  readonly settings?: PolicySettings;
}

const FIRST_CAPACITY = 8;

/** The policy's state of a workload: counts and sums by arm and by prompt family, and the regret budgets. */
export class WorkloadState {
  readonly arms: readonly string[];
  /** The index of base among the arms. */
  readonly base: number;
  /** Per arm: the models that it asks, by their places among the best of the family; undefined for a model itself. */
  readonly places: readonly (readonly number[] | undefined)[];
  /** True if several answers may be asked for at all. */
  readonly hasSeveral: boolean;
  readonly objective: Objective;
  readonly settings: PolicySettings;
  readonly families: Families;
  readonly feedback: FeedbackKind;
  readonly familyLimit: number;

  /** Rewards that were learned from. */
  rewards = 0;
  /** The rewards that are no complaint, and the decisions since the first: the rate of feedback, and its kind. */
  praises = 0;
  decisions = 0;
  /** Trials on requests that were on record. Whoever learns from them counts them. */
  recordedTrials = 0;
  /** Reward that one base price more is worth: the price of price, for objectives that have one. */
  priceWeight = 0;
  /** The accuracy of choosing between two answers that differ, as measured. Its measurer sets it. */
  accuracy: number;

  /**
   * Per arm: decisions; rewards and their sum; sum of what they were above their family's level; of the prior within
   * it, the weight and the sum.
   */
  readonly armDecisions: Float64Array;
  readonly armCounts: Float64Array;
  readonly armSums: Float64Array;
  readonly armAdvantages: Float64Array;
  readonly armPriorWeights: Float64Array;
  readonly armPriorSums: Float64Array;
  readonly drifts: Drifts;
  readonly errors: PredictionErrors;
  readonly prices: PriceRecord;
  rewardPerPrice: number;
  /** The worth of one reward more, in USD; 0 where nobody has stated it. */
  usdPerReward: number;

  /** Per family and arm, family by family: rewards and their sum. */
  counts: Float64Array;
  sums: Float64Array;
  /** Per family: requests; its level, which is what base would earn there. */
  requests: Float64Array;
  levels: Float64Array;

  /** A judge's grades of answers, and what follows from these and from rewards. */
  readonly grades: Grades;
  readonly evidence: Evidence;

  readonly account: RewardAccount;
  readonly complaints: MetricAccount | undefined;
  readonly guarded: ReadonlyMap<string, MetricAccount>;
  readonly constraints: readonly ConstraintRecord[];
  /** Per arm: 1 if it is known to break a constraint. Base never does: the caller asked for it. */
  readonly broken: Uint8Array;
  #capacity = FIRST_CAPACITY;

  constructor(options: WorkloadOptions) {
    const { arms, base, objective = "quality", feedback = "voluntary", guarded = [], priors = {} } = options;
    if (new Set(arms).size !== arms.length) throw new RangeError("an arm is listed twice");
    if (!arms.includes(base)) throw new RangeError(`the arms do not list base, ${base}`);
    const count = arms.length;
    this.arms = [...arms];
    this.base = arms.indexOf(base);
    this.places = arms.map(parsePlaces);
    this.hasSeveral = OBJECTIVES[objective].isBestOfNAllowed && this.places.some((places) => places !== undefined);
    this.objective = objective;
    this.feedback = feedback;
    this.settings = options.settings ?? POLICY_SETTINGS;
    this.accuracy = this.settings.severalAccuracy;
    this.familyLimit = options.familyLimit ?? 1000;
    this.families = new Families(this.familyLimit);
    this.armCounts = new Float64Array(count);
    this.armSums = new Float64Array(count);
    this.armAdvantages = new Float64Array(count);
    this.armPriorWeights = new Float64Array(count);
    this.armPriorSums = new Float64Array(count);
    this.armDecisions = new Float64Array(count);
    this.drifts = new Drifts(count);
    this.errors = new PredictionErrors(FIRST_CAPACITY);
    this.prices = new PriceRecord(FIRST_CAPACITY, count);
    this.rewardPerPrice = options.rewardPerPrice ?? this.settings.rewardPerPrice;
    this.usdPerReward = options.usdPerReward ?? 0;
    this.counts = new Float64Array(FIRST_CAPACITY * count);
    this.sums = new Float64Array(FIRST_CAPACITY * count);
    this.requests = new Float64Array(FIRST_CAPACITY);
    this.levels = new Float64Array(FIRST_CAPACITY);
    this.grades = new Grades(FIRST_CAPACITY, count);
    this.evidence = new Evidence(count);
    this.account = new RewardAccount(FIRST_CAPACITY, count);
    this.complaints = feedback === "voluntary" ? new MetricAccount(FIRST_CAPACITY) : undefined;
    this.guarded = new Map(
      guarded.map((metric) => [metric, new MetricAccount(FIRST_CAPACITY, this.settings.guardedAllowance)]),
    );
    this.constraints = (options.constraints ?? []).map((constraint) => new ConstraintRecord(constraint, count));
    this.broken = new Uint8Array(count);
    this.#believe(priors);
    this.#know(options.prices ?? {});
  }

  /** Judges an arm by the constraints anew. */
  judgeConstraints(arm: number): void {
    const isBroken = arm !== this.base && this.constraints.some((record) => record.isBroken(arm));
    this.broken[arm] = isBroken ? 1 : 0;
  }

  /** Returns the number of a family that something was seen of now. */
  seeFamily(name: string): number {
    const isKnown = this.families.find(name) !== undefined;
    const number = this.families.see(name, (leaving) => this.#merge(leaving));
    if (this.families.size > this.#capacity) this.#grow(this.#capacity * 2);
    if (!isKnown) this.levels[number] = this.pooledBaseMean();
    return number;
  }

  /** Forgets a family: the rest has what was learned and lost in it, and none of its requests. */
  forgetFamily(name: string): void {
    const numbers = this.families.remove(name);
    if (numbers === undefined) return;
    const { freed, last } = numbers;
    this.requests[freed] = 0;
    this.#merge(freed);
    if (last === freed) return;
    this.levels[freed] = this.levels[last] ?? 0;
    this.#merge(last, freed);
  }

  /** The mean reward of base in all families; one half before there is any. */
  pooledBaseMean(): number {
    return ((this.armSums[this.base] ?? 0) + 0.5) / ((this.armCounts[this.base] ?? 0) + 1);
  }

  /** Requests of all families. */
  countRequests(): number {
    let all = 0;
    for (const count of this.requests) all += count;
    return all;
  }

  /** Every account there is of a metric beside the optimised one. */
  *metricAccounts(): Generator<MetricAccount> {
    if (this.complaints !== undefined) yield this.complaints;
    yield* this.guarded.values();
  }

  /** Prior advantages count from base's, so that means of models do as well as differences to base. */
  #believe(priors: Readonly<Record<string, number>>): void {
    const ofBase = priors[this.arms[this.base] ?? ""] ?? 0;
    const { priorWeight } = this.settings;
    const isAnyStated = this.arms.some((arm) => priors[arm] !== undefined);
    for (const [index, arm] of this.arms.entries()) {
      const stated = index === this.base && isAnyStated ? ofBase : priors[arm];
      if (stated === undefined) continue;
      if (!Number.isFinite(stated)) throw new RangeError(`the prior of ${arm} must be a number`);
      this.armPriorWeights[index] = priorWeight;
      this.armPriorSums[index] = priorWeight * Math.min(1, Math.max(-1, stated - ofBase));
      this.armAdvantages[index] = this.armPriorSums[index] ?? 0;
    }
  }

  #know(prices: Readonly<Record<string, number>>): void {
    for (const [arm, price] of knownPrices(this.arms, prices).entries()) {
      if (price === undefined || arm === this.base) continue;
      this.prices.know(arm, price, this.settings.knownPriceWeight);
    }
  }

  /** Makes room for so many families, the rest included. */
  reserve(families: number): void {
    if (families > this.#capacity) this.#grow(families);
  }

  #grow(capacity: number): void {
    const arms = this.arms.length;
    this.#capacity = capacity;
    this.counts = grown(this.counts, capacity * arms);
    this.sums = grown(this.sums, capacity * arms);
    this.requests = grown(this.requests, capacity);
    this.levels = grown(this.levels, capacity);
    this.errors.grow(capacity);
    this.prices.grow(capacity);
    this.grades.grow(capacity);
    this.account.grow(capacity);
    for (const account of this.metricAccounts()) account.grow(capacity);
  }

  /** Moves what is known of a family into another, and empties it. */
  #merge(family: number, into = REST): void {
    const arms = this.arms.length;
    const before = this.#rewardsIn(into);
    const moved = this.#rewardsIn(family);
    if (moved > 0) {
      const sum = before * (this.levels[into] ?? 0) + moved * (this.levels[family] ?? 0);
      this.levels[into] = sum / (before + moved);
    }
    for (const values of [this.counts, this.sums]) {
      for (let arm = 0; arm < arms; arm++) {
        values[into * arms + arm] = (values[into * arms + arm] ?? 0) + (values[family * arms + arm] ?? 0);
        values[family * arms + arm] = 0;
      }
    }
    mergeFamily([this.requests], family, into);
    this.errors.merge(family, into);
    this.prices.merge(family, into);
    this.grades.merge(family, into);
    this.account.merge(family, into);
    for (const account of this.metricAccounts()) account.merge(family, into);
  }

  #rewardsIn(family: number): number {
    let rewards = 0;
    for (let arm = 0; arm < this.arms.length; arm++) rewards += this.counts[family * this.arms.length + arm] ?? 0;
    return rewards;
  }
}
