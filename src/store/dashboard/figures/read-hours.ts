import { sumRollups } from "../../read/queries/sum-rollups.ts";
import { GROUP_COLUMNS } from "../../read/queries/usage.ts";
import type { Store } from "../../types/store.ts";
import type { CountedPart, PartQuery } from "./part.ts";
import { bucketOf } from "./steps.ts";

const SUMS = [
  ...["calls", "input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"],
  ...["priced_calls", "cost_nanos", "base_cost_nanos", "cache_saved_nanos", "latency_micros"],
  ...["saved_cache_marks_nanos", "saved_coalescing_nanos", "saved_response_cache_nanos", "saved_choice_nanos"],
  ...["saved_routing_nanos", "saved_failover_nanos", "saved_hedging_nanos", "saved_retry_nanos"],
  "saved_candidates_nanos",
];

/** Reads calls from the rollups, which know whole hours: the range begins and ends with the hours that it touches. */
export async function readHours(store: Store, query: PartQuery): Promise<CountedPart[]> {
  const { projectId, fromMs, toMs, stepMs, group } = query;
  const bucket = stepMs === undefined ? "none" : bucketOf(stepMs);
  const columns = GROUP_COLUMNS[group];
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range: { from: new Date(fromMs), to: new Date(toMs) }, bucket },
    group: [...columns, "status"],
    sums: SUMS,
    histograms: ["latencies", "first_tokens"],
  });
  return rows.map((row) => {
    const sum = (column: string) => row.sums[column] ?? 0;
    return {
      startMs: row.start?.getTime() ?? fromMs,
      group: row.group.slice(0, columns.length),
      status: row.group[columns.length] ?? "",
      calls: sum("calls"),
      inputTokens: sum("input_tokens"),
      cacheReadTokens: sum("cache_read_tokens"),
      cacheWriteTokens: sum("cache_write_tokens"),
      outputTokens: sum("output_tokens"),
      pricedCalls: sum("priced_calls"),
      costNanos: sum("cost_nanos"),
      baseCostNanos: sum("base_cost_nanos"),
      cacheSavedNanos: sum("cache_saved_nanos"),
      savedCacheMarksNanos: sum("saved_cache_marks_nanos"),
      savedCoalescingNanos: sum("saved_coalescing_nanos"),
      savedResponseCacheNanos: sum("saved_response_cache_nanos"),
      savedChoiceNanos: sum("saved_choice_nanos"),
      savedRoutingNanos: sum("saved_routing_nanos"),
      savedFailoverNanos: sum("saved_failover_nanos"),
      savedHedgingNanos: sum("saved_hedging_nanos"),
      savedRetryNanos: sum("saved_retry_nanos"),
      savedCandidatesNanos: sum("saved_candidates_nanos"),
      latencyMicros: sum("latency_micros"),
      latencies: row.histograms["latencies"] ?? "",
      firstTokens: row.histograms["first_tokens"] ?? "",
    };
  });
}
