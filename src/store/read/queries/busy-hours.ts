import { readRows } from "../../database/executor.ts";
import { firstDayKept } from "../../database/first-day-kept.ts";
import { OTHER_NAMES } from "../../entities/rollup-name.ts";
import type { Store } from "../../types/store.ts";

/** Hours in a row in which something was counted. */
export interface HourRun {
  /** Hours since 1970, UTC. */
  readonly first: number;
  /** The hour after the last. */
  readonly end: number;
}

/** The query: rows of a rollup whose columns have these values. */
interface BusyQuery {
  readonly rollup: "usage" | "feedback";
  readonly projectId: string;
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** Hours since 1970: from the first to before the end. */
  readonly first: number;
  readonly end: number;
  /** Rows, found or not, after which no further hours are told; the latest hour is told in any case. */
  readonly mostRows?: number | undefined;
}

const HOURS_PER_DAY = 24;
const DAYS_PER_PAGE = 32;
/** Rows that are looked through in the time in which a range of hours is found and begun. */
const ROWS_PER_RANGE = 500;
/** A day with more rows is never looked through whole: all that is looked for may be of one hour. */
const MOST_ROWS_OF_DAY = 20_000;

const COUNTS = { usage: "calls", feedback: "entries" } as const;

/** Columns in which rollups tell a number of names apart. */
const CAPPED: ReadonlySet<string> = new Set(["workload", "name"]);

/**
 * Finds the hours in which a rollup has what is looked for, the latest first, a page of runs at a time. Rows of the
 * rare are found by it without an index for each of their columns, and without reading all that is between them. Of a
 * day whose hours are not kept any more, and of one that has too many of them, all count as such.
 */
export async function* busyHours(store: Store, query: BusyQuery): AsyncGenerator<readonly HourRun[]> {
  const { matches, values } = conditions(query);
  const firstKept = await firstDayKept(store, "hours");
  const { rollup, projectId, first, end } = query;
  const count = COUNTS[rollup];
  const daysSql =
    `select * from (select period, sum(${count}) as rows, sum(case when ${matches} then ${count} else 0 end) as found ` +
    `from ${rollup}_day where project_id = ? and period >= ? and period < ? group by period) as day where found > 0 ` +
    `order by period desc limit ${DAYS_PER_PAGE}`;
  let endDay = Math.ceil(end / HOURS_PER_DAY);
  let left = query.mostRows ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const firstDay = Math.floor(first / HOURS_PER_DAY);
    const days = await readRows<Day>(store, daysSql, [...values, projectId, firstDay, endDay]);
    const oldest = days.at(-1);
    if (oldest === undefined) return;
    endDay = oldest.period;
    const hoursOf = (some: readonly Day[]) =>
      some
        .flatMap(({ period }) =>
          Array.from({ length: HOURS_PER_DAY }, (_, hour) => (period + 1) * HOURS_PER_DAY - 1 - hour),
        )
        .filter((hour) => hour >= first && hour < end);
    const isWhole = (day: Day) => day.period < firstKept || isFasterWhole(day);
    const [whole, sparse] = [days.filter(isWhole), days.filter((day) => !isWhole(day))];
    const hours = [...hoursOf(whole), ...(await readHours(store, query, hoursOf(sparse)))];
    const rowsOf = new Map(days.map(({ period, rows }) => [period, Number(rows) / HOURS_PER_DAY]));
    const near: number[] = [];
    for (const hour of hours.sort((a, b) => b - a)) {
      if (left <= 0) break;
      near.push(hour);
      left -= rowsOf.get(Math.floor(hour / HOURS_PER_DAY)) ?? 0;
    }
    yield toRuns(near);
    if (left <= 0) return;
  }
}

/** A day, with how much was counted, and how much of that is looked for. PostgreSQL gives sums as texts. */
interface Day {
  readonly period: number;
  readonly rows: number | string;
  readonly found: number | string;
}

function isFasterWhole(day: Day): boolean {
  const rows = Number(day.rows);
  return rows <= MOST_ROWS_OF_DAY && rows <= Number(day.found) * ROWS_PER_RANGE;
}

/** Returns those of some hours in which something was counted, the latest first. */
async function readHours(store: Store, query: BusyQuery, hours: readonly number[]): Promise<number[]> {
  if (hours.length === 0) return [];
  const { matches, values } = conditions(query);
  const list = hours.map(() => "?").join(", ");
  const sql =
    `select distinct period from ${query.rollup}_hour where project_id = ? and period in (${list}) and ${matches} ` +
    "order by period desc";
  const rows = await readRows<{ period: number }>(store, sql, [query.projectId, ...hours, ...values]);
  return rows.map(({ period }) => period);
}

/** Returns the conditions; values that rollups do not keep apart match. */
function conditions({ filter }: BusyQuery) {
  const columns = Object.entries(filter).filter(([, value]) => value !== undefined);
  const equals = (column: string) => (CAPPED.has(column) ? `${column} in (?, '${OTHER_NAMES}')` : `${column} = ?`);
  return {
    matches: columns.map(([column]) => equals(column)).join(" and "),
    values: columns.map(([, value]) => value),
  };
}

function toRuns(hours: readonly number[]): HourRun[] {
  const runs: HourRun[] = [];
  for (const hour of hours) {
    const last = runs.at(-1);
    if (last?.first === hour + 1) runs[runs.length - 1] = { ...last, first: hour };
    else runs.push({ first: hour, end: hour + 1 });
  }
  return runs;
}
