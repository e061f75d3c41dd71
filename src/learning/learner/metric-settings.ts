import type { MetricSettings } from "../../vocabulary/metric-overrides.ts";
import type { Constraint } from "../bandit/constraint-record.ts";
import type { Metrics } from "./metrics.ts";

/** The settings of metrics, by name. */
export type MetricRules = ReadonlyMap<string, MetricSettings>;

/** Returns settings by name. */
export function indexRules(settings: readonly MetricSettings[]): MetricRules {
  return new Map(settings.map((each) => [each.name, each]));
}

/** Name of the account that guards a metric; those of Attune's own begin otherwise. */
export function guardName(name: string): string {
  return `metric:${name}`;
}

/**
 * Returns whether a metric has an account of its own: it counts for nothing, and nobody has said what would be enough.
 */
function isGuarded({ weight, atLeast, atMost }: MetricSettings): boolean {
  return weight === 0 && atLeast === undefined && atMost === undefined;
}

/** The accounts that settings ask for. */
export function listGuards(settings: readonly MetricSettings[]): string[] {
  return settings.filter(isGuarded).map(({ name }) => guardName(name));
}

/** The constraints that settings make. */
export function listConstraints(settings: readonly MetricSettings[]): Constraint[] {
  return settings.flatMap(({ name: metric, atLeast, atMost }) => [
    ...(atLeast === undefined ? [] : [{ metric, relation: "atLeast", bound: atLeast } as const]),
    ...(atMost === undefined ? [] : [{ metric, relation: "atMost", bound: atMost } as const]),
  ]);
}

/** Returns the direction in which a metric gets better: its operator's, or its client's. */
export function findDirection(
  { name, optimize }: { readonly name: string; readonly optimize: string | null },
  rules: MetricRules,
): "max" | "min" {
  return (optimize ?? rules.get(name)?.direction) === "min" ? "min" : "max";
}

/** The reward of a metric's value, and its weight. */
export interface Worth {
  readonly worth: number;
  readonly weight: number;
  /** True of a number that is to be small and that nobody weighed: time, tokens, edits. */
  readonly isExpense?: boolean;
}

/**
 * The weight of expenses beside what tells whether an answer is good. The distance between two models fills their scale
 * whether it matters or not; that of outcomes does so only where one model is always right and one never.
 */
const EXPENSE_WEIGHT = 0.25;

/** Returns what a value of a metric counts for, by its operator's settings. */
export function weigh(
  worth: number,
  entry: { readonly name: string; readonly value: boolean | number; readonly optimize: string | null },
  rules: MetricRules,
): Worth {
  const weight = rules.get(entry.name)?.weight;
  const isExpense = weight === undefined && typeof entry.value === "number" && findDirection(entry, rules) === "min";
  return { worth, weight: weight ?? 1, ...(isExpense && { isExpense }) };
}

/** Returns what a value that was counted before is worth now; undefined where its metric has no place. */
export function worthNow(
  entry: { readonly name: string; readonly value: boolean | number; readonly optimize: string | null },
  { metrics, rules }: { readonly metrics: Metrics; readonly rules: MetricRules },
): Worth | undefined {
  const { name, value } = entry;
  const worth = metrics.worthAgain({ name, value, direction: findDirection(entry, rules) });
  return worth === undefined ? undefined : weigh(worth, entry, rules);
}

/**
 * Makes one reward of what was said together: the mean by weight, which counts as much as the weightiest of it.
 * Undefined where nothing counts.
 */
export function combineWorths(
  worths: readonly Worth[],
): { readonly reward: number; readonly weight: number } | undefined {
  let sum = 0;
  let all = 0;
  let most = 0;
  const hasOutcome = worths.some(({ weight, isExpense }) => weight > 0 && isExpense !== true);
  for (const { worth, weight: own, isExpense } of worths) {
    const weight = isExpense === true && hasOutcome ? EXPENSE_WEIGHT * own : own;
    sum += weight * worth;
    all += weight;
    most = Math.max(most, weight);
  }
  // What digits lose must not make a reward of more than 1.
  return all > 0 ? { reward: Math.min(1, Math.max(0, sum / all)), weight: most } : undefined;
}
