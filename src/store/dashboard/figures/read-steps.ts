import type { Measure } from "../../../figures/measures.ts";
import { readMeasures } from "../../read/queries/read-measures.ts";
import type { Store } from "../../types/store.ts";
import { readHours, type StepsQuery, type StepTally } from "./read-hours.ts";
import { countRows, readMinutes } from "./read-minutes.ts";
import { HOUR_MS, stepStart } from "./steps.ts";

/** The calls of a time by steps, in their order. */
interface Tallies<Name extends Measure> {
  /** The steps: as asked for, or whole hours where calls are too many to look through, or deleted in part. */
  readonly stepMs: number;
  /** The start of the first step; hours are never split. */
  readonly fromMs: number;
  readonly groups: readonly StepTally<Name>[];
}

interface Steps<Name extends Measure> extends Tallies<Name> {
  /** All calls of the time, however they ended. */
  readonly calls: number;
}

type Query<Name extends Measure> = StepsQuery<Name> & { readonly stepMs: number };

/** Calls that are looked through at most: about half a second of work. */
export const MOST_LOOKED_THROUGH = 200_000;

/**
 * Reads calls by steps: those below an hour from the calls themselves, unless these are too many or some were deleted,
 * others from the rollups.
 */
export async function readTallies<Name extends Measure>(
  store: Store,
  query: Query<Name>,
  mayLookThrough = true,
): Promise<Tallies<Name>> {
  const minutes = query.stepMs < HOUR_MS && mayLookThrough ? await readMinutes(store, query) : undefined;
  if (minutes !== undefined) return { stepMs: query.stepMs, fromMs: query.fromMs, groups: minutes };
  const whole = { stepMs: Math.max(query.stepMs, HOUR_MS), fromMs: stepStart(query.fromMs, HOUR_MS) };
  return { ...whole, groups: await readHours(store, { ...query, ...whole }) };
}

/** Reads calls of a status by steps, beside the number of all. */
export async function readSteps<Name extends Measure>(store: Store, query: Query<Name>): Promise<Steps<Name>> {
  const { projectId, toMs } = query;
  const fromMs = stepStart(query.fromMs, HOUR_MS);
  const range = { from: new Date(fromMs), to: new Date(toMs) };
  const [all] = await readMeasures(store, { projectId, range, bucket: "none", by: [], measures: ["calls"] });
  const calls = all?.values.calls ?? 0;
  const read = await readTallies(store, query, calls <= MOST_LOOKED_THROUGH);
  return { ...read, calls: read.stepMs < HOUR_MS ? await countRows(store, query) : calls };
}
