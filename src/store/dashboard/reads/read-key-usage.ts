import type { TimeRange } from "../../read/queries/range.ts";
import { sumRollups } from "../../read/queries/sum-rollups.ts";
import type { Store } from "../../types/store.ts";

/** The usage of one key. */
interface KeyUsage {
  readonly publicId: string;
  readonly calls: number;
  /** Sent, read from a cache and written into one, and answered. */
  readonly tokens: number;
  /** Calls whose cost is known; the cost is of these. */
  readonly pricedCalls: number;
  readonly costNanos: number;
}

const TOKENS = ["input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"];

/** Adds up the calls of some keys in a time, in whole hours; those that were not used are left out. */
export async function readKeyUsage(
  store: Store,
  projectId: string,
  range: TimeRange,
  publicIds: readonly string[],
): Promise<KeyUsage[]> {
  if (publicIds.length === 0) return [];
  const sums = ["calls", "priced_calls", "cost_nanos", ...TOKENS];
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range, bucket: "none", group: ["key_id"], sums },
    filter: { key_id: publicIds },
  });
  return rows.map(({ group: [publicId = ""], sums: of }) => ({
    publicId,
    calls: of["calls"] ?? 0,
    tokens: TOKENS.reduce((tokens, column) => tokens + (of[column] ?? 0), 0),
    ...{ pricedCalls: of["priced_calls"] ?? 0, costNanos: of["cost_nanos"] ?? 0 },
  }));
}
