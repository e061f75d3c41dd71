import type { Store } from "../../types/store.ts";
import { addCounted, addSums, type Measures, measure, noSums, type Sums, subtract } from "./measure.ts";
import type { CountedPart, FigureGroup, PartQuery } from "./part.ts";
import { readHours } from "./read-hours.ts";
import { readMinutes } from "./read-minutes.ts";
import { HOUR_MS, stepStart } from "./steps.ts";

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
  readonly measures: Measures;
}

/** Figures of a range. */
interface FigureSeries {
  /** The steps that the points have: as asked for, or whole hours where there are too many calls to read each. */
  readonly stepMs: number;
  /** The start of the first step; hours are never split. */
  readonly fromMs: number;
  /** The steps with calls, in order of time. */
  readonly points: readonly FigurePoint[];
  /** Of all groups, in the order of time. */
  readonly steps: readonly Omit<FigurePoint, "group">[];
  readonly total: Measures;
  /** The range and the period before it, both without the hour that is still running. */
  readonly compared: { readonly now: Measures; readonly before: Measures };
}

/** Calls that are read one by one at most: about a tenth of a second of work. */
const MAX_CALLS_READ = 20_000;

/** Reads what calls add up to, over time and by group. */
export async function readFigures(store: Store, query: FiguresQuery): Promise<FigureSeries> {
  const { fromMs, toMs, stepMs, periodMs } = query;
  if (stepMs >= HOUR_MS) return await readFromRollups(store, query);
  const [parts, before] = await Promise.all([
    readMinutes(store, query, MAX_CALLS_READ),
    readMinutes(store, { ...query, ...earlier(fromMs, toMs, periodMs), ...WHOLE }, MAX_CALLS_READ),
  ]);
  if (parts === undefined || before === undefined) return await readFromRollups(store, { ...query, stepMs: HOUR_MS });
  return toSeries({ query, parts, running: noSums(), before: sumUp(before) });
}

const WHOLE = { stepMs: undefined, group: "none" } as const;

async function readFromRollups(store: Store, query: FiguresQuery): Promise<FigureSeries> {
  const fromMs = stepStart(query.fromMs, HOUR_MS);
  const completeMs = stepStart(query.toMs, HOUR_MS);
  const read = (part: Partial<PartQuery>) => readHours(store, { ...query, fromMs, ...part });
  const [parts, running, before] = await Promise.all([
    read({}),
    completeMs < query.toMs ? read({ fromMs: completeMs, ...WHOLE }) : [],
    completeMs > fromMs ? read({ ...earlier(fromMs, completeMs, query.periodMs), ...WHOLE }) : [],
  ]);
  return toSeries({ query: { ...query, fromMs }, parts, running: sumUp(running), before: sumUp(before) });
}

function earlier(fromMs: number, toMs: number, byMs: number): Pick<PartQuery, "fromMs" | "toMs"> {
  return { fromMs: fromMs - byMs, toMs: toMs - byMs };
}

interface Found {
  readonly query: FiguresQuery;
  readonly parts: readonly CountedPart[];
  readonly running: Sums;
  readonly before: Sums;
}

function toSeries({ query: { fromMs, stepMs }, parts, running, before }: Found): FigureSeries {
  const points = new Map<string, Point>();
  for (const part of parts) {
    const startMs = stepStart(part.startMs, stepMs);
    const key = `${startMs}\0${part.group.join("\0")}`;
    const point = points.get(key) ?? { startMs, group: part.group, sums: noSums() };
    points.set(key, point);
    addCounted(point.sums, part);
  }
  const ordered = [...points.values()].sort((a, b) => a.startMs - b.startMs);
  const total = addUp(ordered);
  return {
    stepMs,
    fromMs,
    points: ordered.map(({ startMs, group, sums }) => ({ startMs, group, measures: measure(sums) })),
    steps: [...Map.groupBy(ordered, ({ startMs }) => startMs)].map(([startMs, own]) => ({
      startMs,
      measures: measure(addUp(own)),
    })),
    total: measure(total),
    compared: { now: measure(subtract(total, running)), before: measure(before) },
  };
}

interface Point {
  readonly startMs: number;
  readonly group: readonly string[];
  readonly sums: Sums;
}

function addUp(points: readonly Point[]): Sums {
  const all = noSums();
  for (const { sums } of points) addSums(all, sums);
  return all;
}

function sumUp(parts: readonly CountedPart[]): Sums {
  const sums = noSums();
  for (const part of parts) addCounted(sums, part);
  return sums;
}
