import { readRows } from "../../database/executor.ts";
import type { Store } from "../../types/store.ts";
import { type CallFilter, filteredColumns } from "./call-filter.ts";
import type { MetricFilter } from "./last-day-of-value.ts";
import { matching, type NewestRow, toNewestRows } from "./newest-ids.ts";
import { type FactFilter, factMatches } from "./rows-with-facts.ts";

/** A tag that feedback has. */
export interface TagFilter {
  readonly key: string;
  readonly value: string;
}

/** The conditions on an inference, its facts and its feedback; undefined matches any. */
interface Conditions {
  readonly projectId: string;
  readonly filter?: CallFilter | undefined;
  readonly facts?: FactFilter | undefined;
  /** A tag of its feedback. */
  readonly tag?: TagFilter | undefined;
  readonly metric?: MetricFilter | undefined;
}

/** A part of a statement, with its values. */
interface Match {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Ids of one statement: there is a text for each number of them. */
const IDS_AT_ONCE = 3200;
/** Comparisons are part of the text, so they come from here and from nowhere else. */
const COMPARISONS: Record<MetricFilter["compare"], string> = { ">": ">", "<": "<", "=": "=" };
const VALUE = "case when boolean_value is null then float_value when boolean_value then 1.0 else 0.0 end";

/** Returns those of some ids, given in falling order, whose inferences meet all conditions, in the same order. */
export async function idsThatMatch(store: Store, conditions: Conditions, ids: readonly string[]): Promise<string[]> {
  return (await rowsThatMatch(store, conditions, ids)).map(({ id }) => id);
}

/** Returns them with a value: SQL of a number, or null. */
export async function rowsThatMatch(
  store: Store,
  conditions: Conditions,
  ids: readonly string[],
  value = "null",
): Promise<NewestRow[]> {
  const matches = toMatches(conditions);
  const found: NewestRow[] = [];
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const part = ids.slice(start, start + IDS_AT_ONCE);
    const conditionsSql = matches.map(({ sql }) => ` and ${sql}`).join("");
    const sql =
      `select id, ${value} as value from inference where project_id = ? and id in ` +
      `(${part.map(() => "?").join(", ")})${conditionsSql} order by id desc`;
    const values = [conditions.projectId, ...part, ...matches.flatMap((match) => match.values)];
    found.push(...toNewestRows(await readRows(store, sql, values)));
  }
  return found;
}

function toMatches({ projectId, filter = {}, facts = {}, tag, metric }: Conditions): Match[] {
  const columns = Object.entries(filteredColumns(filter)).flatMap(([column, value]) =>
    value === undefined ? [] : [matching(projectId, column, value)],
  );
  const matches: Match[] = [...columns, ...factMatches(projectId, facts)];
  if (tag !== undefined) {
    const sql =
      "exists (select 1 from feedback_tag where project_id = ? and key = ? and value = ? " +
      "and inference_id = inference.id)";
    matches.push({ sql, values: [projectId, tag.key, tag.value] });
  }
  if (metric !== undefined) {
    const sql =
      `exists (select 1 from feedback_entry where project_id = ? and ${metricSql(metric)} and ` +
      "inference_id = inference.id)";
    matches.push({ sql, values: [projectId, ...metricValues(metric)] });
  }
  return matches;
}

/** Returns SQL for entries with a value, on answers that were given. */
export function metricSql(metric: MetricFilter | undefined): string {
  return metric === undefined ? "true" : `attempt is null and name = ? and (${VALUE}) ${COMPARISONS[metric.compare]} ?`;
}

/** Returns the values of that SQL. */
export function metricValues(metric: MetricFilter | undefined): unknown[] {
  return metric === undefined ? [] : [metric.name, metric.value];
}
