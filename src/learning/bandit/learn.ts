import { usedShare } from "./budget-usage.ts";
import { addReward, removeReward, withdraw } from "./count-reward.ts";
import { advantage, meanReward } from "./estimates.ts";
import { fadeFigures } from "./fade-figures.ts";
import { learnPrice } from "./prices.ts";
import { OBJECTIVES } from "./settings.ts";
import type { AnswerGrade } from "./shadow/judge-record.ts";
import { noteEvent } from "./shadow/weigh-evidence.ts";
import { updateRegret } from "./update-regret.ts";
import type { WorkloadState } from "./workload-state.ts";

/** An event of a request: it was served, or feedback on it came. Families by name, arms by index. */
type PolicyEvent =
  | {
      readonly kind: "served";
      readonly family: string;
      readonly arm: number;
      readonly price?: number;
      /** The discount of reading the prompt from a cache; negative where writing cost more. 0 if absent. */
      readonly saved?: number;
      /** True if the decision was made for an earlier request of the session. */
      readonly isContinued?: boolean;
    }
  | {
      readonly kind: "rewarded";
      readonly family: string;
      readonly arm: number;
      readonly reward: number;
      /** The weight, above 0 and up to 1; 1 if absent. */
      readonly weight?: number;
      /** The part of the weight that counts as a sign that the arm has changed; 1 if absent. */
      readonly driftShare?: number;
      /** The reward that was learned of the same answer before, which this one replaces. */
      readonly replaces?: { readonly reward: number; readonly weight: number } | undefined;
    }
  /** A reward that was learned before is part of another one now. */
  | {
      readonly kind: "withdrawn";
      readonly family: string;
      readonly arm: number;
      readonly reward: number;
      readonly weight: number;
    }
  /** A reward that was learned before counts for more now, or for less. */
  | {
      readonly kind: "reweighed";
      readonly family: string;
      readonly arm: number;
      readonly reward: number;
      readonly before: number;
      readonly after: number;
    }
  /** A reward that was learned before is another one now, since what is usual of its metrics is known better. */
  | {
      readonly kind: "rerated";
      readonly family: string;
      readonly arm: number;
      readonly weight: number;
      readonly before: number;
      readonly after: number;
    }
  /** A judge's grade of an answer of a shadow trial, or of the answer that it is held against. */
  | ({ readonly kind: "graded"; readonly family: string; readonly arm: number } & AnswerGrade)
  /** The same of an answer that people gave a reward for, which tells how good the judge is; or said nothing of. */
  | ({
      readonly kind: "checked";
      readonly arm: number;
      readonly reward: number | undefined;
      /** 1 if absent; below 0 takes as much off again. */
      readonly weight?: number;
    } & AnswerGrade)
  /** A verdict of people of the project on a trial's answer: evidence, but of no account, since nobody got it. */
  | { readonly kind: "judged"; readonly family: string; readonly arm: number; readonly reward: number }
  /** A value of a constrained metric, as it was sent. */
  | ({ readonly kind: "valued" } & MetricValue)
  | ({ readonly kind: "measured"; readonly family: string } & MetricValue);

/** A value of a metric that is guarded or constrained. */
interface MetricValue {
  readonly arm: number;
  readonly metric: string;
  readonly value: number;
  /** 1 if absent. */
  readonly weight?: number;
  /** True if it was counted before, and is taken off. */
  readonly isErased?: boolean;
}

/** By how much one reward changes what price weighs, and the used share of the budget up to which it rises. */
const PRICE_STEP = 0.0005;
const PRICE_ROOM = 0.5;

/** Learns from what happened. Returns the arm whose skill was found to have changed, if it did. */
export function learn(state: WorkloadState, event: PolicyEvent): number | undefined {
  if (!Number.isInteger(event.arm) || event.arm < 0 || event.arm >= state.arms.length) {
    throw new RangeError(`there is no arm ${event.arm}`);
  }
  noteEvent(state);
  switch (event.kind) {
    case "graded":
      state.grades.add(state.seeFamily(event.family), event.arm, event);
      return undefined;
    case "checked":
      if (event.reward === undefined) state.grades.addSilent(event);
      else
        state.grades.addChecked(event.arm, event, { reward: unit(event.reward, "reward"), weight: event.weight ?? 1 });
      return undefined;
    case "judged":
      state.grades.addVerdict(state.seeFamily(event.family), event.arm, unit(event.reward, "reward"));
      return undefined;
    case "served":
      return learnServed(state, event);
    case "rewarded":
      return learnReward(state, event, unit(event.reward, "reward"));
    case "withdrawn": {
      const family = state.seeFamily(event.family);
      withdraw(state, { family, arm: event.arm }, event);
      updateRegret(state, family);
      return undefined;
    }
    case "reweighed": {
      const cell = { family: state.seeFamily(event.family), arm: event.arm };
      const { reward, before, after } = event;
      // What was forgotten of it after a change does not come back.
      const left = withdraw(state, cell, { reward, weight: before });
      if (left > 0) addReward(state, cell, { reward, weight: (after * left) / before });
      updateRegret(state, cell.family);
      return undefined;
    }
    case "rerated": {
      const cell = { family: state.seeFamily(event.family), arm: event.arm };
      const { before, after, weight } = event;
      const left = removeReward(state, cell, { reward: before, weight });
      if (left > 0) addReward(state, cell, { reward: unit(after, "after"), weight: left });
      updateRegret(state, cell.family);
      return undefined;
    }
    case "valued":
      return learnValue(state, event);
    case "measured": {
      const account = state.guarded.get(event.metric);
      if (account === undefined) throw new RangeError(`${event.metric} is not guarded`);
      const { weight = 1 } = event;
      const value = unit(event.value, event.metric);
      const [family, isBase] = [state.seeFamily(event.family), event.arm === state.base];
      if (event.isErased === true) account.remove(family, isBase, weight, value);
      else account.add(family, isBase, weight, weight * value);
      return undefined;
    }
  }
}

