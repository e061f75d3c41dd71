import { OBJECTIVES, type ObjectiveSettings } from "./settings.ts";
import { isComplaintsOnly, isFeedbackDense } from "./shadow/feedback-rate.ts";
import { pessimisticLoss } from "./update-regret.ts";
import type { WorkloadState } from "./workload-state.ts";

/**
 * The share of its budget that the account of the optimised metric may have lost, the next reward included; 1 is all of
 * it.
 */
export function usedShare(state: WorkloadState): number {
  const { loss, budget } = rewardLevel(state);
  return loss / budget;
}

/**
 * Returns whether others than base have earned more than base would have, whatever doubt says and the next reward
 * costs; in complaints too, where feedback is voluntary: who is praised more often for the same is no better.
 */
export function isInGain(state: WorkloadState): boolean {
  const { complaints, settings } = state;
  return rewardLevel(state).loss <= 0 && (complaints === undefined || complaints.lossOf(settings) <= 0);
}

/** The level of the account of the optimised metric: the loss that has to be reckoned with, and what may be lost. */
export function rewardLevel(state: WorkloadState): { readonly loss: number; readonly budget: number } {
  const settings = OBJECTIVES[state.objective];
  const part = hasGrades(state) ? state.settings.regretWithGrades : 1;
  // The next reward can cost one at most.
  return { loss: pessimisticLoss(state, settings) + 1, budget: part * allowedOf(state) };
}

/**
 * The regret allowed so far, in rewards. A margin is one of answers: where few of them get feedback, as much less of it
 * may be lost by those that do.
 */
function allowedOf({ objective, rewards, decisions }: WorkloadState): number {
  const { isMarginGiven, budget } = OBJECTIVES[objective];
  const answers = Math.max(rewards, decisions);
  return isMarginGiven && answers > 0 ? (budget(answers) * rewards) / answers : budget(rewards);
}

/** Returns whether none of the accounts is overdrawn, at the worst that has to be reckoned with. */
export function hasRoom(state: WorkloadState): boolean {
  return usedShare(state) <= 1 && guardsHaveRoom(state);
}

/** Standard deviations by which the account is read for a model that people and a proven judge say is better. */
const DOUBT_OF_EVIDENCE = 1;

/**
 * Returns whether models that the evidence speaks for may answer although the account has no room for others: grades
 * count, and people's rewards do not say by themselves that more was lost than may be.
 */
export function hasRoomByEvidence(state: WorkloadState): boolean {
  if (!hasGrades(state)) return false;
  const settings = OBJECTIVES[state.objective];
  const loss = pessimisticLoss(state, { ...settings, doubt: Math.min(DOUBT_OF_EVIDENCE, settings.doubt) }) + 1;
  return loss <= allowedOf(state) && guardsHaveRoom(state);
}

/** Standard deviations by which the few rewards are read that come where feedback is rare. */
const DOUBT_WHERE_RARE = 0.5;

/**
 * Returns whether models that the evidence speaks for may answer where feedback is rare: a judge may favour one, and
 * people's rewards by themselves say so in time. Where people only complain, rewards say nothing.
 */
export function hasRoomWhereRare(state: WorkloadState): boolean {
  if (!guardsHaveRoom(state)) return false;
  if (!hasGrades(state) || isComplaintsOnly(state)) return true;
  return pessimisticLoss(state, { ...OBJECTIVES[state.objective], doubt: DOUBT_WHERE_RARE }) <= allowedOf(state);
}

/** Returns whether others than base may answer at all. */
export function mayDeviate(state: WorkloadState): boolean {
  if (!isFeedbackDense(state)) return hasRoomWhereRare(state);
  return hasRoom(state) || hasRoomByEvidence(state);
}

/** Returns whether grades count: a judge has proved itself. */
export function hasGrades({ evidence }: WorkloadState): boolean {
  return evidence.gradeWeight > 0;
}

/**
 * Returns what complaints are held to, where the objective has a margin: its own, or they would keep it from being
 * used.
 */
export function findStrictness({ objective }: WorkloadState): ObjectiveSettings | undefined {
  const settings = OBJECTIVES[objective];
  return settings.isMarginGiven ? settings : undefined;
}

/** Returns whether none of the accounts of metrics that are not optimised is overdrawn: complaints and guarded ones. */
export function guardsHaveRoom(state: WorkloadState): boolean {
  const { complaints, guarded, settings } = state;
  if (complaints !== undefined && !complaints.hasRoom(settings, findStrictness(state))) return false;
  // Most workloads guard nothing, and an iterator is an allocation.
  if (guarded.size === 0) return true;
  for (const account of guarded.values()) {
    if (!account.hasRoom(settings)) return false;
  }
  return true;
}
