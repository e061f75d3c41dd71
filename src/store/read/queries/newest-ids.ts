import { readRows } from "../../database/executor.ts";
import { type NameKind, OTHER_NAMES } from "../../entities/rollup-name.ts";
import { firstIdAt, PERIODS } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";
import { busyHours, type HourRun } from "./busy-hours.ts";

/** The query of rows. */
export interface NewestQuery {
  readonly table: "inference" | "feedback_entry";
  readonly rollup: "usage" | "feedback";
  readonly projectId: string;
  /** The values of columns that table and rollup both have; undefined matches anything. */
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** Ids are not less than the first, and less than the second. */
  readonly fromId: string;
  readonly beforeId: string;
  readonly limit: number;
  /** SQL of a number that is read with them. */
  readonly value?: string;
  /** Rows that a filter is compared with, about: older ones are not found; undefined for all. */
  readonly mostLooked?: number | undefined;
}

/** A row that was found. */
export interface NewestRow {
  readonly id: string;
  /** Null where the query asks for none, or the row has none. */
  readonly value: number | null;
}

/** Runs of hours that one statement looks through. */
const RUNS_PER_READ = 16;

/** Finds the newest rows: the greatest ids, in falling order. */
export async function newestIds(store: Store, query: NewestQuery): Promise<string[]> {
  return (await newestRows(store, query)).map(({ id }) => id);
}

/** Finds the newest rows with their values, in falling order of their ids. */
export async function newestRows(store: Store, query: NewestQuery): Promise<NewestRow[]> {
  const { projectId, filter, fromId, beforeId, limit } = query;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered) return await readRuns(store, query, [{ from: fromId, before: beforeId }], limit);
  const found: NewestRow[] = [];
  const oldest = await oldestHour(store, query);
  if (oldest === undefined) return found;
  const busy = {
    rollup: query.rollup,
    projectId,
    filter,
    first: Math.max(getHour(fromId), oldest),
    end: getHour(beforeId) + 1,
    mostRows: query.mostLooked,
  };
  for await (const runs of busyHours(store, busy)) {
    for (let start = 0; start < runs.length; start += RUNS_PER_READ) {
      const ranges = runs.slice(start, start + RUNS_PER_READ).map((run) => toRange(run, query));
      found.push(...(await readRuns(store, query, ranges, limit - found.length)));
      if (found.length >= limit) return found;
    }
  }
  return found;
}

interface IdRange {
  readonly from: string;
  readonly before: string;
}

/** Reads from several ranges, which come in falling order, with one statement. */
async function readRuns(
  store: Store,
  query: NewestQuery,
  ranges: readonly IdRange[],
  limit: number,
): Promise<NewestRow[]> {
  const columns = Object.entries(query.filter).flatMap(([column, value]) =>
    value === undefined ? [] : [matching(query.projectId, column, value)],
  );
  // Figures and lists of feedback are of answers that were given.
  const given = query.table === "feedback_entry" ? " and attempt is null" : "";
  const matches = given + columns.map(({ sql }) => ` and ${sql}`).join("");
  const one =
    `select * from (select id, ${query.value ?? "null"} as value from ${query.table} where project_id = ? and id >= ? and id < ?${matches} order ` +
    "by id desc limit ?) as part";
  const values = ranges.flatMap(({ from, before }) => [
    ...[query.projectId, from, before],
    ...columns.flatMap(({ values }) => values),
    limit,
  ]);
  const sql = `${ranges.map(() => one).join(" union all ")} limit ?`;
  const rows = toNewestRows(await readRows(store, sql, [...values, limit]));
  return rows.sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** PostgreSQL gives large integers as texts. */
export function toNewestRows(rows: readonly { readonly id: string; readonly value: number | string | null }[]) {
  return rows.map(({ id, value }): NewestRow => ({ id, value: value === null ? null : Number(value) }));
}

const CAPPED: Readonly<Record<string, NameKind | undefined>> = { workload: "workload", name: "metric" };

/**
 * Returns SQL for rows with a value. Those that figures count as others have their own names: the ones that are not
 * told apart.
 */
export function matching(projectId: string, column: string, value: string): { sql: string; values: readonly string[] } {
  const kind = CAPPED[column];
  if (value !== OTHER_NAMES || kind === undefined) return { sql: `${column} = ?`, values: [value] };
  const apart = "select name from rollup_name as apart where apart.project_id = ? and apart.kind = ?";
  return { sql: `${column} <> '' and ${column} not in (${apart})`, values: [projectId, kind] };
}

/** Rollups stay when rows are deleted: where there are no rows any more, none are looked for. */
async function oldestHour(store: Store, { table, projectId }: NewestQuery): Promise<number | undefined> {
  const sql = `select id from ${table} where project_id = ? order by id limit 1`;
  const [row] = await readRows<{ id: string }>(store, sql, [projectId]);
  return row === undefined ? undefined : getHour(row.id);
}

/** Hours since 1970 of an id's time: it is its first 48 bits, whatever its version. */
export function getHour(id: string): number {
  return Math.floor(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) / PERIODS.hour);
}

function toRange({ first, end }: HourRun, { fromId, beforeId }: NewestQuery): IdRange {
  const [from, before] = [firstIdAt(first * PERIODS.hour), firstIdAt(end * PERIODS.hour)];
  return { from: from > fromId ? from : fromId, before: before < beforeId ? before : beforeId };
}
