import { FACT_DIMENSIONS, type FeedbackFigures, type UsageDimension, type UsageQuery } from "../../hub/usage.ts";
import { readRows } from "../database/executor.ts";
import { sumRollups } from "../read/queries/sum-rollups.ts";
import { firstIdAt, PERIODS } from "../types/period.ts";
import type { Store } from "../types/store.ts";
import { COLUMNS } from "./sum-usage.ts";

/** The feedback on calls with the same values of the dimensions; a call with several tags has several of them. */
export interface FeedbackUsage {
  readonly values: readonly string[];
  readonly feedback: FeedbackFigures;
}

/** Most entries that are read one by one: others are counted by model, project and workload alone. */
export const MOST_FEEDBACK = 50_000;

/** The dimensions that the rollups of feedback have. */
const COUNTED: ReadonlySet<UsageDimension> = new Set<UsageDimension>(["model", "project", "workload"]);

/**
 * Adds up the feedback that was given in a time, in whole hours, by what it is on: from the rollups, or from the entries
 * and their inferences where only these have the dimensions; undefined where those are too many.
 */
export async function readFeedbackUsage(store: Store, query: UsageQuery): Promise<FeedbackUsage[] | undefined> {
  const isCounted = query.keyId === undefined && query.groupBy.every((dimension) => COUNTED.has(dimension));
  if (isCounted) return await readCounted(store, query);
  return (await isBounded(store, query)) ? await readEntries(store, query) : undefined;
}

async function readCounted(store: Store, { projectId, from, to, groupBy }: UsageQuery): Promise<FeedbackUsage[]> {
  const columns = groupBy.map(columnOf);
  const rows = await sumRollups(store, {
    ...{ rollup: "feedback", projectId, range: { from, to }, bucket: "none" },
    group: [...columns, "kind"],
    sums: ["entries", "true_entries"],
  });
  return rows.map(({ group, sums }) => {
    const entries = sums["entries"] ?? 0;
    const booleans = group.at(-1) === "boolean" ? entries : 0;
    return { values: group.slice(0, -1), feedback: { entries, booleans, trues: sums["true_entries"] ?? 0 } };
  });
}

async function isBounded(store: Store, query: UsageQuery): Promise<boolean> {
  const [row] = await readRows<{ readonly count: number | string }>(
    store,
    `select count(*) as count from
      (select 1 from feedback_entry where project_id = ? and id >= ? and id < ? limit ${MOST_FEEDBACK + 1}) as found`,
    [query.projectId, ...idsOf(query)],
  );
  return Number(row?.count ?? 0) <= MOST_FEEDBACK;
}

async function readEntries(store: Store, query: UsageQuery): Promise<FeedbackUsage[]> {
  const { projectId, keyId, groupBy } = query;
  const columns = groupBy.map((dimension, at) => `${expressionOf(dimension)} as value_${at}`);
  const names = groupBy.map((_, at) => `value_${at}`);
  const rows = await readRows<Readonly<Record<string, unknown>>>(
    store,
    `select ${[...columns, "count(*) as entries"].join(", ")},
        count(case when f.kind = 'boolean' then 1 end) as booleans, count(case when f.boolean_value then 1 end) as trues
      from feedback_entry f join inference i on i.id = f.inference_id
      where f.project_id = ? and f.id >= ? and f.id < ? and i.project_id = f.project_id
      ${keyId === undefined ? "" : "and i.key_id = ?"} ${names.length === 0 ? "" : `group by ${names.join(", ")}`}`,
    [projectId, ...idsOf(query), ...(keyId === undefined ? [] : [keyId])],
  );
  return rows.flatMap((row) => {
    // Without dimensions there is a row of nothing, too.
    if (Number(row["entries"]) === 0) return [];
    const values = names.map((name) => String(row[name] ?? ""));
    const feedback = {
      entries: Number(row["entries"]),
      booleans: Number(row["booleans"]),
      trues: Number(row["trues"]),
    };
    return combinations(values, groupBy).map((combination) => ({ values: combination, feedback }));
  });
}

/** Returns the values of the groups that a call counts in: one for each of its tags; none where it has no such fact. */
function combinations(values: readonly string[], groupBy: readonly UsageDimension[]): string[][] {
  const at = groupBy.findIndex((dimension) => dimension === "session" || FACT_DIMENSIONS.some((f) => f === dimension));
  const value = values[at];
  if (value === undefined) return [[...values]];
  if (groupBy[at] !== "tag") return value === "" ? [] : [[...values]];
  const tags = value === "" || value === "null" ? {} : (JSON.parse(value) as Record<string, string>);
  return Object.entries(tags).map(([name, of]) => values.with(at, `${name}=${of}`));
}

function columnOf(dimension: UsageDimension): string {
  return dimension === "session" ? "session_id" : COLUMNS[dimension];
}

function expressionOf(dimension: UsageDimension): string {
  if (dimension === "end_user") return "i.end_user_id";
  return dimension === "tag" ? "cast(i.tags as text)" : `i.${columnOf(dimension)}`;
}

/** The ids of the hours that a time touches. */
function idsOf({ from, to }: Pick<UsageQuery, "from" | "to">): readonly [string, string] {
  const hours = [Math.floor(from.getTime() / PERIODS.hour), Math.ceil(to.getTime() / PERIODS.hour)] as const;
  return [firstIdAt(hours[0] * PERIODS.hour), firstIdAt(hours[1] * PERIODS.hour)];
}
