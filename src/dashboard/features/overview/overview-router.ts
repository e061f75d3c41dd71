import { z } from "zod";
import type { FigureGroup, FigurePoint } from "../../../store/dashboard/figures/read-figures.ts";
import { projectProcedure, router } from "../../access/procedures.ts";
import { type Bucket, listBuckets, planWindow, rangeInput } from "../../figures/window.ts";
import { seriesByReason } from "../errors/group-failures.ts";
import { addColumns, type ColumnValues, savedByKind, show, toColumns } from "./columns.ts";

/** Groups that people can still tell apart by colour. */
const MAX_GROUPS = 7;

/** The groupings by model: of the one that answered, and of the one that was asked for. */
const GROUPS = ["none", "servedModel", "model", "key", "workload", "deployment"] as const;

const group = z.enum(GROUPS, { error: `must be one of ${GROUPS.join(", ")}` });

/** Names of one kind that are told: only colours need more than are shown. */
const MOST_NAMES = 1000;

/** The totals of a project's calls. */
export const overviewRouter = router({
  /** Figures of a time, beside those of the period before, and over time by group. */
  figures: projectProcedure.input(rangeInput.and(z.object({ group }))).query(async ({ ctx, input }) => {
    const window = planWindow(input, Date.now());
    const { projectId } = input;
    const series = await ctx.store.reads.readFigures({ projectId, group: input.group, ...window });
    const names = input.group === "key" ? await ctx.store.keys.names(projectId, mostUsed(series.points)) : new Map();
    const shown = { fromMs: series.fromMs, toMs: window.toMs, stepMs: series.stepMs };
    const range = { from: new Date(shown.fromMs), to: new Date(shown.toMs) };
    const refused = await ctx.store.reads.readRefusalSteps({ projectId, range, stepMs: shown.stepMs });
    const buckets = listBuckets(shown);
    const stepAt = new Map(series.steps.map(({ startMs, figures }) => [startMs, figures]));
    return {
      ...shown,
      askedStepMs: window.stepMs,
      buckets,
      total: {
        ...show(series.total),
        pricedCalls: series.total["priced.calls"],
        saved: savedByKind(series.total),
      },
      compared: { now: show(series.compared.now), before: show(series.compared.before) },
      all: toColumns(buckets.map(({ startMs }) => stepAt.get(startMs))),
      refused: {
        calls: refused.reduce((sum, { calls }) => sum + calls, 0),
        series: seriesByReason(refused, { buckets, stepMs: shown.stepMs, isRefused: true }),
      },
      groups: chartGroups(series.points, buckets, { group: input.group, label: createLabeller(names) }),
    };
  }),

  /**
   * Returns the names that calls can be grouped by, of all time, and the keys, which tell the page what to suggest
   * first.
   */
  names: projectProcedure.query(async ({ ctx, input }) => {
    const [names, { keys }] = await Promise.all([
      ctx.store.reads.readNames(input.projectId),
      ctx.store.keys.list({ projectId: input.projectId, limit: 1 }),
    ]);
    const [usable] = keys;
    return {
      model: names.models,
      servedModel: names.servedModels,
      key: names.keys.slice(0, MOST_NAMES),
      workload: names.workloads,
      deployment: names.deployments.map(groupKey),
      usableKey: usable === undefined ? null : { name: usable.name, publicId: usable.publicId },
    };
  }),
});

/** Returns the values of the groups with the most calls, which charts show apart. */
function mostUsed(points: readonly FigurePoint[]): string[] {
  const calls = new Map<string, number>();
  for (const { group, figures } of points) {
    const [value = ""] = group;
    calls.set(value, (calls.get(value) ?? 0) + figures.calls);
  }
  const byCalls = [...calls].sort(([, one], [, other]) => other - one);
  return byCalls.slice(0, MAX_GROUPS).map(([value]) => value);
}

/** One group of a chart. */
interface ChartGroup {
  /** The group's key; null for all further groups together. */
  readonly key: string | null;
  readonly label: string;
  readonly columns: ColumnValues;
}

/** Puts points into groups, the most called first; beyond seven, the others are taken together. */
function chartGroups(
  points: readonly FigurePoint[],
  buckets: readonly Bucket[],
  { group, label }: { readonly group: FigureGroup; readonly label: Labeller },
): ChartGroup[] {
  const apart = [...Map.groupBy(points, (point) => JSON.stringify(point.group)).values()].map((own) => ({
    own,
    calls: own.reduce((sum, { figures }) => sum + figures.calls, 0),
  }));
  const groups = apart
    .sort((a, b) => b.calls - a.calls)
    .map(({ own }) => toGroup(own, buckets, (values) => label(group, values)));
  if (groups.length <= MAX_GROUPS) return groups;
  const others = groups.slice(MAX_GROUPS);
  const columns = addColumns(
    others.map((other) => other.columns),
    buckets.length,
  );
  return [...groups.slice(0, MAX_GROUPS), { key: null, label: `${others.length} others`, columns }];
}

function toGroup(
  own: readonly FigurePoint[],
  buckets: readonly Bucket[],
  label: (values: readonly string[]) => string,
): ChartGroup {
  const values = own[0]?.group ?? [];
  const byStart = new Map(own.map(({ startMs, figures }) => [startMs, figures]));
  return {
    key: groupKey(values),
    label: label(values),
    columns: toColumns(buckets.map(({ startMs }) => byStart.get(startMs))),
  };
}

/** Writes a group for people; keys are given by their names. */
type Labeller = (group: FigureGroup, values: readonly string[]) => string;

/** Returns what names groups, given the names of keys by their public ids. */
function createLabeller(keys: ReadonlyMap<string, string>): Labeller {
  const uses = Map.groupBy(keys.values(), (name) => name);
  const names = new Map(
    [...keys].map(([publicId, name]) => [publicId, uses.get(name)?.length === 1 ? name : `${name} (${publicId})`]),
  );
  return (group, [first = "", second = ""]) => {
    switch (group) {
      case "none":
        return "All calls";
      case "key":
        return names.get(first) ?? `Key ${first}`;
      case "workload":
        return first === "" ? "No workload" : first;
      case "deployment":
        return first === "" ? "Not served" : `${first} / ${second}`;
      case "model":
      case "servedModel":
        return first === "" ? "No model" : first;
    }
  };
}

/** Returns what a group is known by, in colours and addresses. */
function groupKey(values: readonly string[]): string {
  return values.join(" / ");
}
