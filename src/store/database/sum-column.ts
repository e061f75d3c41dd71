/** Rollups whose rows are told apart by the status of calls; the others of calls have it in columns. */
const WITH_STATUS: ReadonlySet<string> = new Set(["usage_hour", "usage_day", "usage_week", "usage_fact_day"]);

/** Sums that are of calls with a status alone, where rows have one. */
const BY_STATUS: Readonly<Record<string, { readonly column: string; readonly status: string }>> = {
  failed_calls: { column: "calls", status: "failed" },
  completed_latencies: { column: "latencies", status: "completed" },
};

/**
 * Returns SQL for a sum of a rollup's rows: a column, or failed_calls, and completed_latencies, which are columns in
 * some rollups and those of one status in others.
 */
export function sumColumn(table: string, name: string): string {
  const part = BY_STATUS[name];
  if (part === undefined) return `"${name}"`;
  if (WITH_STATUS.has(table)) return `case when "status" = '${part.status}' then "${part.column}" end`;
  return `"${part.column === "calls" ? name : part.column}"`;
}
