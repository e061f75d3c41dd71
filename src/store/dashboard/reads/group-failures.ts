import { idTimeMs } from "../../../lib/ids.ts";
import { readRows } from "../../database/executor.ts";
import { firstDayKept } from "../../database/first-day-kept.ts";
import { countedTime } from "../../read/queries/counted-time.ts";
import { firstIdAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { readHours } from "../figures/read-hours.ts";
import { MOST_LOOKED_THROUGH, readSteps } from "../figures/read-steps.ts";
import { DAY_MS, HOUR_MS, stepStart } from "../figures/steps.ts";
import { type CountedDimension, FAILURE_COLUMNS, type FailureValues, toValues } from "./read-failures.ts";

/** The query of failed calls by steps. */
interface StepsQuery {
  readonly projectId: string;
  /** Milliseconds since 1970; the end is not part of it. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  readonly by: readonly CountedDimension[];
}

/** Failed calls over time. */
interface FailureSteps {
  /** The steps: as asked for, or whole hours where calls are too many to look through, or deleted in part. */
  readonly stepMs: number;
  readonly fromMs: number;
  /** All calls of the time, however they ended. */
  readonly calls: number;
  readonly steps: readonly { readonly startMs: number; readonly values: FailureValues; readonly calls: number }[];
}

/** Reads failed calls by steps: in an hour minutes, which are read from the calls themselves. */
export async function readFailures(store: Store, { by, ...query }: StepsQuery): Promise<FailureSteps> {
  const { groups, ...steps } = await readSteps(store, {
    ...query,
    status: "failed",
    measures: ["calls"],
    by: by.map((dimension) => (dimension === "model" ? "servedModel" : dimension)),
  });
  return {
    ...steps,
    steps: groups.map(({ startMs, group, tally }) => ({
      startMs,
      values: toValues(by, group),
      calls: tally.values().calls,
    })),
  };
}

/** Failed calls that have some values in common. */
interface FailureGroup {
  readonly values: FailureValues;
  readonly calls: number;
  /** When the first and the last were, or when the steps begin in which they were. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The lengths of these steps; 0 where the times are exact. */
  readonly firstStepMs: number;
  readonly lastStepMs: number;
  /** The latest of them; undefined where its time is not exact. */
  readonly latestId: string | undefined;
}

/** Groups failed calls by what they have in common, with the first and the last of each. */
export async function groupFailures(store: Store, query: StepsQuery): Promise<FailureGroup[]> {
  const [{ stepMs, fromMs, steps }, firstDay] = await Promise.all([
    readFailures(store, query),
    firstDayKept(store, "hours"),
  ]);
  // Where there are no hours any more, a day is counted in its first one.
  const hoursSinceMs = firstDay * DAY_MS;
  const lengthOf = (startMs: number) => (startMs < hoursSinceMs ? Math.max(stepMs, DAY_MS) : stepMs);
  const range = { from: new Date(fromMs), to: new Date(query.toMs) };
  const counted = stepMs < HOUR_MS ? { fromMs, toMs: query.toMs } : await countedTime(store, range);
  const groups = [...Map.groupBy(steps, ({ values }) => JSON.stringify(values))].map(([key, own]) => ({ key, own }));
  const ends = groups.flatMap(({ own }) => [own[0], own.at(-1)].flatMap((step) => step?.startMs ?? []));
  const looked = await chooseSteps(store, { ...query, fromMs, stepMs }, [...new Set(ends)]);
  const found = new Map<number, ReadonlyMap<string, StepRow>>();
  for (const startMs of looked) {
    const time = {
      fromMs: Math.max(startMs, counted.fromMs),
      toMs: Math.min(startMs + lengthOf(startMs), counted.toMs),
    };
    found.set(startMs, await readStep(store, { ...query, ...time }));
  }
  return groups.flatMap(({ key, own }) => {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const rowOf = ({ startMs, calls }: typeof first) => {
      const row = found.get(startMs)?.get(key);
      // Where some rows are deleted, nobody knows when their calls were.
      return row?.calls === calls ? row : undefined;
    };
    const [firstRow, lastRow] = [rowOf(first), rowOf(last)];
    return [
      {
        values: first.values,
        calls: own.reduce((sum, { calls }) => sum + calls, 0),
        firstMs: firstRow?.firstMs ?? first.startMs,
        lastMs: lastRow?.lastMs ?? last.startMs,
        firstStepMs: firstRow === undefined ? lengthOf(first.startMs) : 0,
        lastStepMs: lastRow === undefined ? lengthOf(last.startMs) : 0,
        latestId: lastRow?.lastId,
      },
    ];
  });
}

/** Returns the steps, the latest first, whose calls are not too many to be looked through. */
async function chooseSteps(store: Store, query: StepsQuery, ends: readonly number[]): Promise<number[]> {
  const { projectId, fromMs, toMs, stepMs } = query;
  const hourMs = Math.max(stepMs, HOUR_MS);
  const all = await readHours(store, { projectId, fromMs, toMs, stepMs: hourMs, by: [], measures: ["calls"] });
  const callsAt = new Map(all.map(({ startMs, tally }) => [startMs, tally.values().calls]));
  const chosen: number[] = [];
  let left = MOST_LOOKED_THROUGH;
  for (const startMs of ends.toSorted((a, b) => b - a)) {
    left -= callsAt.get(stepStart(startMs, hourMs)) ?? 0;
    if (left < 0) break;
    chosen.push(startMs);
  }
  return chosen;
}

/** The failed calls of a group in one step, as their rows have them. */
interface StepRow {
  readonly calls: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly lastId: string;
}

/** Reads the failed calls of a time by their rows. */
async function readStep(
  store: Store,
  { projectId, by, fromMs, toMs }: Omit<StepsQuery, "stepMs">,
): Promise<ReadonlyMap<string, StepRow>> {
  const columns = by.map((dimension, at) => `${FAILURE_COLUMNS[dimension]} as value_${at}`);
  const names = by.map((_, at) => `value_${at}`);
  const rows = await readRows<Readonly<Record<string, string | number>>>(
    store,
    `select ${columns.join(", ")}, count(*) as calls, min(cast(id as text)) as first, max(cast(id as text)) as last
      from inference where project_id = ? and id >= ? and id < ? and status = 'failed' group by ${names.join(", ")}`,
    [projectId, firstIdAt(fromMs), firstIdAt(toMs)],
  );
  return new Map(
    rows.map(({ calls, first, last, ...row }) => {
      const values = toValues(
        by,
        names.map((name) => String(row[name])),
      );
      const lastId = String(last);
      const times = { firstMs: getTime(String(first)), lastMs: getTime(lastId) };
      return [JSON.stringify(values), { calls: Number(calls), lastId, ...times }];
    }),
  );
}

function getTime(id: string): number {
  return idTimeMs(id) ?? 0;
}
