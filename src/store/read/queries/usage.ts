import type { Store } from "../../types/store.ts";
import type { Bucket, TimeRange } from "./range.ts";
import { type RollupSums, sumRollups } from "./sum-rollups.ts";

/** The columns that calls can be grouped by. */
export type UsageGroup = "none" | "model" | "servedModel" | "key" | "workload" | "deployment" | "status";

/** The filter of calls; undefined matches any. */
export interface UsageFilter {
  readonly model?: string | undefined;
  /** The model that answered, or failed to. */
  readonly servedModel?: string | undefined;
  readonly upstream?: string | undefined;
  readonly errorReason?: string | undefined;
  readonly keyId?: string | undefined;
  readonly workload?: string | undefined;
  readonly status?: string | undefined;
}

/** A question about usage. */
export interface UsageQuery {
  readonly projectId: string;
  readonly range: TimeRange;
  readonly bucket: Bucket;
  readonly group: UsageGroup;
  readonly filter?: UsageFilter;
}

/** Usage of one group in one bucket. */
export interface Usage {
  /** When the bucket begins; undefined for that of the whole range. */
  readonly start: Date | undefined;
  /** One name; of a deployment the upstream and its name of the model; nothing for the group none. */
  readonly group: readonly string[];
  readonly calls: number;
  readonly streamedCalls: number;
  /** Calls that were not served by the plain base model. */
  readonly routedCalls: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Calls whose cost is known; the costs are of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
  /** The cost of plain calls of the base models. */
  readonly baseCostNanos: number;
  /** Sum of the latencies. */
  readonly latencyMs: number;
}

/** Columns of each group. */
export const GROUP_COLUMNS: Record<UsageGroup, readonly string[]> = {
  none: [],
  model: ["model"],
  servedModel: ["served_model"],
  key: ["key_id"],
  workload: ["workload"],
  deployment: ["upstream", "upstream_model"],
  status: ["status"],
};

const SUMS = [
  ...["calls", "streamed_calls", "routed_calls", "input_tokens", "cache_read_tokens", "cache_write_tokens"],
  ...["output_tokens", "reasoning_tokens", "priced_calls", "cost_nanos", "base_cost_nanos", "latency_micros"],
];

/**
 * Reads usage by time and group, in that order; what nothing was counted in is left out. With the bucket none and the
 * group none it is the total, or nothing.
 */
export async function readUsage(store: Store, query: UsageQuery): Promise<Usage[]> {
  const { projectId, range, bucket, group, filter } = query;
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range, bucket, sums: SUMS },
    group: GROUP_COLUMNS[group],
    filter: usageColumns(filter),
  });
  return rows.map(toUsage);
}

/** Returns a filter by the names of the columns. */
export function usageColumns(filter: UsageFilter = {}): Readonly<Record<string, string | undefined>> {
  const { model, servedModel, upstream, keyId, workload, status, errorReason } = filter;
  return {
    ...{ model, served_model: servedModel, upstream, key_id: keyId, workload, status },
    error_reason: errorReason,
  };
}

function toUsage({ start, group, sums }: RollupSums): Usage {
  const sum = (column: string) => sums[column] ?? 0;
  return {
    start,
    group,
    calls: sum("calls"),
    streamedCalls: sum("streamed_calls"),
    routedCalls: sum("routed_calls"),
    inputTokens: sum("input_tokens"),
    cacheReadTokens: sum("cache_read_tokens"),
    cacheWriteTokens: sum("cache_write_tokens"),
    outputTokens: sum("output_tokens"),
    reasoningTokens: sum("reasoning_tokens"),
    pricedCalls: sum("priced_calls"),
    costNanos: sum("cost_nanos"),
    baseCostNanos: sum("base_cost_nanos"),
    latencyMs: sum("latency_micros") / 1000,
  };
}