function unit(value: number, name: string): number {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} must be from 0 to 1, and is ${value}`);
  return value;
}

function learnServed(
  state: WorkloadState,
  { family: name, arm, price, saved = 0, isContinued = false }: Extract<PolicyEvent, { kind: "served" }>,
): undefined {
  // Counted from the first reward on, so that late feedback does not look like rare feedback.
  if (!isContinued && state.rewards > 0) {
    state.decisions += 1;
    state.armDecisions[arm] = (state.armDecisions[arm] ?? 0) + 1;
  }
  const family = state.seeFamily(name);
  state.requests[family] = (state.requests[family] ?? 0) + 1;
  // Silence counts as content until a complaint comes.
  state.complaints?.add(family, arm === state.base, 1, 1);
  if (price === undefined) return;
  learnPrice(state, { family, arm, price, saved });
}

function learnValue(
  state: WorkloadState,
  { arm, metric, value, weight, isErased }: Extract<PolicyEvent, { kind: "valued" }>,
): undefined {
  if (!Number.isFinite(value)) throw new RangeError(`${metric} must be a number, and is ${value}`);
  for (const record of state.constraints) {
    if (record.constraint.metric !== metric) continue;
    if (isErased === true) record.remove(arm, value, weight);
    else record.add(arm, value, weight);
  }
  state.judgeConstraints(arm);
}

type Rewarded = Extract<PolicyEvent, { kind: "rewarded" }>;

function learnReward(
  state: WorkloadState,
  { family: name, arm, weight = 1, driftShare = 1, replaces }: Rewarded,
  reward: number,
): number | undefined {
  if (!(weight > 0 && weight <= 1)) throw new RangeError(`weight must be above 0 and up to 1, and is ${weight}`);
  const family = state.seeFamily(name);
  if (replaces !== undefined) withdraw(state, { family, arm }, replaces);
  const predicted = meanReward(state, family, arm);
  state.errors.add(family, weight, { reward, predicted });
  addReward(state, { family, arm }, { reward, weight });
  updateRegret(state, family);
  weighPrice(state, weight);
  if (!hasDrifted(state, arm, driftShare * weight * (reward - predicted))) return undefined;
  forget(state, arm);
  return arm;
}

/**
 * Makes price weigh more while the account has room, and less, faster, once it has none: the dual step of a constrained
 * optimum.
 */
function weighPrice(state: WorkloadState, weight: number): void {
  const { mostPriceWeight } = OBJECTIVES[state.objective];
  if (mostPriceWeight === 0) return;
  const step = weight * (usedShare(state) < PRICE_ROOM ? PRICE_STEP : -3 * PRICE_STEP);
  state.priceWeight = Math.min(mostPriceWeight, Math.max(0, state.priceWeight + step));
}

/** Two-sided CUSUM on what rewards were beside what was predicted. */
function hasDrifted(state: WorkloadState, arm: number, surprise: number): boolean {
  if ((state.armCounts[arm] ?? 0) <= state.settings.driftLeastRewards) return false;
  return state.drifts.add(arm, surprise, state.settings);
}

/** Forgets most of an arm that has changed, much of the others, and lets exploration and the accounts begin anew. */
function forget(state: WorkloadState, changed: number): void {
  const { keptOfChanged, keptOfOthers, keptOfAccounts } = state.settings;
  const arms = state.arms.length;
  const { armCounts, armSums, armAdvantages, armPriorWeights, armPriorSums, armDecisions } = state;
  const perArm = [armCounts, armSums, armAdvantages, armPriorWeights, armPriorSums, armDecisions];
  for (let arm = 0; arm < arms; arm++) {
    const retained = arm === changed ? keptOfChanged : keptOfOthers;
    for (const values of perArm) values[arm] = (values[arm] ?? 0) * retained;
    for (const record of state.constraints) record.fade(arm, retained);
    state.judgeConstraints(arm);
    state.grades.fade(arm, retained);
    for (let cell = arm; cell < state.counts.length; cell += arms) {
      state.counts[cell] = (state.counts[cell] ?? 0) * retained;
      state.sums[cell] = (state.sums[cell] ?? 0) * retained;
    }
  }
  state.drifts.reset(changed);
  state.errors.fade(keptOfAccounts);
  fadeFigures([state.requests], keptOfAccounts);
  state.account.fade(keptOfAccounts);
  for (const account of state.metricAccounts()) account.fade(keptOfAccounts);
}

/** Returns each model's advantage over base, as a prior of new workloads: by name, with its rewards as weight. */
export function learnedAdvantages(state: WorkloadState): Record<string, { advantage: number; rewards: number }> {
  const ofBase = advantage(state, state.base);
  return Object.fromEntries(
    state.arms.flatMap((name, arm) => {
      if (state.places[arm] !== undefined) return [];
      return [[name, { advantage: advantage(state, arm) - ofBase, rewards: state.armCounts[arm] ?? 0 }]];
    }),
  );
}
