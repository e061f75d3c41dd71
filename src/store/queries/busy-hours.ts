import type { Store } from "../store.ts";
import { readRows } from "./read-rows.ts";

/** Hours in a row in which something was counted. */
export interface HourRun {
  /** Hours since 1970, UTC. */
  readonly first: number;
  /** The hour after the last. */
  readonly end: number;
  /** How much was counted. */
  readonly count: number;
}

/** What is looked for: rows of a rollup whose columns have these values. */
export interface BusyQuery {
  readonly rollup: "usage" | "feedback";
  readonly projectId: string;
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** Hours since 1970: from the first to before the end. */
  readonly first: number;
  readonly end: number;
}

const HOURS_PER_DAY = 24;
const DAYS_PER_PAGE = 32;
const COUNTS = { usage: "calls", feedback: "entries" } as const;

/**
 * Finds the hours in which a rollup has what is looked for, the latest first, a page of runs at a time. Rows of the rare
 * are found by it without an index for each of their columns, and without reading all that is between them.
 */
export async function* busyHours(store: Store, query: BusyQuery): AsyncGenerator<readonly HourRun[]> {
  const columns = Object.entries(query.filter).filter(([, value]) => value !== undefined);
  const matches = columns.map(([column]) => ` and ${column} = ?`).join("");
  const values = columns.map(([, value]) => value);
  const { rollup, projectId, first, end } = query;
  const daysSql = `select distinct period from ${rollup}_day where project_id = ? and period >= ? and period < ?${matches} order by period desc limit ${DAYS_PER_PAGE}`;
  let endDay = Math.ceil(end / HOURS_PER_DAY);
  for (;;) {
    const firstDay = Math.floor(first / HOURS_PER_DAY);
    const days = await readRows<{ period: number }>(store, daysSql, [projectId, firstDay, endDay, ...values]);
    const oldest = days.at(-1);
    if (oldest === undefined) return;
    endDay = oldest.period;
    const hours = days
      .flatMap(({ period }) => Array.from({ length: HOURS_PER_DAY }, (_, hour) => period * HOURS_PER_DAY + hour))
      .filter((hour) => hour >= first && hour < end);
    const list = hours.map(() => "?").join(", ");
    const hoursSql = `select period, cast(sum(${COUNTS[rollup]}) as double precision) as count from ${rollup}_hour where project_id = ? and period in (${list})${matches} group by period order by period desc`;
    const counted = await readRows<{ period: number; count: number }>(store, hoursSql, [
      projectId,
      ...hours,
      ...values,
    ]);
    yield toRuns(counted);
  }
}

function toRuns(hours: readonly { readonly period: number; readonly count: number }[]): HourRun[] {
  const runs: HourRun[] = [];
  for (const { period, count } of hours) {
    const last = runs.at(-1);
    if (last?.first === period + 1) runs[runs.length - 1] = { ...last, first: period, count: last.count + count };
    else runs.push({ first: period, end: period + 1, count });
  }
  return runs;
}
