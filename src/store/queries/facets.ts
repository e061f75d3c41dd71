import type { Store } from "../store.ts";
import { readRows } from "./read-rows.ts";

/** What the calls of a project can be filtered by, each in the order of the alphabet. */
export interface Facets {
  readonly models: readonly string[];
  /** Public ids of keys. */
  readonly keys: readonly string[];
  readonly workloads: readonly string[];
  readonly statuses: readonly string[];
  /** Names of feedback. */
  readonly metrics: readonly string[];
}

/** Reads what occurs in a project, of all time. */
export async function readFacets(store: Store, projectId: string): Promise<Facets> {
  const usage = "select distinct model, key_id, workload, status from usage_day where project_id = ?";
  const feedback = "select distinct name from feedback_day where project_id = ?";
  const [calls, entries] = await Promise.all([
    readRows<Readonly<Record<string, string>>>(store, usage, [projectId]),
    readRows<Readonly<Record<string, string>>>(store, feedback, [projectId]),
  ]);
  const distinct = (rows: typeof calls, column: string) => [...new Set(rows.map((row) => String(row[column])))].sort();
  return {
    models: distinct(calls, "model"),
    keys: distinct(calls, "key_id"),
    workloads: distinct(calls, "workload"),
    statuses: distinct(calls, "status"),
    metrics: distinct(entries, "name"),
  };
}
