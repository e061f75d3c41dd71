import { mergeTallies, type Tally } from "../../figures/tally.ts";
import {
  FACT_DIMENSIONS,
  MOST_SESSION_CALLS,
  type UsageFigures,
  type UsageQuery,
  type UsageReport,
} from "../../hub/usage.ts";
import { readTallies, wholeDays } from "../read/queries/read-measures.ts";
import type { Store } from "../types/store.ts";
import { addFeedback } from "./add-feedback.ts";
import { readFeedbackUsage } from "./read-feedback-usage.ts";
import { readSessionUsage } from "./read-session-usage.ts";
import { readShadowUsage } from "./read-shadow-usage.ts";
import { type FigureMeasure, MEASURES, SPENT, toFigures } from "./usage-figures.ts";

/** Calls of a group. */
interface GroupTally {
  readonly group: readonly string[];
  readonly tally: Tally<FigureMeasure>;
}

/**
 * Adds up the calls of a project, or of one of its keys, and the feedback on them: from the rollups, and what these do
 * not have from the inferences. PostgreSQL is asked for both at the same time.
 */
export async function readUsageReport(store: Store, query: UsageQuery): Promise<UsageReport> {
  const whole = wholeOf(query);
  const calls = readCalls(store, query, MEASURES);
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
  return await readCalls(store, query, SPENT);
}

async function readCalls(store: Store, query: UsageQuery, measures: readonly FigureMeasure[]): Promise<UsageReport> {
  const [report, shadow] = await Promise.all([
    readGroups(store, query, measures),
    query.keyId === undefined ? readShadowUsage(store, query) : undefined,
  ]);
  return { ...report, shadow };
}

async function readGroups(store: Store, query: UsageQuery, measures: readonly FigureMeasure[]): Promise<UsageReport> {
  const whole = wholeOf(query);
  const isBySession = query.groupBy.includes("session");
  if (!isBySession && whole === query) {
    const groups = await readCounted(store, query, measures);
    return { groups: groups.map(toGroup), total: sumUp(measures, groups) };
  }
  const all = readCounted(store, { ...whole, groupBy: [] }, measures);
  if (!isBySession) {
    const [total, groups] = await Promise.all([all, readCounted(store, whole, measures)]);
    return { groups: groups.map(toGroup), total: sumUp(measures, total) };
  }
  const total = sumUp(measures, await all);
  if (total.calls > MOST_SESSION_CALLS) return { groups: [], total, isTooLong: true };
  const sessions = await readSessionUsage(store, query, measures);
  return { groups: sessions.map(toGroup), total };
}

/** Returns the query with the days that its time touches, where calls are counted by the day. */
function wholeOf(query: UsageQuery): UsageQuery {
  const isDaily = FACT_DIMENSIONS.some((dimension) => query.groupBy.includes(dimension));
  return isDaily ? { ...query, ...wholeDays(query) } : query;
}

async function readCounted(
  store: Store,
  { projectId, keyId, from, to, groupBy }: UsageQuery,
  measures: readonly FigureMeasure[],
): Promise<GroupTally[]> {
  return await readTallies(store, {
    projectId,
    range: { from, to },
    bucket: "none",
    measures,
    by: groupBy.filter((dimension) => dimension !== "session"),
    filter: { key: keyId },
  });
}

function sumUp(measures: readonly FigureMeasure[], groups: readonly GroupTally[]): UsageFigures {
  return toFigures(
    mergeTallies(
      measures,
      groups.map(({ tally }) => tally),
    ),
  );
}

function toGroup({ group, tally }: GroupTally): UsageReport["groups"][number] {
  return { values: group, figures: toFigures(tally) };
}
