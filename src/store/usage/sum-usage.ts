import type { UsageDimension, UsageFigures, UsageReport } from "../../hub/usage.ts";
import type { RollupSums } from "../read/queries/sum-rollups.ts";
import { addHistogram, type Histogram, percentileMs } from "../types/histogram.ts";

/** The column of each figure that is a sum. */
export const SUMS = {
  calls: "calls",
  failedCalls: "failed_calls",
  inputTokens: "input_tokens",
  cacheReadTokens: "cache_read_tokens",
  cacheWriteTokens: "cache_write_tokens",
  outputTokens: "output_tokens",
  reasoningTokens: "reasoning_tokens",
  estimatedCalls: "estimated_calls",
  pricedCalls: "priced_calls",
  costNanos: "cost_nanos",
} as const satisfies Partial<Record<Exclude<keyof UsageFigures, "feedback">, string>>;

const SUM_ENTRIES = Object.entries(SUMS) as [keyof typeof SUMS, string][];

/** The columns of dimensions, which rollups have, and inferences beside those of facts. */
export const COLUMNS: Record<Exclude<UsageDimension, "session">, string> = {
  key: "key_id",
  model: "model",
  project: "project_id",
  workload: "workload",
  end_user: "name",
  tag: "name",
};

/** The histograms of each row: a failure's time says nothing of how long an answer takes. */
export const LATENCIES = "completed_latencies";

/** Sums of calls. */
export type UsageSums = Pick<RollupSums, "group" | "sums" | "histograms">;

type Sums = Record<keyof typeof SUMS, number> & { readonly latencies: Histogram };

/** Adds up sums by their groups, and all of them. */
export function sumUsage(rows: readonly UsageSums[]): UsageReport {
  const groups = new Map<string, { readonly values: readonly string[]; readonly sums: Sums }>();
  for (const row of rows) {
    const key = row.group.join("\0");
    const group = groups.get(key) ?? { values: row.group, sums: noSums() };
    groups.set(key, group);
    add(group.sums, row);
  }
  const total = noSums();
  for (const { sums } of groups.values()) addSums(total, sums);
  return {
    groups: [...groups.values()].map(({ values, sums }) => ({ values, figures: toFigures(sums) })),
    total: toFigures(total),
  };
}

/** The figures of no calls. */
export const NO_FIGURES: UsageFigures = toFigures(noSums());

function noSums(): Sums {
  return {
    ...{ calls: 0, failedCalls: 0, inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 },
    ...{ reasoningTokens: 0, estimatedCalls: 0, pricedCalls: 0, costNanos: 0, latencies: [] },
  };
}

function add(sums: Sums, { sums: counted, histograms }: UsageSums): void {
  for (const [figure, column] of SUM_ENTRIES) sums[figure] += counted[column] ?? 0;
  addHistogram(sums.latencies, histograms[LATENCIES] ?? "");
}

/** Histograms that were read already are added up in a tenth of the time that their texts take. */
function addSums(to: Sums, sums: Sums): void {
  for (const [figure] of SUM_ENTRIES) to[figure] += sums[figure];
  sums.latencies.forEach((count, bucket) => {
    to.latencies[bucket] = (to.latencies[bucket] ?? 0) + count;
  });
}

function toFigures({ latencies, ...sums }: Sums): UsageFigures {
  return { ...sums, latencyP50Ms: percentileMs(latencies, 0.5), latencyP95Ms: percentileMs(latencies, 0.95) };
}
