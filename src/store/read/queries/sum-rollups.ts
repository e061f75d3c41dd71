import { createExecutor, readRows } from "../../database/executor.ts";
import { firstDayKept } from "../../database/first-day-kept.ts";
import { periodsEnds } from "../../database/periods-end.ts";
import { type SummedColumn, sumColumn } from "../../database/sum-column.ts";
import { ALL_KEYS } from "../../entities/usage-fact.ts";
import { firstPeriodFrom, PERIODS, type Period, periodStart } from "../../types/period.ts";
import type { Engine, Store } from "../../types/store.ts";
import {
  type Bucket,
  bucketColumn,
  type RangePart,
  type RetainedPeriods,
  rangeParts,
  type TimeRange,
} from "./range.ts";

/** The rollups that have longer periods than a day, by these. */
const LARGER = {
  usage: ["week"],
  usage_fact: ["week", "four_weeks"],
  feedback: [],
  feedback_fact: ["week", "four_weeks"],
} as const satisfies Readonly<Record<string, readonly Period[]>>;

type Rollup = keyof typeof LARGER;

/** The query of a rollup's sums. What is added up has names of the caller's own, so that nothing is added twice. */
interface RollupQuery<Sum extends string = string, Histogram extends string = string> {
  /** Facts are counted by the day alone: their ranges are whole days. */
  readonly rollup: Rollup;
  readonly projectId: string;
  readonly range: TimeRange;
  readonly bucket: Bucket;
  /** Columns that stay apart. */
  readonly group: readonly string[];
  readonly sums: Readonly<Record<Sum, SummedColumn>>;
  /** Histograms are put one after the other. */
  readonly histograms?: Readonly<Record<Histogram, SummedColumn>>;
  /** The values of columns, or lists of those that match; undefined matches anything. */
  readonly filter?: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The sums of one group in one bucket. */
export interface RollupSums<Sum extends string, Histogram extends string = never> {
  /** When the bucket begins; undefined for that of the whole range. */
  readonly start: Date | undefined;
  /** Values of the columns that stay apart. */
  readonly group: readonly string[];
  readonly sums: Readonly<Record<Sum, number>>;
  readonly histograms: Readonly<Record<Histogram, string>>;
}

/** Sums up a rollup, in the order of time and groups. Buckets and groups in which nothing was counted are left out. */
export async function sumRollups<Sum extends string, Histogram extends string = never>(
  store: Store,
  query: RollupQuery<Sum, Histogram>,
): Promise<RollupSums<Sum, Histogram>[]> {
  const found = new Map<string, Counted>();
  for (const part of rangeParts(query.range, query.bucket, await retainedPeriods(store, query))) {
    for (const row of await readPart(store, query, part)) {
      const counted = toCounted(query, row);
      const key = `${counted.startMs}\0${counted.group.join("\0")}`;
      const same = found.get(key);
      if (same === undefined) found.set(key, counted);
      else addCounted(same, counted);
    }
  }
  return [...found.values()].sort(inOrder).map(({ startMs, ...sums }) => ({
    ...(sums as Pick<RollupSums<Sum, Histogram>, "group" | "sums" | "histograms">),
    start: Number.isNaN(startMs) ? undefined : new Date(startMs),
  }));
}

async function retainedPeriods(
  store: Store,
  { rollup, projectId, range, bucket }: RollupQuery,
): Promise<RetainedPeriods> {
  const firstDayOfHours = await firstDayKept(store, "hours");
  const tables = LARGER[rollup].map((period) => `${rollup}_${period}`);
  // What is shorter has no whole week, or hardly one.
  const isLong = range.to.getTime() - range.from.getTime() > 2 * PERIODS.week;
  if (tables.length === 0 || (bucket !== "week" && bucket !== "none") || !isLong) return { firstDayOfHours };
  const ends = await periodsEnds(createExecutor(store.query()), store.engine, { tables, projectId });
  const { [`${rollup}_week`]: weeksEnd = 0, [`${rollup}_four_weeks`]: end = 0 } = ends;
  // Of a longer period that figures were deleted within, not all is there.
  const firstMs = (await firstDayKept(store, "figures")) * PERIODS.day;
  return { firstDayOfHours, weeksEnd, fourWeeks: { first: firstPeriodFrom("four_weeks", firstMs), end } };
}

/** Values of the columns that stay apart, of the sums and of the histograms. */
type Row = readonly unknown[];

/** The sums so far; a bucket may have rows of hours and of days. */
interface Counted {
  /** NaN for the whole range. */
  readonly startMs: number;
  readonly group: readonly string[];
  readonly sums: Record<string, number>;
  readonly histograms: Record<string, string>;
}

/** Reads one part. Small values come as one JSON text: the drivers take long for many of them. */
async function readPart(store: Store, query: RollupQuery, { period, first, end }: RangePart): Promise<readonly Row[]> {
  const table = `${query.rollup}_${period}`;
  const filters = Object.entries({ ...query.filter, ...keysOf(query, period) }).flatMap(([column, value]) =>
    value === undefined ? [] : [{ column, values: typeof value === "string" ? [value] : value }],
  );
  const periods = hasAllKeys(query, period) && end - first <= MOST_SOUGHT ? getList(first, end) : undefined;
  const inPeriods =
    periods === undefined ? ["period >= ?", "period < ?"] : [matching({ column: "period", values: periods })];
  const where = ["project_id = ?", ...inPeriods, ...filters.map(matching)];
  if (hasAllKeys(query, period) && query.group.includes("key_id")) where.push(`key_id <> '${ALL_KEYS}'`);
  const apart = getApart(query, period);
  const grouping = apart.length > 0 ? `group by ${apart.map(({ sql }) => sql).join(", ")}` : "having count(*) > 0";
  const added = addedUp(store.engine, query, table);
  const columns = [...apart.map(({ name }) => name), ...added.map((_, at) => `added_${at}`)];
  const selected = [
    ...apart.map(({ sql, name }) => `${sql} as ${name}`),
    ...added.map((sql, at) => `${sql} as added_${at}`),
  ];
  const sql = `select ${selected.join(", ")} from ${table} where ${where.join(" and ")} ${grouping}`;
  const values = [query.projectId, ...(periods ?? [first, end]), ...filters.flatMap((filter) => filter.values)];
  if (!isPacked(store.engine, query)) {
    const rows = await readRows<Readonly<Record<string, unknown>>>(store, sql, values);
    return rows.map((row) => columns.map((column) => row[column]));
  }
  const list = columns.join(", ");
  const json =
    store.engine === "postgres" ? `json_agg(json_build_array(${list}))::text` : `json_group_array(json_array(${list}))`;
  const packed = `select ${json} as packed from (${sql}) as part`;
  const [row] = await readRows<{ packed: string | null }>(store, packed, values);
  return JSON.parse(row?.packed ?? "[]") as readonly Row[];
}

/**
 * Longer periods that are looked up one by one in the index, by their kind and key: of all rows between two of them
 * most are of other keys.
 */
const MOST_SOUGHT = 100;

function getList(first: number, end: number): readonly number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}

