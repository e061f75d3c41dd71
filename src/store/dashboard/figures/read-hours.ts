import type { Measure } from "../../../figures/measures.ts";
import type { Tally } from "../../../figures/tally.ts";
import { type MeasuresQuery, type RowDimension, readTallies } from "../../read/queries/read-measures.ts";
import type { Store } from "../../types/store.ts";
import { getChartPeriod, stepStart } from "./steps.ts";

/** A question about calls over time. */
export interface StepsQuery<Name extends Measure> extends Pick<MeasuresQuery<Name>, "projectId" | "measures"> {
  readonly by: readonly RowDimension[];
  /** Undefined for calls however they ended. */
  readonly status?: "failed" | undefined;
  /** The model that was asked for; undefined for any. */
  readonly model?: string | undefined;
  /** Milliseconds since 1970; the end is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** undefined puts the whole range into one. */
  readonly stepMs: number | undefined;
}

/** The calls of one group in one step. */
export interface StepTally<Name extends Measure> {
  readonly startMs: number;
  /** The values of the dimensions. */
  readonly group: readonly string[];
  readonly tally: Tally<Name>;
}

/** Reads calls from the rollups, which know whole hours: the range begins and ends with the hours that it touches. */
export async function readHours<Name extends Measure>(
  store: Store,
  { fromMs, toMs, stepMs, status, model, ...query }: StepsQuery<Name>,
): Promise<StepTally<Name>[]> {
  const rows = await readTallies(store, {
    ...query,
    filter: { status, model },
    range: { from: new Date(fromMs), to: new Date(toMs) },
    bucket: stepMs === undefined ? "none" : getChartPeriod(stepMs),
  });
  const steps = new Map<string, StepTally<Name>>();
  for (const { start, group, tally } of rows) {
    const startMs = stepMs === undefined || start === undefined ? fromMs : stepStart(start.getTime(), stepMs);
    const key = `${startMs}\0${group.join("\0")}`;
    const step = steps.get(key);
    if (step === undefined) steps.set(key, { startMs, group, tally });
    else step.tally.merge(tally);
  }
  return [...steps.values()].sort((a, b) => a.startMs - b.startMs);
}
