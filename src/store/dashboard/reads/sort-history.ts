import type { InferenceRow } from "../../entities/inference.ts";
import {
  type InferenceListQuery,
  newestMatching,
  newestValues,
  readInferences,
} from "../../read/queries/list-inferences.ts";
import type { Store } from "../../types/store.ts";
import { describeRows, type HistoryRow } from "./describe-rows.ts";

/** The orders beside the newest first. */
export const HISTORY_ORDERS = ["oldest", "cost", "duration", "tokens"] as const;
export type HistoryOrder = (typeof HISTORY_ORDERS)[number];

/** Requests in another order than that of time. */
interface SortedHistory {
  readonly rows: readonly HistoryRow[];
  /** The newest requests of the filter, among which these come first. */
  readonly looked: number;
}

/**
 * Requests that are put in order: no index has them by cost, duration or tokens, and one for each would be written with
 * every call.
 */
const MOST_SORTED = 5000;

/** Requests that a filter is compared with: for one that lets a hundredth through, 5,000 would lie among 500,000. */
const MOST_LOOKED = 150_000;

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
  const { ids, looked } = await idsInOrder(store, { ...query, limit: MOST_SORTED, mostLooked: MOST_LOOKED }, order);
  const wanted = ids.slice(0, query.limit);
  const rows = await readInferences(store, query.projectId, wanted);
  const rowOf = new Map<string, InferenceRow>(rows.map((row) => [row.id, row]));
  const ordered = wanted.flatMap((id) => rowOf.get(id) ?? []);
  return { rows: await describeRows(store, ordered), looked };
}

async function idsInOrder(
  store: Store,
  query: InferenceListQuery,
  order: HistoryOrder,
): Promise<{ readonly ids: readonly string[]; readonly looked: number }> {
  if (order === "oldest") {
    const ids = await newestMatching(store, query);
    return { ids: ids.toReversed(), looked: ids.length };
  }
  const rows = await newestValues(store, query, VALUES[order]);
  const known = rows.flatMap(({ id, value }) => (value === null ? [] : [{ id, value }]));
  const ids = known.sort((a, b) => b.value - a.value || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
  return { ids, looked: rows.length };
}
