import { SHOWN, type Values } from "../../../figures/measures.ts";
import { mergeTallies, type Tally } from "../../../figures/tally.ts";
import { SAVING_KINDS } from "../../../hub/saving-kinds.ts";
import type { RowDimension } from "../../read/queries/read-measures.ts";
import type { Store } from "../../types/store.ts";
import { readHours, type StepsQuery, type StepTally } from "./read-hours.ts";
import { readMinutes } from "./read-minutes.ts";

import { HOUR_MS, stepStart } from "./steps.ts";

/** The measures of the overview. */
const FIGURES = [...SHOWN, "priced.calls" as const, ...SAVING_KINDS.map((kind) => `saved.${kind}` as const)];
type Figure = (typeof FIGURES)[number];

/** The measures of some calls. */
export type Figures = Values<Figure>;

/** The dimensions of each grouping. */
const GROUPS = {
  none: [],
  model: ["model"],
  servedModel: ["servedModel"],
  key: ["key"],
  workload: ["workload"],
  deployment: ["upstream", "upstreamModel"],
} as const satisfies Record<string, readonly RowDimension[]>;

/** A grouping of calls. */
export type FigureGroup = keyof typeof GROUPS;

/** The query of figures. */
interface FiguresQuery {
  readonly projectId: string;
  /** Milliseconds since 1970; the end is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Steps below an hour are read from the calls themselves, others from the rollups. */
  readonly stepMs: number;
  /** The distance of the period that this one is compared with. */
  readonly periodMs: number;
  readonly group: FigureGroup;
}

/** Figures of one group in one step. */
export interface FigurePoint {
  readonly startMs: number;
  readonly group: readonly string[];
  readonly figures: Figures;
}

/** Figures of a range. */
interface FigureSeries {
  /** The steps that the points have: as asked for, or whole hours where calls are too many to read each, or deleted in part. */
  readonly stepMs: number;
  /** The start of the first step; hours are never split. */
  readonly fromMs: number;
  /** The steps with calls, in order of time. */
  readonly points: readonly FigurePoint[];
  /** Of all groups, in the order of time. */
  readonly steps: readonly Omit<FigurePoint, "group">[];
  readonly total: Figures;
  /** The range and the period before it, both without the hour that is still running. */
  readonly compared: { readonly now: Figures; readonly before: Figures };
}

/** Reads what calls add up to, over time and by group. */
export async function readFigures(store: Store, query: FiguresQuery): Promise<FigureSeries> {
  const byMinute = query.stepMs < HOUR_MS ? await readByMinute(store, query) : undefined;
  return byMinute ?? (await readByHour(store, { ...query, stepMs: Math.max(query.stepMs, HOUR_MS) }));
}

async function readByMinute(store: Store, query: FiguresQuery): Promise<FigureSeries | undefined> {
  const [groups, before] = await Promise.all([
    readMinutes(store, { ...query, by: GROUPS[query.group], measures: FIGURES }),
    readMinutes(store, wholeOf(query, query.fromMs - query.periodMs, query.toMs - query.periodMs)),
  ]);
  return groups && before && toSeries(query, { groups, running: [], before });
}

async function readByHour(store: Store, query: FiguresQuery): Promise<FigureSeries> {
  const { toMs, periodMs } = query;
  const [fromMs, completeMs] = [stepStart(query.fromMs, HOUR_MS), stepStart(toMs, HOUR_MS)];
  const [groups, running, before] = await Promise.all([
    readHours(store, { ...query, fromMs, by: GROUPS[query.group], measures: FIGURES }),
    completeMs < toMs ? readHours(store, wholeOf(query, completeMs, toMs)) : [],
    completeMs > fromMs ? readHours(store, wholeOf(query, fromMs - periodMs, completeMs - periodMs)) : [],
  ]);
  return toSeries({ ...query, fromMs }, { groups, running, before });
}

/** Returns the query of all calls of a time together. */
function wholeOf({ projectId }: FiguresQuery, fromMs: number, toMs: number): StepsQuery<Figure> {
  return { projectId, fromMs, toMs, stepMs: undefined, by: [], measures: FIGURES };
}

function toSeries(
  { stepMs, fromMs }: FiguresQuery,
  { groups, running, before }: Record<"groups" | "running" | "before", readonly StepTally<Figure>[]>,
): FigureSeries {
  const steps = [...Map.groupBy(groups, ({ startMs }) => startMs)].map(([startMs, own]) => ({
    startMs,
    all: addUp(own),
  }));
  const total = mergeTallies(
    FIGURES,
    steps.map(({ all }) => all),
  );
  const now = mergeTallies(FIGURES, [total]);
  now.merge(addUp(running), -1);
  return {
    stepMs,
    fromMs,
    total: total.values(),
    compared: { now: now.values(), before: addUp(before).values() },
    points: groups.map(({ tally, ...point }) => ({ ...point, figures: tally.values() })),
    steps: steps.map(({ startMs, all }) => ({ startMs, figures: all.values() })),
  };
}

function addUp(steps: readonly StepTally<Figure>[]): Tally<Figure> {
  return mergeTallies(
    FIGURES,
    steps.map(({ tally }) => tally),
  );
}
