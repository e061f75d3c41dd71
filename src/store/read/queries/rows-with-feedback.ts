import { readRows } from "../../database/executor.ts";
import { OTHER_NAMES } from "../../entities/rollup-name.ts";
import type { Store } from "../../types/store.ts";
import type { CallFilter } from "./call-filter.ts";
import { beforeLastValue, type MetricFilter } from "./last-day-of-value.ts";
import type { NewestRow } from "./newest-ids.ts";
import { metricSql, metricValues, rowsThatMatch, type TagFilter } from "./rows-that-match.ts";
import type { FactFilter } from "./rows-with-facts.ts";

/** The query of inferences by feedback: a tag, a metric or both. */
interface FeedbackSearch {
  readonly projectId: string;
  readonly limit: number;
  /** Ids are not less than the first, and less than the second. */
  readonly fromId: string;
  readonly beforeId: string;
  readonly filter: CallFilter;
  readonly facts: FactFilter;
  readonly tag: TagFilter | undefined;
  readonly metric: MetricFilter | undefined;
  /** SQL of a number that is read with them. */
  readonly value?: string | undefined;
}

/** Candidates of the first statement; each further one takes twice as many. */
const FIRST_CANDIDATES = 200;
const MOST_CANDIDATES = 3200;

/** Finds inferences by their feedback: the greatest ids, in falling order. Feedback leads, all else is looked up. */
export async function rowsWithFeedback(store: Store, search: FeedbackSearch): Promise<NewestRow[]> {
  const rows: NewestRow[] = [];
  let before: string | undefined = search.beforeId;
  if (search.metric !== undefined) before = await beforeLastValue(store, search, search.metric);
  if (before === undefined) return rows;
  // One of them leads, and the other is looked up.
  const rest = { ...search, tag: undefined, metric: search.tag === undefined ? undefined : search.metric };
  const first = isKnownOfFeedback(search) ? search.limit : FIRST_CANDIDATES;
  for (let size = first; ; size = Math.min(size * 2, MOST_CANDIDATES)) {
    const candidates = await readCandidates(store, { ...search, beforeId: before }, size);
    rows.push(...(await rowsThatMatch(store, rest, candidates, search.value)));
    const last = candidates.at(-1);
    if (rows.length >= search.limit) return rows.slice(0, search.limit);
    if (candidates.length < size || last === undefined) return rows;
    before = last;
  }
}

/** Returns whether feedback itself says nearly all that is asked for: then few candidates are in vain. */
function isKnownOfFeedback({ filter: { model, workload, ...others } }: FeedbackSearch): boolean {
  return (model !== undefined || workload !== undefined) && Object.values(others).every((value) => value === undefined);
}

async function readCandidates(store: Store, search: FeedbackSearch, limit: number): Promise<string[]> {
  const { projectId, fromId, beforeId, tag, metric } = search;
  const known = knownSql(search);
  const entry = known.sql === "" ? "" : " join feedback_entry as entry on entry.id = found.feedback_id";
  const [lead, from] =
    tag === undefined ? ["entry", "feedback_entry as entry"] : ["found", `feedback_tag as found${entry}`];
  const matches = tag === undefined ? metricSql(metric) : "key = ? and value = ?";
  const values = tag === undefined ? metricValues(metric) : [tag.key, tag.value];
  const sql =
    `select distinct ${lead}.inference_id as id from ${from} where ${lead}.project_id = ? and ${matches} and ` +
    `${lead}.inference_id >= ? and ${lead}.inference_id < ?${known.sql} order by id desc limit ?`;
  const all = [projectId, ...values, fromId, beforeId, ...known.values, limit];
  return (await readRows<{ id: string }>(store, sql, all)).map(({ id }) => id);
}

/**
 * Asks feedback for what it knows of its inference. Where it does not, because it came too early, its text is empty.
 */
function knownSql({ filter }: FeedbackSearch): { sql: string; values: readonly string[] } {
  const columns = [["model", filter.model] as const, ["workload", filter.workload] as const];
  const known = columns.flatMap(([column, value]) =>
    value === undefined || value === "" || value === OTHER_NAMES ? [] : [{ column, value }],
  );
  const sql = known.map(
    ({ column }) =>
      ` and (entry.${column} = ? or (entry.${column} = '' and exists (select 1 from inference where ` +
      `inference.id = entry.inference_id and inference.${column} = ?)))`,
  );
  return { sql: sql.join(""), values: known.flatMap(({ value }) => [value, value]) };
}
