import {
  checkCount,
  describeMetric,
  type MetricSettings,
  mergeOverrides,
  metricProblem,
} from "../hub/metric-overrides.ts";
import { setControls } from "../store/learning/control-store.ts";
import { fail, print } from "./output.ts";
import { setRemoteMetric } from "./remote-controls.ts";
import { withWorkload } from "./run-workloads.ts";
import type { WorkloadOptions } from "./workload-options.ts";

/** Says how a metric counts, in place of what was said of it; the other metrics stay as they are. */
export async function runMetric(said: MetricSettings, options: WorkloadOptions): Promise<void> {
  const problem = metricProblem(said);
  if (problem !== undefined) fail(problem);
  if (options.url !== undefined) return await setRemoteMetric(said, options);
  await withWorkload(options, async ({ store, key, project }) => {
    await setControls(store, key, (before) => {
      const metrics = mergeOverrides(before.metrics, [said]);
      const tooMany = checkCount(metrics);
      if (tooMany !== undefined) fail(tooMany);
      return { metrics };
    });
    print(
      `${key.model === "" ? `all workloads of ${project}` : `${key.model} in ${project}`}: ${describeMetric(said)}`,
    );
  });
}
