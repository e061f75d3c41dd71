import { readRows } from "../../database/executor.ts";
import type { Store } from "../../types/store.ts";

/** The names that a project's calls have used, each list in alphabetical order. */
interface UsedNames {
  readonly models: readonly string[];
  /** Models that answered. */
  readonly servedModels: readonly string[];
  /** Public ids of keys. */
  readonly keys: readonly string[];
  readonly workloads: readonly string[];
  /** Upstreams with their names of the models. */
  readonly deployments: readonly (readonly [upstream: string, upstreamModel: string])[];
}

/** Reads the names that occur in a project's calls, of all time. */
export async function readNames(store: Store, projectId: string): Promise<UsedNames> {
  const sql =
    "select distinct model, served_model, key_id, workload, upstream, " +
    "upstream_model from usage_day where project_id = ?";
  const rows = await readRows<Readonly<Record<string, string>>>(store, sql, [projectId]);
  const distinct = (column: string) => [...new Set(rows.map((row) => String(row[column])))].sort();
  const deployments = new Set(rows.map((row) => JSON.stringify([row["upstream"], row["upstream_model"]])));
  return {
    models: distinct("model"),
    servedModels: distinct("served_model"),
    keys: distinct("key_id"),
    workloads: distinct("workload"),
    deployments: [...deployments].sort().map((text) => JSON.parse(text) as [string, string]),
  };
}
