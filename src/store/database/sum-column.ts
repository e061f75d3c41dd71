/** Rollups whose rows are told apart by the status of calls; the others of calls have it in columns. */
const WITH_STATUS: ReadonlySet<string> = new Set(["usage_hour", "usage_day", "usage_week", "usage_fact_day"]);

/** A column that is added up; with `of` only for calls with that status. */
export interface SummedColumn {
  readonly column: string;
  readonly of?: string | undefined;
}

/** The columns of those rollups without a status that are of calls with one. */
const OF_STATUS: Readonly<Record<string, string>> = {
  "failed calls": "failed_calls",
  "completed latencies": "latencies",
};

/** Returns SQL for what is added up of a rollup's rows. Throws where the rollup does not have it. */
export function sumColumn(table: string, { column, of }: SummedColumn): string {
  if (of === undefined) return `"${column}"`;
  if (WITH_STATUS.has(table)) return `case when "status" = '${of}' then "${column}" end`;
  const own = OF_STATUS[`${of} ${column}`];
  if (own === undefined) throw new Error(`${table} has no ${column} of ${of} calls`);
  return `"${own}"`;
}
