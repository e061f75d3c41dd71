import { FACT_DIMENSIONS, type FeedbackFigures, type UsageDimension, type UsageQuery } from "../../figures/usage.ts";
import { readRows } from "../database/executor.ts";
import { countedIds } from "../read/queries/counted-time.ts";
import { getColumn as columnOfCalls } from "../read/queries/read-measures.ts";
import { sumRollups } from "../read/queries/sum-rollups.ts";
import type { Store } from "../types/store.ts";

/** The feedback on calls with the same values of the dimensions. */
export interface FeedbackUsage {
  readonly values: readonly string[];
  readonly feedback: FeedbackFigures;
}

/** Most entries that are read one by one, where feedback is told apart by session. */
const MOST_FEEDBACK = 50_000;

/**
 * Adds up the feedback that was given in a time, in whole hours, by what it is on: from the rollups, or by session from
 * the entries and their inferences; undefined where those are too many.
 */
export async function readFeedbackUsage(store: Store, query: UsageQuery): Promise<FeedbackUsage[] | undefined> {
  if (query.groupBy.includes("session")) {
    return (await isBounded(store, query)) ? await readEntries(store, query) : undefined;
  }
  const kind = FACT_DIMENSIONS.find((dimension) => query.groupBy.includes(dimension));
  return kind === undefined ? await readCounted(store, query) : await readFacts(store, query, kind);
}

async function readCounted(store: Store, query: UsageQuery): Promise<FeedbackUsage[]> {
  const { projectId, keyId, from, to, groupBy } = query;
  const columns = groupBy.map((dimension) => (dimension === "key" ? "call_key_id" : columnOf(dimension)));
  const rows = await sumRollups(store, {
    rollup: "feedback",
    projectId,
    range: { from, to },
    bucket: "none",
    group: [...columns, "kind"],
    sums: { "feedback.entries": { column: "entries" }, "feedback.trues": { column: "true_entries" } },
    filter: { call_key_id: keyId },
  });
  return rows.flatMap(({ group, sums }) => {
    // Of calls that were not known when it was written, feedback has no key.
    if (group.some((value, at) => groupBy[at] === "key" && value === "")) return [];
    const booleans = group.at(-1) === "boolean" ? sums["feedback.entries"] : 0;
    return [{ values: group.slice(0, -1), feedback: { ...sums, "feedback.booleans": booleans } }];
  });
}

async function readFacts(
  store: Store,
  { projectId, keyId, from, to, groupBy }: UsageQuery,
  kind: (typeof FACT_DIMENSIONS)[number],
): Promise<FeedbackUsage[]> {
  const rows = await sumRollups(store, {
    rollup: "feedback_fact",
    projectId,
    range: { from, to },
    bucket: "none",
    group: groupBy.map(columnOf),
    sums: {
      "feedback.entries": { column: "entries" },
      "feedback.booleans": { column: "booleans" },
      "feedback.trues": { column: "true_entries" },
    },
    filter: { key_id: keyId, kind },
  });
  return rows.map(({ group, sums }) => ({ values: group, feedback: sums }));
}

async function isBounded(store: Store, query: UsageQuery): Promise<boolean> {
  const [row] = await readRows<{ readonly count: number | string }>(
    store,
    `select count(*) as count from
      (select 1 from feedback_entry where project_id = ? and id >= ? and id < ? limit ${MOST_FEEDBACK + 1}) as found`,
    [query.projectId, ...(await countedIds(store, query))],
  );
  return Number(row?.count ?? 0) <= MOST_FEEDBACK;
}

async function readEntries(store: Store, query: UsageQuery): Promise<FeedbackUsage[]> {
  const { projectId, keyId, groupBy } = query;
  const columns = groupBy.map((dimension, at) => `i.${columnOf(dimension)} as value_${at}`);
  const names = groupBy.map((_, at) => `value_${at}`);
  const rows = await readRows<Readonly<Record<string, unknown>>>(
    store,
    `select ${[...columns, "count(*) as entries"].join(", ")},
        count(case when f.kind = 'boolean' then 1 end) as booleans, count(case when f.boolean_value then 1 end) as trues
      from feedback_entry f join inference i on i.id = f.inference_id
      where f.project_id = ? and f.id >= ? and f.id < ? and i.project_id = f.project_id
      ${keyId === undefined ? "" : "and i.key_id = ?"} ${names.length === 0 ? "" : `group by ${names.join(", ")}`}`,
    [projectId, ...(await countedIds(store, query)), ...(keyId === undefined ? [] : [keyId])],
  );
  return rows.flatMap((row) => {
    // Without dimensions there is a row of nothing, too.
    if (Number(row["entries"]) === 0) return [];
    const values = names.map((name) => String(row[name] ?? ""));
    const feedback = {
      "feedback.entries": Number(row["entries"]),
      "feedback.booleans": Number(row["booleans"]),
      "feedback.trues": Number(row["trues"]),
    };
    return isInSession(values, groupBy) ? [{ values, feedback }] : [];
  });
}

function isInSession(values: readonly string[], groupBy: readonly UsageDimension[]): boolean {
  return values[groupBy.indexOf("session")] !== "";
}

function columnOf(dimension: UsageDimension): string {
  return dimension === "session" ? "session_id" : columnOfCalls(dimension);
}
