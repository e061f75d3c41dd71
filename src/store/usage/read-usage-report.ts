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
 * not have from the inferences. PostgreSQL is asked for both at the same time.
 */
export async function readUsageReport(store: Store, query: UsageQuery): Promise<UsageReport> {
  const whole = wholeOf(query);
  const calls = readCalls(store, query, [LATENCIES]);
  // Of too many calls to tell sessions apart, no feedback is told either.
  if (query.groupBy.includes("session") && (await calls).isTooLong === true) return await calls;
  const [report, all, groups] = await Promise.all([
    calls,
    readFeedbackUsage(store, { ...whole, groupBy: [] }),
    query.groupBy.length === 0 ? undefined : readFeedbackUsage(store, whole),
  ]);
  return addFeedback(report, query.groupBy.length === 0 ? all : groups, all);
}

/** Adds up what calls have used and cost, without their latencies and the feedback on them, which take longest. */
export async function readSpend(store: Store, query: UsageQuery): Promise<UsageReport> {
  return await readCalls(store, query, []);
}

async function readCalls(store: Store, query: UsageQuery, histograms: readonly string[]): Promise<UsageReport> {
  const [report, shadow] = await Promise.all([
    readGroups(store, query, histograms),
    query.keyId === undefined ? readShadowUsage(store, query) : undefined,
  ]);
  return { ...report, shadow };
}

async function readGroups(store: Store, query: UsageQuery, histograms: readonly string[]): Promise<UsageReport> {
  const kind = factOf(query);
  const whole = wholeOf(query);
  if (kind === undefined && !query.groupBy.includes("session")) return await readRollups(store, query, histograms);
  const all = readRollups(store, { ...whole, groupBy: [] }, histograms);
  if (kind !== undefined) {
    const [{ total }, { groups }] = await Promise.all([all, readRollups(store, whole, histograms, kind)]);
    return { groups, total };
  }
  const { total } = await all;
  if (total.calls > MOST_SESSION_CALLS) return { groups: [], total, isTooLong: true };
  return { ...sumUsage(await readSessionUsage(store, query)), total };
}

function factOf({ groupBy }: UsageQuery) {
  return FACT_DIMENSIONS.find((dimension) => groupBy.includes(dimension));
}

/** Returns the query with the days that its time touches, where calls are counted by the day. */
function wholeOf(query: UsageQuery): UsageQuery {
  if (factOf(query) === undefined) return query;
  const from = Math.floor(query.from.getTime() / PERIODS.day) * PERIODS.day;
  const to = Math.ceil(query.to.getTime() / PERIODS.day) * PERIODS.day;
  return { ...query, from: new Date(from), to: new Date(to) };
}

async function readRollups(
  store: Store,
  { projectId, keyId, from, to, groupBy }: UsageQuery,
  histograms: readonly string[],
  kind?: (typeof FACT_DIMENSIONS)[number],
): Promise<UsageReport> {
  const columns = groupBy.flatMap((dimension) => (dimension === "session" ? [] : COLUMNS[dimension]));
  const rows = await sumRollups(store, {
    ...{ rollup: kind === undefined ? "usage" : "usage_fact", projectId, range: { from, to }, bucket: "none" },
    group: columns,
    sums: Object.values(SUMS),
    histograms,
    filter: { key_id: keyId, kind },
  });
  return sumUsage(rows);
}
