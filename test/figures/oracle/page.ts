import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { DashboardRouter } from "../../../src/dashboard/router.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import type { History } from "./history.ts";
import * as naive from "./naive.ts";
import { DAY, HOUR, type Span, within } from "./naive.ts";

type Outputs = inferRouterOutputs<DashboardRouter>;
type Inputs = inferRouterInputs<DashboardRouter>;
type Record_ = DashboardRouter["_def"]["record"];

/** The paths of all queries of the dashboard. */
export type QueryPath = {
  [Room in keyof Record_]: {
    [Name in keyof Record_[Room]]: Record_[Room][Name] extends { _def: { type: "query" } }
      ? `${Room}.${Name & string}`
      : never;
  }[keyof Record_[Room]];
}[keyof Record_];

type At<Tree, Path> = Path extends `${infer Room}.${infer Name}`
  ? Room extends keyof Tree
    ? Name extends keyof Tree[Room]
      ? Tree[Room][Name]
      : never
    : never
  : never;

/** What a page is asked: by chance, in a time. */
export interface Asked {
  readonly history: History;
  readonly range: { readonly range: string; readonly from?: string; readonly to?: string };
  /** The time that is meant, its steps, and the distance of the period that it is compared with. */
  readonly window: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly stepMs: number;
    readonly periodMs: number;
  };
  /** The day from which on there are hours; before it, whole days count. */
  readonly hoursSinceMs: number;
  readonly pick: <T>(values: readonly T[]) => T;
}

/** Stands for what a page shows and is no figure. */
export const NO_FIGURE: "no figure" = "no figure";

/** An output of which each member that is no figure is said to be none: one that is forgotten does not compile. */
type Deep<T> =
  | typeof NO_FIGURE
  | (T extends readonly (infer Item)[]
      ? readonly Deep<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: Deep<T[Name]> }
        : T);

/** A page's input, and all of its output as the rows say. */
export type Page<Path> = (asked: Asked) => {
  readonly input: Omit<At<Inputs, Path>, "projectId" | "range" | "from" | "to">;
  readonly output: Deep<At<Outputs, Path>>;
};

/** The calls of the time that a page is asked for. */
export function callsIn({ history, window, hoursSinceMs }: Asked, changes: Partial<Span> = {}): InferenceRow[] {
  return within(history.calls, { ...window, hoursSinceMs, unit: unitOf(window), ...changes });
}

export function entriesIn({ history, window, hoursSinceMs }: Asked): FeedbackEntryRow[] {
  return within(history.feedback, { ...window, hoursSinceMs, unit: unitOf(window) });
}

/** Of steps below an hour the calls themselves are read, to the millisecond. */
export function unitOf({ stepMs }: Asked["window"]): number {
  return stepMs < HOUR ? 1 : HOUR;
}

/** The steps of a time, in order. */
export function steps({ fromMs, toMs }: Asked["window"], stepMs: number) {
  const all = [];
  for (let startMs = naive.floor(fromMs, stepMs); startMs < toMs; startMs += stepMs) {
    all.push({ startMs, isPartial: startMs < fromMs || startMs + stepMs > toMs });
  }
  return all;
}

/** Puts rows into steps; where there are no hours any more, a day is counted in its first hour. */
export function inSteps<Row extends { readonly id: string }>(
  rows: readonly Row[],
  asked: Asked,
  stepMs: number,
): Row[][] {
  const startOf = (row: Row) => {
    const timeMs = naive.timeOf(row);
    return naive.floor(timeMs < asked.hoursSinceMs ? naive.floor(timeMs, DAY) : timeMs, stepMs);
  };
  return steps(asked.window, stepMs).map(({ startMs }) => rows.filter((row) => startOf(row) === startMs));
}

/** The same time in whole hours, which is what most pages show. */
export function hourly(asked: Asked): Asked {
  const { window } = asked;
  const fromMs = naive.floor(window.fromMs, HOUR);
  return { ...asked, window: { ...window, fromMs, stepMs: Math.max(window.stepMs, HOUR) } };
}
