import { readRows } from "../../database/executor.ts";
import type { InferenceRow } from "../../entities/inference.ts";
import { type InferenceListQuery, newestMatching, readInferences } from "../../read/queries/list-inferences.ts";
import type { Store } from "../../types/store.ts";
import { describeRows, type HistoryRow } from "./describe-rows.ts";

/** The orders beside the newest first. */
export const HISTORY_ORDERS = ["oldest", "cost", "duration", "tokens"] as const;
export type HistoryOrder = (typeof HISTORY_ORDERS)[number];

/** Requests in another order than that of time. */
export interface SortedHistory {
  readonly rows: readonly HistoryRow[];
  /** The newest requests of the filter, among which these come first. */
  readonly looked: number;
}

/**
 * Requests that are put in order: no index has them by cost, duration or tokens, and one for each would be written with
 * every call.
 */
const MOST_SORTED = 5000;

const IDS_AT_ONCE = 1000;

/** SQL of the values that come first where they are greatest. */
const VALUES: Readonly<Record<Exclude<HistoryOrder, "oldest">, string>> = {
  cost: "cost_nanos",
  duration: "latency_ms",
  tokens:
    "input_tokens + coalesce(cache_read_tokens, 0) + coalesce(cache_write_tokens, 0) + coalesce(output_tokens, 0)",
};

/** Reads the first of the newest requests of a filter in an order; those without a value are left out. */
export async function sortHistory(
  store: Store,
  { order, ...query }: Omit<InferenceListQuery, "cursor"> & { readonly order: HistoryOrder },
): Promise<SortedHistory> {
  const ids = await newestMatching(store, { ...query, limit: MOST_SORTED });
  const first = order === "oldest" ? ids.toReversed() : await byValue(store, ids, VALUES[order]);
  const wanted = first.slice(0, query.limit);
  const rows = await readInferences(store, query.projectId, wanted);
  const rowOf = new Map<string, InferenceRow>(rows.map((row) => [row.id, row]));
  const ordered = wanted.flatMap((id) => rowOf.get(id) ?? []);
  return { rows: await describeRows(store, ordered), looked: ids.length };
}

async function byValue(store: Store, ids: readonly string[], value: string): Promise<string[]> {
  const found: { readonly id: string; readonly value: number }[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const part = ids.slice(start, start + IDS_AT_ONCE);
    const list = part.map(() => "?").join(", ");
    const sql = `select id, ${value} as value from inference where id in (${list}) and ${value} is not null`;
    const rows = await readRows<{ id: string; value: number | string }>(store, sql, part);
    found.push(...rows.map((row) => ({ id: row.id, value: Number(row.value) })));
  }
  return found.sort((a, b) => b.value - a.value || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
}
