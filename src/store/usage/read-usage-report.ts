import { FACT_DIMENSIONS, MOST_SESSION_CALLS, type UsageQuery, type UsageReport } from "../../hub/usage.ts";
import { sumRollups } from "../read/queries/sum-rollups.ts";
import { PERIODS } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { addFeedback } from "./add-feedback.ts";
import { readFeedbackUsage } from "./read-feedback-usage.ts";
import { readSessionUsage } from "./read-session-usage.ts";
import { readShadowUsage } from "./read-shadow-usage.ts";
import { COLUMNS, LATENCIES, SUMS, sumUsage } from "./sum-usage.ts";

/**
 * Adds up the calls of a project, or of one of its keys, and the feedback on them: from the rollups, and what these do
 * not have from the inferences.
 */
export async function readUsageReport(store: Store, query: UsageQuery): Promise<UsageReport> {
  const kind = FACT_DIMENSIONS.find((dimension) => query.groupBy.includes(dimension));
  const whole = kind === undefined ? query : wholeDays(query);
  const report = await readCalls(store, query, whole);
  if (report.isTooLong === true) return report;
  const all = await readFeedbackUsage(store, { ...whole, groupBy: [] });
  const groups = query.groupBy.length === 0 ? all : await readFeedbackUsage(store, whole);
  return addFeedback(report, groups, all);
}

async function readCalls(store: Store, query: UsageQuery, whole: UsageQuery): Promise<UsageReport> {
  const kind = FACT_DIMENSIONS.find((dimension) => query.groupBy.includes(dimension));
  const shadow = query.keyId === undefined ? await readShadowUsage(store, query) : undefined;
  if (kind === undefined && !query.groupBy.includes("session")) return { ...(await readRollups(store, query)), shadow };
  const { total } = await readRollups(store, { ...whole, groupBy: [] });
  if (kind !== undefined) return { ...(await readRollups(store, whole, kind)), total, shadow };
  if (total.calls > MOST_SESSION_CALLS) return { groups: [], total, isTooLong: true };
  return { ...sumUsage(await readSessionUsage(store, query)), total, shadow };
}

/** Returns the query with the days that its time touches. */
function wholeDays(query: UsageQuery): UsageQuery {
  const from = Math.floor(query.from.getTime() / PERIODS.day) * PERIODS.day;
  const to = Math.ceil(query.to.getTime() / PERIODS.day) * PERIODS.day;
  return { ...query, from: new Date(from), to: new Date(to) };
}

async function readRollups(
  store: Store,
  { projectId, keyId, from, to, groupBy }: UsageQuery,
  kind?: (typeof FACT_DIMENSIONS)[number],
): Promise<UsageReport> {
  const columns = groupBy.flatMap((dimension) => (dimension === "session" ? [] : COLUMNS[dimension]));
  const rows = await sumRollups(store, {
    ...{ rollup: kind === undefined ? "usage" : "usage_fact", projectId, range: { from, to }, bucket: "none" },
    group: columns,
    sums: Object.values(SUMS),
    histograms: [LATENCIES],
    filter: { key_id: keyId, kind },
  });
  return sumUsage(rows);
}
