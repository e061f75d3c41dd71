import { DatabaseTimeoutError } from "../../../lib/database-state.ts";
import { TaskThread } from "../../../lib/tasks/task-thread.ts";
import { parseDatabaseUrl } from "../../database/database-url.ts";
import { SqlitePlace } from "../../database/sqlite-place.ts";
import { statementLimitMs } from "../../database/statement-limit.ts";
import type { Log } from "../../types/log.ts";
import type { Store } from "../../types/store.ts";
import type { ReadWorkerData } from "./read-worker.ts";
import { createReads, createStoreReads, type DashboardReads } from "./reads.ts";

/** Reads that hold something open. */
export interface OpenReads {
  readonly reads: DashboardReads;
  close(): Promise<void>;
}

/** Reads of one project that wait at a time. */
const MAX_WAITING_OF_PROJECT = 100;

/** The options of reads. */
interface ReadsOptions {
  readonly databaseUrl: string;
  readonly log: Log;
}

/**
 * Opens the dashboard's reads of a database. Those of an SQLite file are done in a thread of their own, with a
 * connection that only reads, and within the limit of a statement as a whole. A database in memory belongs to the one
 * connection that there is, and PostgreSQL computes elsewhere: both are read with the store itself.
 */
export function openReads(store: Store, { databaseUrl, log }: ReadsOptions): OpenReads {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === "postgres" || address.file === ":memory:") {
    return { reads: createStoreReads(store), close: async () => {} };
  }
  // A thread that starts later would take a file in the place of a deleted one for the database.
  const place = new SqlitePlace(address.file);
  place.check();
  const workerData: ReadWorkerData = { databaseUrl, namesPerProject: store.namesPerProject };
  const thread = new TaskThread({
    module: new URL("./read-worker.ts", import.meta.url),
    workerData,
    onDeath: (error) => log.error({ err: error }, "the thread that reads for the dashboard failed"),
    createError: (why, options) => new DatabaseTimeoutError(`the database was not read: ${why}`, options),
    maxWaitingOfOwner: MAX_WAITING_OF_PROJECT,
  });
  return {
    reads: createReads(async (name, args) => {
      place.check();
      return await thread.run(name, args, { limitMs: statementLimitMs(), owner: getProject(args) });
    }),
    close: () => thread.close(),
  };
}

/** Returns the project that is read of; those that name ids alone come behind such a read, and share their turns. */
function getProject([query]: readonly unknown[]): string {
  if (typeof query === "string") return query;
  if (typeof query !== "object" || query === null) return "";
  if ("key" in query) return getProject([query.key]);
  return "projectId" in query && typeof query.projectId === "string" ? query.projectId : "";
}
