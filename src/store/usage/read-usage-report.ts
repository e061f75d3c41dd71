import type { UsageDimension, UsageFigures, UsageQuery, UsageReport } from "../../hub/usage.ts";
import { type RollupSums, sumRollups } from "../read/queries/sum-rollups.ts";
import { addHistogram, type Histogram, percentileMs } from "../types/histogram.ts";
import type { Store } from "../types/store.ts";
import { readShadowUsage } from "./read-shadow-usage.ts";

/** The column of each dimension in the rollups. */
const COLUMNS: Record<UsageDimension, string> = {
  key: "key_id",
  model: "model",
  project: "project_id",
  workload: "workload",
};

/** The column of each figure that is a sum. */
const SUMS = {
  calls: "calls",
  inputTokens: "input_tokens",
  cacheReadTokens: "cache_read_tokens",
  cacheWriteTokens: "cache_write_tokens",
  outputTokens: "output_tokens",
  reasoningTokens: "reasoning_tokens",
  estimatedCalls: "estimated_calls",
  pricedCalls: "priced_calls",
  costNanos: "cost_nanos",
} as const satisfies Partial<Record<keyof UsageFigures, string>>;

const SUM_ENTRIES = Object.entries(SUMS) as [keyof typeof SUMS, string][];

type Sums = Record<keyof typeof SUMS | "failedCalls", number> & { readonly latencies: Histogram };

/** Adds up the calls of a project, or of one of its keys, from the rollups. */
export async function readUsageReport(store: Store, query: UsageQuery): Promise<UsageReport> {
  const { projectId, keyId, from, to, groupBy } = query;
  const rows = await sumRollups(store, {
    ...{ rollup: "usage", projectId, range: { from, to }, bucket: "none" },
    group: [...groupBy.map((dimension) => COLUMNS[dimension]), "status"],
    sums: Object.values(SUMS),
    histograms: ["latencies"],
    filter: { key_id: keyId },
  });
  const groups = new Map<string, { readonly values: readonly string[]; readonly sums: Sums }>();
  const total = noSums();
  for (const row of rows) {
    const values = row.group.slice(0, -1);
    const key = values.join("\0");
    const group = groups.get(key) ?? { values, sums: noSums() };
    groups.set(key, group);
    add(group.sums, row);
    add(total, row);
  }
  return {
    groups: [...groups.values()].map(({ values, sums }) => ({ values, figures: toFigures(sums) })),
    total: toFigures(total),
    ...(keyId === undefined && { shadow: await readShadowUsage(store, query) }),
  };
}

function noSums(): Sums {
  return {
    ...{ calls: 0, failedCalls: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
    ...{ reasoningTokens: 0, estimatedCalls: 0, pricedCalls: 0, costNanos: 0, latencies: [] },
  };
}

function add(sums: Sums, { group, sums: counted, histograms }: RollupSums): void {
  for (const [figure, column] of SUM_ENTRIES) sums[figure] += counted[column] ?? 0;
  const status = group.at(-1);
  if (status === "failed") sums.failedCalls += counted["calls"] ?? 0;
  // How long a failure took says nothing of how long an answer takes.
  if (status === "completed") addHistogram(sums.latencies, histograms["latencies"] ?? "");
}

function toFigures({ latencies, ...sums }: Sums): UsageFigures {
  return { ...sums, latencyP50Ms: percentileMs(latencies, 0.5), latencyP95Ms: percentileMs(latencies, 0.95) };
}
