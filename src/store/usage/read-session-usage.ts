import type { UsageQuery } from "../../hub/usage.ts";
import { readRows } from "../database/executor.ts";
import { countLatency, encodeHistogram, type Histogram } from "../types/histogram.ts";
import { firstIdAt, PERIODS, periodAt } from "../types/period.ts";
import type { Engine, Store } from "../types/store.ts";
import { COLUMNS, LATENCIES, SUMS, type UsageSums } from "./sum-usage.ts";

const COMPLETED = "status = 'completed'";

/** The functions of each engine: sums of any number of calls, and texts one after the other. */
const SQL: Record<Engine, { readonly sum: string; readonly latencies: string }> = {
  sqlite: { sum: "total", latencies: `group_concat(case when ${COMPLETED} then cast(latency_ms as integer) end, ' ')` },
  postgres: { sum: "sum", latencies: `string_agg(case when ${COMPLETED} then round(latency_ms)::text end, ' ')` },
};

/**
 * Adds up calls by their sessions, from the rows: there are too many sessions for rollups. It reads all calls of the
 * time, so whoever asks bounds these.
 */
export async function readSessionUsage(
  store: Store,
  { projectId, keyId, from, to, groupBy }: UsageQuery,
): Promise<UsageSums[]> {
  const columns = groupBy.map((dimension) => (dimension === "session" ? "session_id" : COLUMNS[dimension]));
  const names = columns.join(", ");
  const selected = [names, ...Object.values(SUMS).map((column) => addedUp(store.engine, column))];
  // Such a condition keeps the database from the index of sessions, which has those of all time.
  const where = ["project_id = ?", "id >= ?", "id < ?", "coalesce(session_id, '') <> ''"];
  if (keyId !== undefined) where.push("key_id = ?");
  const rows = await readRows<Readonly<Record<string, unknown>>>(
    store,
    `select ${selected.join(", ")}, ${SQL[store.engine].latencies} as latencies from inference
      where ${where.join(" and ")} group by ${names}`,
    [projectId, ...idsOf({ from, to }), ...(keyId === undefined ? [] : [keyId])],
  );
  const sums = rows.map((row) => ({
    group: columns.map((column) => String(row[column])),
    sums: Object.fromEntries(Object.values(SUMS).map((column) => [column, Number(row[column] ?? 0)])),
    histograms: { [LATENCIES]: toHistogram(String(row["latencies"] ?? "")) },
  }));
  return sums.sort((a, b) => inOrder(a.group, b.group));
}

/** Compares groups by their values. */
export function inOrder(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}

function addedUp(engine: Engine, column: string): string {
  if (column === SUMS.calls) return `count(*) as ${column}`;
  if (column === SUMS.failedCalls) return `count(case when status = 'failed' then 1 end) as ${column}`;
  if (column === SUMS.pricedCalls) return `count(${SUMS.costNanos}) as ${column}`;
  if (column === SUMS.estimatedCalls) return `count(case when usage_estimated then 1 end) as ${column}`;
  return `${SQL[engine].sum}(${column}) as ${column}`;
}

/** The ids of the hours that a time touches, as the rollups of its total have them. */
function idsOf({ from, to }: Pick<UsageQuery, "from" | "to">): readonly [string, string] {
  const first = periodAt("hour", from.getTime());
  const end = Math.ceil(to.getTime() / PERIODS.hour);
  return [firstIdAt(first * PERIODS.hour), firstIdAt(end * PERIODS.hour)];
}

function toHistogram(latencies: string): string {
  const histogram: Histogram = [];
  for (const latencyMs of latencies === "" ? [] : latencies.split(" ")) countLatency(histogram, Number(latencyMs));
  return encodeHistogram(histogram);
}
