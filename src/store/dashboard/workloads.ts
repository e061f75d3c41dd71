import type { Metric } from "../read/queries/metrics.ts";
import type { WorkloadCalls, WorkloadsQuery } from "./reads/read-workload-calls.ts";
import type { DashboardReads } from "./reads/reads.ts";

export type { Metric, WorkloadCalls };

/** Workloads of a project. */
export interface Workloads {
  /** Reads what was called, by time, workload and model. */
  calls(query: WorkloadsQuery): Promise<WorkloadCalls[]>;
  /** Reads the metrics of each workload. */
  metrics(query: Omit<WorkloadsQuery, "bucket">): Promise<Metric[]>;
}

/** Creates the workloads that are read so. */
export function createWorkloads(reads: DashboardReads): Workloads {
  return {
    calls: (query) => reads.readWorkloadCalls(query),
    metrics: (query) => reads.readMetrics({ ...query, bucket: "none", group: "workload" }),
  };
}
