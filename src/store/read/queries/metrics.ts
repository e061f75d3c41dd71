import { type Estimate, estimateMean, estimateShare } from "../../../figures/estimates.ts";
import type { Store } from "../../types/store.ts";
import type { Bucket, TimeRange } from "./range.ts";
import { type RollupSums, sumRollups } from "./sum-rollups.ts";

/** A question about feedback. */
export interface MetricsQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly bucket: Bucket;
  /** The grouping beside the metric. */
  readonly group: "none" | "model" | "servedModel" | "workload";
  /** undefined is any. */
  readonly filter?: {
    readonly model?: string | undefined;
    readonly workload?: string | undefined;
    readonly name?: string | undefined;
  };
}

/** Feedback of one name and kind, of one group in one bucket. */
export interface Metric {
  /** When the bucket begins; undefined for that of the whole range. */
  readonly start: Date | undefined;
  /** The model, the model that answered, or the workload; undefined for the group none. */
  readonly group: string | undefined;
  readonly name: string;
  /** boolean, float or note. */
  readonly kind: string;
  readonly entries: number;
  /** Mean of the floats, or share of the booleans that are true; undefined for notes. */
  readonly estimate: Estimate | undefined;
  /** The direction in which it gets better, as most entries that name one have it; undefined if none does. */
  readonly optimize: "max" | "min" | undefined;
}

const SUMS = {
  entries: { column: "entries" },
  sum: { column: "sum" },
  squares: { column: "sum_of_squares" },
  trues: { column: "true_entries" },
  maximised: { column: "maximised" },
  minimised: { column: "minimised" },
};
type Sums = RollupSums<keyof typeof SUMS>;

/** Reads metrics by time, group, name and kind, in that order. */
export async function readMetrics(store: Store, query: MetricsQuery): Promise<Metric[]> {
  const { projectId, range, bucket, group, filter } = query;
  const apart = group === "none" ? [] : [group === "servedModel" ? "served_model" : group];
  const rows = await sumRollups(store, {
    rollup: "feedback",
    projectId,
    range,
    bucket,
    sums: SUMS,
    group: [...apart, "name", "kind"],
    filter: { model: filter?.model, workload: filter?.workload, name: filter?.name },
  });
  return rows.map((row) => toMetric(row, apart.length));
}

function toMetric({ start, group, sums }: Sums, apart: number): Metric {
  const [name = "", kind = ""] = group.slice(apart);
  return createMetric({ start, group: apart === 0 ? undefined : group[0], name, kind, sums });
}

/** Creates a metric of sums. */
export function createMetric({
  sums,
  ...own
}: Pick<Metric, "start" | "group" | "name" | "kind"> & Pick<Sums, "sums">): Metric {
  const { entries, maximised, minimised } = sums;
  return {
    ...own,
    entries,
    estimate: estimate(own.kind, sums),
    optimize: maximised + minimised === 0 ? undefined : maximised >= minimised ? "max" : "min",
  };
}

function estimate(kind: string, { entries, sum, squares, trues }: Sums["sums"]): Estimate | undefined {
  if (kind === "boolean") return estimateShare(entries, trues);
  if (kind === "float") return estimateMean(entries, sum, squares);
  return undefined;
}
