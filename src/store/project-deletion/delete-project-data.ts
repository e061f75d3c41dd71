import { setTimeout as delay } from "node:timers/promises";
import { transact } from "../database/executor.ts";
import { type DeletedData, type DeletionOptions, deleteInferences, PAUSE_MS } from "../deletions/delete-inferences.ts";
import type { Store } from "../types/store.ts";
import { type TableOfProjects, tablesOfProjects } from "./tables-of-projects.ts";

/** Rows of one transaction. */
const CHUNK = 500;

/**
 * Deletes all rows of a project but the project itself, a few at a time: records and texts, feedback, conversations,
 * figures, learned state, alerts, datasets, limits, settings, members and keys. The audit log stays. What was deleted
 * stays so where it is broken off.
 */
export async function deleteProjectData(
  store: Store,
  projectId: string,
  options: DeletionOptions,
): Promise<DeletedData> {
  let deleted = await deleteInferences(store, { projectId }, options);
  // While there are keys that say which are theirs.
  await deleteCounters(store, projectId, options.signal);
  for (const table of tablesOfProjects(store)) {
    const column = COUNTED[table.name];
    for (let rows = CHUNK; rows === CHUNK; ) {
      options.signal?.throwIfAborted();
      rows = await deleteChunk(store, table, projectId);
      if (column !== undefined) deleted = { ...deleted, [column]: deleted[column] + rows };
      if (rows === 0) break;
      await options.onProgress?.(deleted);
      await delay(PAUSE_MS);
    }
  }
  return deleted;
}

const COUNTED: Readonly<Record<string, keyof DeletedData>> = {
  inference: "inferences",
  feedback_entry: "feedback",
  conversation: "conversations",
};

/** Resolves to the number of rows that went, at most CHUNK. */
async function deleteChunk(store: Store, table: TableOfProjects, projectId: string): Promise<number> {
  const keys = `(${table.keys.map((key) => `"${key}"`).join(", ")})`;
  const condition = table.condition.replace("?", store.engine === "postgres" ? "$1" : "?1");
  const chosen = `select ${keys.slice(1, -1)} from "${table.name}" where ${condition} limit ${CHUNK}`;
  const sql = `delete from "${table.name}" where ${keys} in (${chosen}) returning 1 as one`;
  return (await transact(store, (execute) => execute(sql, [projectId]))).length;
}

/** Deletes what limits have counted: the names of windows end with whose they are, those of shadow budgets too. */
async function deleteCounters(store: Store, projectId: string, signal?: AbortSignal): Promise<void> {
  const tables = store.query();
  const keys = await tables.selectFrom("ApiKey").select("publicId").where("project", "=", projectId).execute();
  const own = new Set([`project:${projectId}`, ...keys.map(({ publicId }) => `key:${publicId}`)]);
  const within = [` end-user:${projectId}/`, ` tag:${projectId}/`];
  const isOwn = (name: string) =>
    own.has(name.slice(name.lastIndexOf(" ") + 1)) || within.some((part) => name.includes(part));
  for (const table of ["QuotaWindow", "QuotaLease"] as const) {
    for (let names = [""]; names.length > 0; ) {
      signal?.throwIfAborted();
      // A few at a time: there may be one for each end user of the installation.
      const after = tables
        .selectFrom(table)
        .select("name")
        .distinct()
        .where("name", ">", names.at(-1) ?? "");
      names = (await after.orderBy("name").limit(CHUNK).execute()).map(({ name }) => name);
      const gone = names.filter(isOwn);
      if (gone.length > 0) await tables.deleteFrom(table).where("name", "in", gone).execute();
    }
  }
  await tables.deleteFrom("ShadowDay").where("budget", "like", `%${projectId}%`).execute();
}
