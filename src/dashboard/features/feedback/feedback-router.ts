import { z } from "zod";
import { stepStart } from "../../../store/dashboard/figures/steps.ts";
import type { DashboardReads } from "../../../store/dashboard/reads/reads.ts";
import type { FeedbackEntryRow } from "../../../store/entities/feedback-entry.ts";
import type { Metric } from "../../../store/read/queries/metrics.ts";
import type { TimeRange } from "../../../store/read/queries/range.ts";
import { comparedText, id } from "../../access/fields.ts";
import { operationProcedure, projectProcedure, router } from "../../access/procedures.ts";
import { type Bucket, listBuckets, planWindow, rangeInput } from "../../figures/window.ts";

const BINS = 10;

const MAX_LENGTH = 1000;
/** Values of which it is shown how they are spread. */
const MOST_NUMBERS = 500;
const text = comparedText(MAX_LENGTH);
const KINDS = ["boolean", "float", "note"] as const;
const kind = z.enum(KINDS, { error: `must be one of ${KINDS.join(", ")}` });
const limit = z.int("must be a whole number").min(1, "must be 1 or more").max(200, "must be 200 or less").default(50);

/** The feedback page: ratings and notes of callers. */
export const feedbackRouter = router({
  /** All metrics of a time, those with the most entries first, and how many came when. */
  summary: projectProcedure.input(rangeInput).query(async ({ ctx, input }) => {
    const window = planWindow(input, Date.now());
    const { projectId } = input;
    const { fromMs, stepMs, ...read } = await ctx.store.reads.readMetricSteps({ projectId, group: "none", ...window });
    const { toMs } = window;
    const buckets = listBuckets({ fromMs, toMs, stepMs });
    return {
      fromMs,
      toMs,
      stepMs,
      buckets,
      metrics: read.metrics.map(describeMetric).sort((a, b) => b.entries - a.entries),
      series: mergeMetrics(read.steps, buckets, stepMs),
    };
  }),

  /** One metric of a time, by the model that answered and by workload; of numbers also how the latest are spread. */
  metric: projectProcedure.input(rangeInput.and(z.object({ name: text, kind }))).query(async ({ ctx, input }) => {
    const window = planWindow(input, Date.now());
    const { projectId, name } = input;
    const range = { from: new Date(window.fromMs), to: new Date(window.toMs) };
    const read = async (group: "servedModel" | "workload") => {
      const metrics = await ctx.store.reads.readMetricTotals({ projectId, name, group, ...window });
      const own = metrics.filter((metric) => metric.kind === input.kind);
      return own.map((metric) => ({ ...describeMetric(metric), group: metric.group ?? "" }));
    };
    const isFloat = input.kind === "float";
    const [byModel, byWorkload, numbers] = await Promise.all([
      read("servedModel"),
      read("workload"),
      isFloat ? readLatestNumbers(ctx.store.reads, { projectId, name, range }) : [],
    ]);
    return { byModel, byWorkload, distribution: { n: numbers.length, bins: countBins(numbers) } };
  }),

  /** Entries, the newest first. */
  entries: projectProcedure
    .input(
      z.object({
        limit,
        cursor: id.optional(),
        name: text.optional(),
        kind: kind.optional(),
        model: text.optional(),
        workload: text.optional(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { projectId, cursor, limit: most, ...filter } = input;
      const { rows, next } = await ctx.store.reads.listFeedback({ projectId, limit: most, cursor, filter });
      return { entries: rows.map(describeEntry), next: next ?? null };
    }),

  /** Notes that contain a text, the newest first; `next` goes on where not all were searched. */
  notes: projectProcedure
    .input(z.object({ limit, cursor: id.optional(), text: text.default("") }))
    .query(async ({ ctx, input }) => {
      const { rows, searched, next } = await ctx.store.reads.searchNotes(input);
      return { entries: rows.map(describeEntry), searched, next: next ?? null };
    }),

  /** An inference that feedback could be sent on; null where there is none yet. */
  example: projectProcedure.query(async ({ ctx, input }) => {
    const { rows } = await ctx.store.reads.listHistory({ projectId: input.projectId, limit: 1 });
    return { inferenceId: rows[0]?.id ?? null };
  }),

  /** Removes an entry, whoever sent it. */
  remove: operationProcedure("removeFeedback")
    .input(z.object({ id: z.string("must be a text") }))
    .mutation(async ({ ctx, input }) => {
      await ctx.operation({ project: input.projectId, id: input.id });
    }),
});

/** Reads the latest values of a number metric. */
async function readLatestNumbers(
  reads: DashboardReads,
  { projectId, name, range }: { readonly projectId: string; readonly name: string; readonly range: TimeRange },
): Promise<number[]> {
  const filter = { name, kind: "float" };
  const { rows } = await reads.listFeedback({ projectId, limit: MOST_NUMBERS, ...range, filter });
  return rows.flatMap(({ floatValue }) => (typeof floatValue === "number" ? [floatValue] : []));
}

function describeMetric({ name, kind: own, entries, estimate, optimize }: Metric) {
  const { mean, low, high } = estimate ?? {};
  return {
    name,
    kind: own,
    entries,
    optimize: optimize ?? null,
    estimate: mean === undefined ? null : { mean, low: low ?? null, high: high ?? null },
  };
}

function describeEntry(row: FeedbackEntryRow) {
  const { id: own, inferenceId, name, kind: of, servedModel, workload, tags, createdAt, keyId } = row;
  const model = servedModel || row.model;
  const value = row.booleanValue ?? row.floatValue ?? row.textValue ?? "";
  return { id: own, inferenceId, name, kind: of, value, model, workload, tags, keyId, createdAt };
}

/** Values of a range, and how many there are. */
interface Bin {
  readonly from: number;
  /** Only of the last bin part of it. */
  readonly to: number;
  readonly count: number;
}

/** Counts values in ten bins of the same width; where all are alike, in one. */
function countBins(values: readonly number[]): Bin[] {
  if (values.length === 0) return [];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (least === most) return [{ from: least, to: most, count: values.length }];
  const width = (most - least) / BINS;
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const place = Math.min(BINS - 1, Math.floor((value - least) / width));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count, place) => ({
    from: tidy(least + place * width),
    to: tidy(least + (place + 1) * width),
    count,
  }));
}

