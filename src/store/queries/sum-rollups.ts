import type { Store } from "../store.ts";
import { type Bucket, bucketStart, type RangePart, rangeParts, type TimeRange } from "./range.ts";
import { readRows } from "./read-rows.ts";

/** What of a rollup is summed up, and how. Names are those of columns. */
export interface RollupQuery {
  readonly rollup: "usage" | "feedback";
  readonly projectId: string;
  readonly range: TimeRange;
  readonly bucket: Bucket;
  /** Columns that stay apart. */
  readonly group: readonly string[];
  readonly sums: readonly string[];
  /** Columns with histograms, which are put one after the other. */
  readonly histograms?: readonly string[];
  /** What columns must be; undefined is anything. */
  readonly filter?: Readonly<Record<string, string | undefined>>;
}

/** The sums of one group in one bucket. */
export interface RollupSums {
  /** When the bucket begins; undefined for that of the whole range. */
  readonly start: Date | undefined;
  /** Values of the columns that stay apart. */
  readonly group: readonly string[];
  /** By the name of the column. */
  readonly sums: Readonly<Record<string, number>>;
  readonly histograms: Readonly<Record<string, string>>;
}

/** Sums up a rollup, in the order of time and groups. Buckets and groups in which nothing was counted are left out. */
export async function sumRollups(store: Store, query: RollupQuery): Promise<RollupSums[]> {
  const found = new Map<string, RollupSums>();
  for (const part of rangeParts(query.range, query.bucket)) {
    for (const row of await readPart(store, query, part)) {
      const start = bucketStart(query.bucket, part.period, Number(row["period"]));
      const group = query.group.map((column) => String(row[column]));
      const key = `${start?.toISOString() ?? ""}${group.join("\0")}`;
      found.set(key, addRow(query, row, found.get(key) ?? { start, group, sums: {}, histograms: {} }));
    }
  }
  // Times have one length: the order of the keys is that of time, and then of groups.
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

type Row = Readonly<Record<string, unknown>>;

async function readPart(store: Store, query: RollupQuery, { period, first, end }: RangePart): Promise<Row[]> {
  const apart = [...(query.bucket === "none" ? [] : ["period"]), ...query.group];
  const concatenate = store.engine === "postgres" ? "string_agg" : "group_concat";
  const selected = [
    ...apart,
    ...query.sums.map((column) => `cast(sum(${column}) as double precision) as ${column}`),
    ...(query.histograms ?? []).map((column) => `${concatenate}(${column}, '') as ${column}`),
  ];
  const filters = Object.entries(query.filter ?? {}).filter(([, value]) => value !== undefined);
  const where = ["project_id = ?", "period >= ?", "period < ?", ...filters.map(([column]) => `${column} = ?`)];
  const grouping = apart.length > 0 ? `group by ${apart.join(", ")}` : "having count(*) > 0";
  const sql = `select ${selected.join(", ")} from ${query.rollup}_${period} where ${where.join(" and ")} ${grouping}`;
  return await readRows<Row>(store, sql, [query.projectId, first, end, ...filters.map(([, value]) => value)]);
}

function addRow(query: RollupQuery, row: Row, { start, group, sums, histograms }: RollupSums): RollupSums {
  const sum = (column: string) => [column, (sums[column] ?? 0) + Number(row[column])] as const;
  const put = (column: string) => [column, `${histograms[column] ?? ""}${row[column] ?? ""}`] as const;
  return {
    start,
    group,
    sums: Object.fromEntries(query.sums.map(sum)),
    histograms: Object.fromEntries((query.histograms ?? []).map(put)),
  };
}
