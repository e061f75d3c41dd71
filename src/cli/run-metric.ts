import { NO_SETTINGS } from "../learning/controls.ts";
import { type MetricSettings, MOST_METRIC_SETTINGS, metricProblem } from "../learning/metric-settings.ts";
import { readControls, setControls } from "../store/learning/control-store.ts";
import { describeMetric } from "./describe-metric.ts";
import { fail, print } from "./output.ts";
import { withWorkload } from "./run-workloads.ts";
import type { WorkloadOptions } from "./workload-options.ts";

/** Says how a metric counts, in place of what was said of it; the other metrics stay as they are. */
export async function runMetric(said: MetricSettings, options: WorkloadOptions): Promise<void> {
  const problem = metricProblem(said);
  if (problem !== undefined) fail(problem);
  await withWorkload(options, async ({ store, key, project }) => {
    const rows = await readControls(store, key.projectId);
    const { metrics } = rows.find((row) => row.key.model === key.model) ?? NO_SETTINGS;
    const others = (metrics ?? []).filter(({ name }) => name !== said.name);
    const all = Object.keys(said).length > 1 ? [...others, said] : others;
    if (all.length > MOST_METRIC_SETTINGS) fail(`something is said of ${MOST_METRIC_SETTINGS} metrics already`);
    await setControls(store, key, { metrics: all.length === 0 ? null : all });
    print(
      `${key.model === "" ? `all workloads of ${project}` : `${key.model} in ${project}`}: ${describeMetric(said)}`,
    );
  });
}