/** Sums of tenths drift. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** A metric over time, a value for each step. */
interface MetricSeries {
  readonly name: string;
  readonly kind: string;
  readonly entries: readonly number[];
  /** Mean of the floats or share of the booleans that are true; null where there are none. */
  readonly means: readonly (number | null)[];
}

/** Puts metrics by the hour or day into the steps of a chart. */
function mergeMetrics(metrics: readonly Metric[], buckets: readonly Bucket[], stepMs: number): MetricSeries[] {
  const places = new Map(buckets.map(({ startMs }, place) => [startMs, place]));
  const series = new Map<string, { name: string; kind: string; entries: number[]; sums: number[] }>();
  for (const { start, name, kind, entries, estimate } of metrics) {
    const place = places.get(stepStart(start?.getTime() ?? 0, stepMs));
    if (place === undefined) continue;
    const key = JSON.stringify([name, kind]);
    const own = series.get(key) ?? { name, kind, entries: buckets.map(() => 0), sums: buckets.map(() => 0) };
    own.entries[place] = (own.entries[place] ?? 0) + entries;
    own.sums[place] = (own.sums[place] ?? 0) + (estimate?.mean ?? 0) * entries;
    series.set(key, own);
  }
  return [...series.values()].map(({ name, kind, entries, sums }) => ({
    name,
    kind,
    entries,
    means: entries.map((count, at) => (count === 0 || kind === "note" ? null : (sums[at] ?? 0) / count)),
  }));
}
