import type { CatalogModel } from "../../catalog/model.ts";
import type { HubInput } from "../../hub/input.ts";
import { requestedForm } from "../../inference/checks/requested-form.ts";
import type { PlanContext } from "../../inference/ports.ts";
import { hasRoom } from "../../learning/bandit/budget-usage.ts";
import type { LearnedWorkload } from "../../learning/workload.ts";

/** Answers that a trial compares: more would say more of the same pair, and cost more. */
export const ANSWERS_OF_TRIAL = 2;
/** Part of the requests that are trials, where the configuration does not say. */
const DEFAULT_TRIALS = 0.05;

/** Rewards of single answers before a trial: a workload with fewer may never have any. */
const LEAST_REWARDS = 20;
/** One of so many requests has feedback at least, or most trials would be paid for and teach nothing. */
const MOST_REQUESTS_PER_REWARD = 50;

/** A request that asked for one answer. */
interface TrialFacts {
  readonly input: HubInput;
  readonly model: CatalogModel;
  readonly context: PlanContext;
  /** Finds what is known of its workload. */
  readonly find: () => LearnedWorkload | undefined;
  /** Draws a number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Returns whether a request is a trial: base gives two answers, and chance alone says which of them is returned, so
 * that feedback on it shows what the choice among several is good for. That costs a further answer and the wait for it,
 * and nothing else, since either is one that base gives.
 */
export function isTrial({ input, model, context, find, random }: TrialFacts): boolean {
  const { learned = "off", selectorTrials = DEFAULT_TRIALS } = model.candidates ?? {};
  if (learned === "off" || (context.streamed && learned === "unary")) return false;
  if (input.plain || input.compact || input.n > 1 || random() >= selectorTrials) return false;
  const workload = find();
  if (workload === undefined || !isWorthTrials(workload)) return false;
  // The first that a machine finds to be of its form is given, and nothing is compared.
  if (requestedForm(input, model.checks)?.isStructured === true) return false;
  return context.awaiting() === undefined && context.origin() === undefined;
}

/**
 * Returns whether the workload may come to ask for several answers, and nothing but a measured choice among them is
 * missing.
 */
function isWorthTrials({ controls, state, selector }: LearnedWorkload): boolean {
  if (controls.mode !== "on" || controls.hold !== undefined || !state.hasSeveral) return false;
  if (selector?.isUndecided === false || state.rewards < LEAST_REWARDS) return false;
  return state.rewards * MOST_REQUESTS_PER_REWARD >= state.countRequests() && hasRoom(state);
}
