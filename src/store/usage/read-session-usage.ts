import { countLatency, encodeHistogram, type Histogram } from "../../figures/histogram.ts";
import { findParts, type Measure, SUMS, type SumName } from "../../figures/measures.ts";
import { Tally } from "../../figures/tally.ts";
import type { UsageQuery } from "../../figures/usage.ts";
import { toSnakeCase } from "../../lib/letter-case.ts";
import { readRows } from "../database/executor.ts";
import { countedIds } from "../read/queries/counted-time.ts";
import { getColumn } from "../read/queries/read-measures.ts";
import type { Engine, Store } from "../types/store.ts";

const COMPLETED = "status = 'completed'";

/** The functions of each engine: sums of any number of calls, and texts one after the other. */
const SQL: Record<Engine, { readonly sum: string; readonly latencies: string }> = {
  sqlite: { sum: "total", latencies: `group_concat(case when ${COMPLETED} then latency_ms end, ' ')` },
  postgres: { sum: "sum", latencies: `string_agg(case when ${COMPLETED} then latency_ms::text end, ' ')` },
};

/**
 * Adds up calls by their sessions, from the rows: there are too many sessions for rollups. It reads all calls of the
 * time, so whoever asks bounds these.
 */
export async function readSessionUsage<Name extends Measure>(
  store: Store,
  { projectId, keyId, from, to, groupBy }: UsageQuery,
  measures: readonly Name[],
): Promise<{ readonly group: readonly string[]; readonly tally: Tally<Name> }[]> {
  const columns = groupBy.map((dimension) => (dimension === "session" ? "session_id" : getColumn(dimension)));
  const names = columns.join(", ");
  const { sums } = findParts(measures);
  const selected = [names, ...sums.map((sum) => `${addedUp(store.engine, sum)} as "${sum}"`)];
  // Such a condition keeps the database from the index of sessions, which has those of all time.
  const where = ["project_id = ?", "id >= ?", "id < ?", "coalesce(session_id, '') <> ''"];
  if (keyId !== undefined) where.push("key_id = ?");
  const rows = await readRows<Readonly<Record<string, unknown>>>(
    store,
    `select ${selected.join(", ")}, ${SQL[store.engine].latencies} as latencies from inference
      where ${where.join(" and ")} group by ${names}`,
    [projectId, ...(await countedIds(store, { from, to })), ...(keyId === undefined ? [] : [keyId])],
  );
  const groups = rows.map((row) => {
    const tally = new Tally(measures);
    tally.add({
      sums: Object.fromEntries(sums.map((sum) => [sum, Number(row[sum] ?? 0)])),
      histograms: { "completed.latency": toHistogram(String(row["latencies"] ?? "")) },
    });
    return { group: columns.map((column) => String(row[column])), tally };
  });
  return groups.sort((a, b) => inOrder(a.group, b.group));
}

/** Compares groups by their values. */
export function inOrder(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at === -1 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}

function addedUp(engine: Engine, sum: SumName): string {
  const { property, of, perCall = toSnakeCase(property) } = SUMS[sum];
  return `${SQL[engine].sum}(${of === undefined ? perCall : `case when status = '${of}' then ${perCall} end`})`;
}

function toHistogram(latencies: string): string {
  const histogram: Histogram = [];
  for (const latencyMs of latencies === "" ? [] : latencies.split(" ")) countLatency(histogram, Number(latencyMs));
  return encodeHistogram(histogram);
}
