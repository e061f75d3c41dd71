import { idTimeMs } from "../../../lib/ids.ts";
import type { FeedbackEntryRow } from "../../entities/feedback-entry.ts";
import type { FeedbackRollupRow } from "../../entities/feedback-rollup.ts";
import { createMetric, type Metric, type MetricsQuery, readMetrics } from "../../read/queries/metrics.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { type CountedFeedback, countFeedback } from "../../write/rollups/count-feedback.ts";
import { getChartPeriod, HOUR_MS, stepStart } from "./steps.ts";

/** The query of feedback by steps. */
export interface MetricStepsQuery extends Pick<MetricsQuery, "projectId" | "group"> {
  /** Milliseconds since 1970; the end is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Steps below an hour are read from the values themselves, others from the rollups. */
  readonly stepMs: number;
  /** undefined is any. */
  readonly name?: string;
}

/** Feedback over time. */
interface MetricSteps {
  /** The steps: as asked for, or whole hours where there is too much feedback to read each value. */
  readonly stepMs: number;
  /** The start of the first step; hours are never split. */
  readonly fromMs: number;
  /** Of the whole time. */
  readonly metrics: readonly Metric[];
  readonly steps: readonly Metric[];
}

/** Values that are read one by one at most: about a tenth of a second of work. */
const MAX_VALUES_READ = 20_000;

/** Reads metrics of a time, and by its steps. */
export async function readMetricSteps(store: Store, query: MetricStepsQuery): Promise<MetricSteps> {
  const { fromMs, stepMs, group } = query;
  const values = await readValues(store, query);
  if (values === undefined) return await readByHour(store, { ...query, stepMs: Math.max(stepMs, HOUR_MS) });
  const steps = Map.groupBy(values, ({ id, createdAt }) => stepStart(idTimeMs(id) ?? createdAt.getTime(), stepMs));
  return {
    stepMs,
    fromMs,
    metrics: addUp(values, group, undefined),
    steps: [...steps].sort(byTime).flatMap(([startMs, own]) => addUp(own, group, new Date(startMs))),
  };
}

/** Reads metrics of the same time as readMetricSteps(). */
export async function readMetricTotals(store: Store, query: MetricStepsQuery): Promise<readonly Metric[]> {
  const values = await readValues(store, query);
  return values === undefined
    ? await readMetrics(store, { ...inHours(query), bucket: "none" })
    : addUp(values, query.group, undefined);
}

const byTime = ([one]: readonly [number, unknown], [other]: readonly [number, unknown]) => one - other;

/** Reads the values of a time with steps below an hour; undefined if there are too many. */
async function readValues(
  store: Store,
  { projectId, fromMs, toMs, stepMs, name }: MetricStepsQuery,
): Promise<readonly CountedFeedback[] | undefined> {
  if (stepMs >= HOUR_MS) return undefined;
  const rows = await store
    .query()
    .selectFrom("FeedbackEntry")
    .select(["id", "inferenceId", "projectId", "model", "servedModel", "workload"])
    .select(["name", "kind", "booleanValue", "floatValue", "optimize", "createdAt"])
    .where((is) => is.and({ projectId, ...(name !== undefined && { name }) }))
    .where("id", ">=", firstIdAt(fromMs))
    .where("id", "<", firstIdAt(toMs))
    .limit(MAX_VALUES_READ + 1)
    .execute();
  return rows.length > MAX_VALUES_READ ? undefined : rows;
}

async function readByHour(store: Store, query: MetricStepsQuery): Promise<MetricSteps> {
  const hourly = inHours(query);
  const { stepMs } = query;
  const [metrics, steps] = await Promise.all([
    readMetrics(store, { ...hourly, bucket: "none" }),
    readMetrics(store, { ...hourly, bucket: getChartPeriod(stepMs) }),
  ]);
  return { stepMs, fromMs: hourly.range.from.getTime(), metrics, steps };
}

function inHours({ projectId, fromMs, toMs, name, group }: MetricStepsQuery) {
  const range = { from: new Date(stepStart(fromMs, HOUR_MS)), to: new Date(toMs) };
  return { projectId, group, range, filter: { name } };
}

/** The column of each grouping. */
const GROUPS = {
  none: undefined,
  model: "model",
  servedModel: "servedModel",
  workload: "workload",
} as const satisfies Record<MetricsQuery["group"], keyof FeedbackEntryRow | undefined>;

/** Adds values up as the rollups do. */
function addUp(rows: readonly CountedFeedback[], group: MetricsQuery["group"], start: Date | undefined): Metric[] {
  const column = GROUPS[group];
  const groupOf = (row: FeedbackRollupRow) => (column === undefined ? undefined : row[column]);
  // The period is of no matter: all rows are of one step.
  const counted = Map.groupBy(countFeedback("day", rows, new Map()), (row) =>
    JSON.stringify([groupOf(row), row.name, row.kind]),
  );
  return [...counted.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const sum = (pick: (row: FeedbackRollupRow) => number) => own.reduce((total, row) => total + pick(row), 0);
    const sums = {
      entries: sum(({ entries }) => entries),
      sum: sum((row) => row.sum),
      squares: sum(({ sumOfSquares }) => sumOfSquares),
      trues: sum(({ trueEntries }) => trueEntries),
      maximised: sum(({ maximised }) => maximised),
      minimised: sum(({ minimised }) => minimised),
    };
    return [createMetric({ start, group: groupOf(first), name: first.name, kind: first.kind, sums })];
  });
}
