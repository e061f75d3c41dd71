import { MEASURES, REPORTED, type ReportedName } from "../../figures/measures.ts";
import { mergeTallies, type Tally } from "../../figures/tally.ts";
import {
  FACT_DIMENSIONS,
  type FeedbackFigures,
  MOST_SESSION_CALLS,
  NO_FEEDBACK,
  NO_FIGURES,
  type UsageFigures,
  type UsageQuery,
  type UsageReport,
} from "../../figures/usage.ts";
import { OTHER_NAMES } from "../entities/rollup-name.ts";
import { readTallies, wholeDays } from "../read/queries/read-measures.ts";
import type { Store } from "../types/store.ts";
import { type FeedbackUsage, readFeedbackUsage } from "./read-feedback-usage.ts";
import { inOrder, readSessionUsage } from "./read-session-usage.ts";
import { readShadowUsage } from "./read-shadow-usage.ts";

/** The measures of figures but for latencies, which take longest. */
const SPENT = REPORTED.filter((name) => !("histogram" in MEASURES[name]));

/** Calls of a group. */
interface GroupTally {
  readonly group: readonly string[];
  readonly tally: Tally<ReportedName>;
}

/**
 * Adds up the calls of a project, or of one of its keys, and the feedback on them: from the rollups, and what these do
 * not have from the inferences. PostgreSQL is asked for both at the same time.
 */
export async function readUsageReport(store: Store, query: UsageQuery): Promise<UsageReport> {
  const whole = wholeOf(query);
  const calls = readCalls(store, query, REPORTED);
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

async function readCalls(store: Store, query: UsageQuery, measures: readonly ReportedName[]): Promise<UsageReport> {
  const [report, shadow] = await Promise.all([
    readGroups(store, query, measures),
    // Of the hours or days that the calls are of.
    query.keyId === undefined ? readShadowUsage(store, wholeOf(query)) : undefined,
  ]);
  return { ...report, shadow };
}

async function readGroups(store: Store, query: UsageQuery, measures: readonly ReportedName[]): Promise<UsageReport> {
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
  measures: readonly ReportedName[],
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

function sumUp(measures: readonly ReportedName[], groups: readonly GroupTally[]): UsageFigures {
  return mergeTallies(
    measures,
    groups.map(({ tally }) => tally),
  ).values();
}

function toGroup({ group, tally }: GroupTally): UsageReport["groups"][number] {
  return { values: group, figures: tally.values() };
}

/** Adds figures of feedback to a report; to none of its groups where they are too many to be read. */
export function addFeedback(
  report: UsageReport,
  groups: readonly FeedbackUsage[] | undefined,
  all: readonly FeedbackUsage[] | undefined,
): UsageReport {
  const total = all && { ...report.total, ...all.map(({ feedback }) => feedback).reduce(sum, NO_FEEDBACK) };
  if (groups === undefined) return { ...report, total: total ?? report.total };
  const found = new Map(report.groups.map(({ values, figures }) => [values.join("\0"), { values, figures }]));
  const known = report.groups[0]?.values.map((_, at) => new Set(report.groups.map(({ values }) => values[at])));
  const given = new Map<string, FeedbackFigures>();
  for (const { values, feedback } of groups) {
    const counted = values.map((value, at) => countedName(value, known?.[at]));
    const key = counted.join("\0");
    given.set(key, sum(given.get(key) ?? NO_FEEDBACK, feedback));
    // Feedback may be on calls of an earlier time.
    if (!found.has(key)) found.set(key, { values: counted, figures: NO_FIGURES });
  }
  const added = [...found].map(([key, { values, figures }]) => ({
    values,
    figures: { ...figures, ...(given.get(key) ?? NO_FEEDBACK) },
  }));
  return { ...report, groups: added.sort((a, b) => inOrder(a.values, b.values)), total: total ?? report.total };
}

/** Names that figures do not tell apart are counted together. */
function countedName(value: string, known: ReadonlySet<string | undefined> | undefined): string {
  return known?.has(value) === false && known.has(OTHER_NAMES) ? OTHER_NAMES : value;
}

function sum(one: FeedbackFigures, other: FeedbackFigures): FeedbackFigures {
  return {
    "feedback.entries": one["feedback.entries"] + other["feedback.entries"],
    "feedback.booleans": one["feedback.booleans"] + other["feedback.booleans"],
    "feedback.trues": one["feedback.trues"] + other["feedback.trues"],
  };
}
