/**
 * The thread that reads SQLite for the dashboard: SQLite answers without leaving its turn, and adding up takes as long
 * again.
 */
import { workerData } from "node:worker_threads";
import { lazyAsync } from "../../../lib/lazy-async.ts";
import { answerTasks } from "../../../lib/tasks/answer-tasks.ts";
import { openReadOnly } from "../../database/open-store.ts";
import type { Store } from "../../types/store.ts";
import { READS } from "./reads.ts";

/** The data that the thread starts with. */
export interface ReadWorkerData {
  readonly databaseUrl: string;
  readonly namesPerProject: number;
}

const { databaseUrl, namesPerProject } = workerData as ReadWorkerData;

/** A read finds the database away, and the next one tries again. A page asks for several things at once. */
const store = lazyAsync(() => openReadOnly(databaseUrl, namesPerProject));

answerTasks(
  Object.fromEntries(
    Object.entries(READS).map(([name, read]) => [
      name,
      async (...args: never[]) =>
        await (read as (store: Store, ...args: never[]) => unknown)(await store.get(), ...args),
    ]),
  ),
);
