import type { Measure } from "../../figures/measures.ts";
import { mergeTallies, Tally } from "../../figures/tally.ts";
import {
  FACT_DIMENSIONS,
  type FeedbackFigures,
  MOST_SESSION_CALLS,
  type UsageFigures,
  type UsageQuery,
  type UsageReport,
} from "../../hub/usage.ts";
import { OTHER_NAMES } from "../entities/rollup-name.ts";
import { readTallies, wholeDays } from "../read/queries/read-measures.ts";
import type { Store } from "../types/store.ts";
import { type FeedbackUsage, readFeedbackUsage } from "./read-feedback-usage.ts";
import { inOrder, readSessionUsage } from "./read-session-usage.ts";
import { readShadowUsage } from "./read-shadow-usage.ts";

/** The measure of each figure. */
const MEASURE_OF = {
  calls: "calls",
  failedCalls: "failed.calls",
  inputTokens: "inputTokens",
  cacheReadTokens: "cacheReadTokens",
  cacheWriteTokens: "cacheWriteTokens",
  outputTokens: "outputTokens",
  reasoningTokens: "reasoningTokens",
  estimatedCalls: "estimated.calls",
  pricedCalls: "priced.calls",
  costNanos: "cost",
  latencyP50Ms: "completed.latency.p50",
  latencyP95Ms: "completed.latency.p95",
} as const satisfies Record<Exclude<keyof UsageFigures, "feedback">, Measure>;

/** The measures of all figures. */
const MEASURES = Object.values(MEASURE_OF);

const { latencyP50Ms: _, latencyP95Ms: __, ...spent } = MEASURE_OF;
/** The measures of figures but for latencies, which take longest. */
const SPENT = Object.values(spent);

/** A measure of a figure. */
type FigureMeasure = (typeof MEASURE_OF)[keyof typeof MEASURE_OF];

/** Returns the figures of calls; what was not read is undefined. */
function toFigures(tally: Tally<FigureMeasure>): UsageFigures {
  const values = tally.values();
  const entries = Object.entries(MEASURE_OF).map(([figure, measure]) => [figure, values[measure] ?? undefined]);
  return Object.fromEntries(entries) as unknown as UsageFigures;
}

/** The figures of no calls. */
export const NO_FIGURES: UsageFigures = toFigures(new Tally(MEASURES));

const NONE: FeedbackFigures = { entries: 0, booleans: 0, trues: 0 };

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
    // Of the hours or days that the calls are of.
    query.keyId === undefined ? readShadowUsage(store, wholeOf(query)) : undefined,
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

/** Adds figures of feedback to a report; to none of its groups where they are too many to be read. */
export function addFeedback(
  report: UsageReport,
  groups: readonly FeedbackUsage[] | undefined,
  all: readonly FeedbackUsage[] | undefined,
): UsageReport {
  const total = all && { ...report.total, feedback: all.map(({ feedback }) => feedback).reduce(sum, NONE) };
  if (groups === undefined) return { ...report, total: total ?? report.total };
  const found = new Map(report.groups.map(({ values, figures }) => [values.join("\0"), { values, figures }]));
  const known = report.groups[0]?.values.map((_, at) => new Set(report.groups.map(({ values }) => values[at])));
  const given = new Map<string, FeedbackFigures>();
  for (const { values, feedback } of groups) {
    const counted = values.map((value, at) => countedName(value, known?.[at]));
    const key = counted.join("\0");
    given.set(key, sum(given.get(key) ?? NONE, feedback));
    // Feedback may be on calls of an earlier time.
    if (!found.has(key)) found.set(key, { values: counted, figures: NO_FIGURES });
  }
  const added = [...found].map(([key, { values, figures }]) => ({
    values,
    figures: { ...figures, feedback: given.get(key) ?? NONE },
  }));
  return { ...report, groups: added.sort((a, b) => inOrder(a.values, b.values)), total: total ?? report.total };
}

/** Names that figures do not tell apart are counted together. */
function countedName(value: string, known: ReadonlySet<string | undefined> | undefined): string {
  return known?.has(value) === false && known.has(OTHER_NAMES) ? OTHER_NAMES : value;
}

function sum(one: FeedbackFigures, other: FeedbackFigures): FeedbackFigures {
  return {
    entries: one.entries + other.entries,
    booleans: one.booleans + other.booleans,
    trues: one.trues + other.trues,
  };
}
