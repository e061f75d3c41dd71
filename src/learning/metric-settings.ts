import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import type { Constraint } from "../routing/policy/constraint.ts";

/** What an operator says of a metric of a workload. */
export interface MetricSettings {
  /** Flattened name. */
  readonly name: string;
  /** How much it counts in what is made better, from 0 to 1; 0 has it guarded in place of that. 1 if absent. */
  readonly weight?: number;
  /** Which way it gets better where the client did not say. */
  readonly direction?: "max" | "min";
  /** What the mean of a model's values has to be, as they are said; booleans are 0 and 1. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Metrics of which an operator may say something. */
export const MOST_METRIC_SETTINGS = 100;
const MOST_NAME_LENGTH = 256;

/** Says what is wrong with settings; undefined if nothing is. */
export function metricProblem({ name, weight, atLeast, atMost }: MetricSettings): string | undefined {
  const hidden = hiddenCharacterProblem(name);
  if (hidden !== undefined) return `the name ${hidden}`;
  if (name === "" || name.length > MOST_NAME_LENGTH) return `the name must have 1 to ${MOST_NAME_LENGTH} characters`;
  if (weight !== undefined && !(weight >= 0 && weight <= 1)) return "the weight must be from 0 to 1";
  const bounds = [atLeast, atMost].filter((bound) => bound !== undefined);
  if (!bounds.every(Number.isFinite)) return "bounds must be finite numbers";
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
    return "no mean is at least what is above the most that it may be";
  return undefined;
}

/** What is said under a name, by that name. */
export type MetricRules = ReadonlyMap<string, MetricSettings>;

/** Returns settings by name. */
export function rulesOf(settings: readonly MetricSettings[]): MetricRules {
  return new Map(settings.map((each) => [each.name, each]));
}

/** Name of the account that guards a metric; those of Attune's own begin otherwise. */
export function guardOf(name: string): string {
  return `metric:${name}`;
}

/** Whether a metric has an account of its own: it counts for nothing, and nobody has said what would be enough. */
export function isGuarded({ weight, atLeast, atMost }: MetricSettings): boolean {
  return weight === 0 && atLeast === undefined && atMost === undefined;
}

/** The accounts that settings ask for. */
export function guardsOf(settings: readonly MetricSettings[]): string[] {
  return settings.filter(isGuarded).map(({ name }) => guardOf(name));
}

/** The constraints that settings make. */
export function constraintsOf(settings: readonly MetricSettings[]): Constraint[] {
  return settings.flatMap(({ name: metric, atLeast, atMost }) => [
    ...(atLeast === undefined ? [] : [{ metric, relation: "atLeast", bound: atLeast } as const]),
    ...(atMost === undefined ? [] : [{ metric, relation: "atMost", bound: atMost } as const]),
  ]);
}

/** What a value of a metric is worth, and how much that counts. */
export interface Worth {
  readonly worth: number;
  readonly weight: number;
}

/**
 * Makes one reward of what was said together: the mean by weight, which counts as much as the weightiest of it. Undefined where nothing
 * counts.
 */
export function combineWorths(
  worths: readonly Worth[],
): { readonly reward: number; readonly weight: number } | undefined {
  let sum = 0;
  let all = 0;
  let most = 0;
  for (const { worth, weight } of worths) {
    sum += weight * worth;
    all += weight;
    most = Math.max(most, weight);
  }
  // What digits lose must not make a reward of more than 1.
  return all > 0 ? { reward: Math.min(1, Math.max(0, sum / all)), weight: most } : undefined;
}
