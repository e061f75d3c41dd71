import { readRows } from "../../database/executor.ts";
import { periodAt } from "../../types/period.ts";
import type { Store } from "../../types/store.ts";

/** The values that a project's calls can be filtered by, each list in alphabetical order. */
interface Facets {
  readonly models: readonly string[];
  readonly workloads: readonly string[];
  readonly statuses: readonly string[];
  /** Names of feedback. */
  readonly metrics: readonly string[];
}

/** Of which calls; days are those that the time touches, in UTC. */
interface FacetsQuery {
  readonly projectId: string;
  readonly from?: Date | undefined;
  /** Not part of it. */
  readonly to?: Date | undefined;
}

/** Numbers of days that no rollup is outside of. */
const ALL_DAYS = { first: 0, end: 2 ** 31 - 1 };

/** Reads what occurs in a project, from the rollups of days. */
export async function readFacets(store: Store, { projectId, from, to }: FacetsQuery): Promise<Facets> {
  const first = from === undefined ? ALL_DAYS.first : Math.max(ALL_DAYS.first, periodAt("day", from.getTime()));
  const end = to === undefined ? ALL_DAYS.end : Math.min(ALL_DAYS.end, periodAt("day", to.getTime() - 1) + 1);
  const usage =
    "select distinct model, workload, status from usage_day where project_id = ? and period >= ? and " + "period < ?";
  // What is said of a request is said later, also after the end of the time.
  const feedback = "select distinct name from feedback_day where project_id = ? and period >= ?";
  const [calls, entries] = await Promise.all([
    readRows<Readonly<Record<string, string>>>(store, usage, [projectId, first, end]),
    readRows<Readonly<Record<string, string>>>(store, feedback, [projectId, first]),
  ]);
  const distinct = (rows: typeof calls, column: string) => [...new Set(rows.map((row) => String(row[column])))].sort();
  return {
    models: distinct(calls, "model"),
    workloads: distinct(calls, "workload"),
    statuses: distinct(calls, "status"),
    metrics: distinct(entries, "name"),
  };
}