/** Returns whether rows for all keys stand beside those of the keys. */
function hasAllKeys({ rollup }: RollupQuery, period: Period): boolean {
  return (rollup === "usage_fact" || rollup === "feedback_fact") && period !== "day";
}

/** Reads the rows for all keys where keys are not told apart. */
function keysOf(query: RollupQuery, period: Period): RollupQuery["filter"] {
  const isOfKeys = query.filter?.["key_id"] !== undefined || query.group.includes("key_id");
  return hasAllKeys(query, period) && !isOfKeys ? { key_id: ALL_KEYS } : {};
}

function matching({ column, values }: { readonly column: string; readonly values: readonly unknown[] }): string {
  return values.length === 1 ? `${column} = ?` : `${column} in (${values.map(() => "?").join(", ")})`;
}

/** SQLite writes doubles into JSON with 15 digits, so feedback, whose sums are no whole numbers, comes as rows. */
function isPacked(engine: Engine, { rollup, histograms }: RollupQuery): boolean {
  return Object.keys(histograms ?? {}).length === 0 && (engine === "postgres" || rollup !== "feedback");
}

/** Returns the grouping columns, with their names in the result. */
function getApart({ bucket, group }: RollupQuery, period: Period): { sql: string; name: string }[] {
  const buckets = bucket === "none" ? [] : [{ sql: bucketColumn(bucket, period), name: "bucket" }];
  return [...buckets, ...group.map((column) => ({ sql: column, name: column }))];
}

/** Sums are doubles: no number of rows can make one too large, and beyond 2^53 its last digits are rounded. */
function addedUp(engine: Engine, query: RollupQuery, table: string): string[] {
  const [sum, concatenate] =
    engine === "postgres"
      ? [(column: string) => `sum((${column})::double precision)`, "string_agg"]
      : [(column: string) => (isPacked(engine, query) ? packedTotal(column) : `total(${column})`), "group_concat"];
  return [
    ...Object.values(query.sums).map((column) => sum(sumColumn(table, column))),
    ...Object.values(query.histograms ?? {}).map((column) => `${concatenate}(${sumColumn(table, column)}, '')`),
  ];
}

/** SQLite's JSON has 15 digits of a double and all of an integer, and its integers end at 2^63. */
function packedTotal(column: string): string {
  const total = `total(${column})`;
  return `case when abs(${total}) < 9e18 then cast(${total} as integer) else ${total} end`;
}

function toCounted(query: RollupQuery, row: Row): Counted {
  let at = query.bucket === "none" ? 0 : 1;
  const startMs = query.bucket === "none" ? Number.NaN : periodStart(query.bucket, Number(row[0]));
  const group: string[] = [];
  for (const _ of query.group) group.push(String(row[at++]));
  const sums: Record<string, number> = {};
  for (const name of Object.keys(query.sums)) sums[name] = Number(row[at++] ?? 0);
  const histograms: Record<string, string> = {};
  for (const name of Object.keys(query.histograms ?? {})) histograms[name] = String(row[at++] ?? "");
  return { startMs, group, sums, histograms };
}

function addCounted(to: Counted, { sums, histograms }: Counted): void {
  for (const [name, sum] of Object.entries(sums)) to.sums[name] = (to.sums[name] ?? 0) + sum;
  for (const [name, text] of Object.entries(histograms)) to.histograms[name] += text;
}

function inOrder(a: Counted, b: Counted): number {
  if (a.startMs !== b.startMs && !Number.isNaN(a.startMs)) return a.startMs - b.startMs;
  for (const [index, name] of a.group.entries()) {
    const other = b.group[index] ?? "";
    if (name !== other) return name < other ? -1 : 1;
  }
  return 0;
}
