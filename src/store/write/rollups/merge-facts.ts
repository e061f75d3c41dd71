import { mergeHistograms } from "../../../figures/histogram.ts";
import type { FeedbackFactRow } from "../../entities/feedback-rollup.ts";
import { ALL_KEYS, type LargerFactRow, type UsageFactRow } from "../../entities/usage-fact.ts";
import { LARGEST_COST, NO_CALLS } from "./add-call.ts";
import { compareKeys } from "./compare-keys.ts";

/** Properties that make up the key of longer periods, in its order. */
const KEY = ["projectId", "period", "kind", "keyId", "name"] as const;

type Sums = { -readonly [Name in keyof LargerFactRow]: LargerFactRow[Name] };

/** Returns the rows of a longer period for rows by status: for each key, and for all of them. */
export function mergeStatuses(rows: readonly UsageFactRow[]): LargerFactRow[] {
  const groups = new Map<string, Sums>();
  for (const row of rows) {
    for (const keyId of [row.keyId, ALL_KEYS]) {
      const { projectId, period, kind, name } = row;
      const key = JSON.stringify([projectId, period, kind, keyId, name]);
      const sums = groups.get(key) ?? {
        projectId,
        period,
        kind,
        keyId,
        name,
        ...NO_CALLS,
        failedCalls: 0,
        latencies: "",
      };
      groups.set(key, sums);
      add(sums, row);
    }
  }
  return [...groups.values()].sort((a, b) => compareKeys(KEY, a, b));
}

function add(sums: Sums, row: UsageFactRow): void {
  sums.calls += row.calls;
  sums.inputTokens += row.inputTokens;
  sums.cacheReadTokens += row.cacheReadTokens;
  sums.cacheWriteTokens += row.cacheWriteTokens;
  sums.outputTokens += row.outputTokens;
  sums.reasoningTokens += row.reasoningTokens;
  sums.estimatedCalls += row.estimatedCalls;
  sums.pricedCalls += row.pricedCalls;
  sums.costNanos = Math.min(sums.costNanos + row.costNanos, LARGEST_COST);
  if (row.status === "failed") sums.failedCalls += row.calls;
  if (row.status === "completed") sums.latencies = mergeHistograms(sums.latencies, row.latencies);
}

/** Adds the rows for all keys to those of each. */
export function withAllKeys(rows: readonly FeedbackFactRow[]): FeedbackFactRow[] {
  const all = new Map<string, FeedbackFactRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.projectId, row.period, row.kind, row.name]);
    const sums = all.get(key) ?? { ...row, keyId: ALL_KEYS, entries: 0, booleans: 0, trueEntries: 0 };
    sums.entries += row.entries;
    sums.booleans += row.booleans;
    sums.trueEntries += row.trueEntries;
    all.set(key, sums);
  }
  return [...rows, ...all.values()].sort((a, b) => compareKeys(KEY, a, b));
}
