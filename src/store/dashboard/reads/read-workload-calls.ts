import type { TimeRange } from "../../read/queries/range.ts";
import { sumRollups } from "../../read/queries/sum-rollups.ts";
import type { ChartPeriod } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** Calls of one workload to one model, in one step of time. */
export interface WorkloadCalls {
  /** When the step begins: an hour, a day or a week, in UTC. */
  readonly start: Date;
  readonly workload: string;
  readonly model: string;
  readonly calls: number;
  /** Calls whose cost is known; the cost is of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
}

/** The query of workloads. */
interface WorkloadsQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly bucket: ChartPeriod;
}

/** Reads what was called, by time, workload and model. */
export async function readWorkloadCalls(store: Store, query: WorkloadsQuery): Promise<WorkloadCalls[]> {
  const sums = ["calls", "priced_calls", "cost_nanos"];
  const rows = await sumRollups(store, { rollup: "usage", ...query, group: ["workload", "model"], sums });
  return rows.map(({ start, group: [workload = "", model = ""], sums: of }) => ({
    start: start ?? query.range.from,
    ...{ workload, model, calls: of["calls"] ?? 0 },
    ...{ pricedCalls: of["priced_calls"] ?? 0, costNanos: of["cost_nanos"] ?? 0 },
  }));
}
