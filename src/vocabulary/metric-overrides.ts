import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";

/** An operator's settings of a metric in a workload. */
export interface MetricSettings {
  /** Flattened name. */
  readonly name: string;
  /** The weight in the reward, from 0 to 1; 0 guards the metric instead. 1 if absent. */
  readonly weight?: number;
  /** The direction in which it gets better where the client did not say. */
  readonly direction?: "max" | "min";
  /** The bound on the mean of a model's values, as they are sent; booleans are 0 and 1. */
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Metrics of which an operator may say something. */
const MOST_METRIC_SETTINGS = 100;
const MOST_NAME_LENGTH = 256;

/**
 * Puts what is said now onto what was said of metrics before: each takes the place of what was said of the same one,
 * and one of which nothing but the name is said counts like all others again. Null where nothing is said of a metric.
 */
export function mergeOverrides(
  before: readonly MetricSettings[] | null,
  changes: readonly MetricSettings[],
): readonly MetricSettings[] | null {
  const names = new Set(changes.map(({ name }) => name));
  const others = (before ?? []).filter(({ name }) => !names.has(name));
  const all = [...others, ...changes.filter((metric) => Object.keys(metric).length > 1)];
  return all.length === 0 ? null : all;
}

/** Says what is wrong with how much is said; undefined if nothing is. */
export function checkCount(metrics: readonly MetricSettings[] | null): string | undefined {
  if ((metrics ?? []).length <= MOST_METRIC_SETTINGS) return undefined;
  return `something can be said of ${MOST_METRIC_SETTINGS} metrics at most`;
}

/** Says what is wrong with settings; undefined if nothing is. */
export function metricProblem({ name, weight, atLeast, atMost }: MetricSettings): string | undefined {
  const hidden = hiddenCharacterProblem(name);
  if (hidden !== undefined) return `the name ${hidden}`;
  if (name === "" || name.length > MOST_NAME_LENGTH) return `the name must have 1 to ${MOST_NAME_LENGTH} characters`;
  if (weight !== undefined && !(weight >= 0 && weight <= 1)) return "the weight must be from 0 to 1";
  const bounds = [atLeast, atMost].filter((bound) => bound !== undefined);
  if (!bounds.every(Number.isFinite)) return "bounds must be finite numbers";
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost)
    return "the lower bound is above the upper bound";
  return undefined;
}

/** Describes the settings of a metric, in a line. */
export function describeMetric({ name, weight, direction, atLeast, atMost }: MetricSettings): string {
  const parts = [
    weight === undefined ? [] : [`weight ${weight}`],
    direction === undefined ? [] : [`better when ${direction === "min" ? "smaller" : "greater"}`],
    atLeast === undefined ? [] : [`at least ${atLeast}`],
    atMost === undefined ? [] : [`at most ${atMost}`],
  ].flat();
  return `${name}: ${parts.length === 0 ? "default" : parts.join(", ")}`;
}
