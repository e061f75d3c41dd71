import type { MetricStepsQuery } from "../../../store/dashboard/figures/read-metric-steps.ts";
import type { DashboardReads } from "../../../store/dashboard/reads/reads.ts";
import type { Metric } from "../../../store/read/queries/metrics.ts";

/** Feedback of a base model. */
interface ModelFeedback {
  readonly entries: number;
  /** Names of booleans and numbers, which is all that is learned from. */
  readonly metrics: readonly string[];
}

/** Reads what feedback each base model of a project has. */
export async function readModelFeedback(
  reads: DashboardReads,
  query: Omit<MetricStepsQuery, "group">,
): Promise<ReadonlyMap<string, ModelFeedback>> {
  const metrics = await reads.readMetricTotals({ ...query, group: "model" });
  const byModel = Map.groupBy(metrics, ({ group = "" }) => group);
  return new Map([...byModel].map(([model, own]) => [model, addUp(own)]));
}

function addUp(metrics: readonly Metric[]): ModelFeedback {
  const learned = metrics.filter(({ kind }) => kind !== "note");
  return {
    entries: metrics.reduce((sum, { entries }) => sum + entries, 0),
    metrics: [...new Set(learned.map(({ name }) => name))],
  };
}
