import { setTimeout as delay } from "node:timers/promises";
import { DatabaseBusyError, isBusy } from "../../lib/database-state.ts";
import { type Executor, transact } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

/** The time for which a change of partitions may block writers. */
const LOCK_TIMEOUT = "set local lock_timeout = '2s'";
/** Pauses between tries: a vacuum or a long query holds a table for so long. */
const PAUSES_MS = [1000, 4000, 15_000];

/** A change of the partitions of a table on PostgreSQL. */
interface PartitionChange<T> {
  /** The change in words: `create inference_20310303`. */
  readonly name: string;
  readonly table: string;
  run(execute: Executor): Promise<T>;
}

/**
 * Changes partitions in a transaction. A change needs the whole table for a moment: where others hold it, it is tried
 * again, up to four times. Rejects with a DatabaseBusyError then.
 */
export async function changePartitions<T>(store: Store, change: PartitionChange<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await transact(store, async (execute) => {
        await execute(LOCK_TIMEOUT, []);
        return await change.run(execute);
      });
    } catch (cause) {
      if (!isBusy(cause)) throw cause;
      const pauseMs = PAUSES_MS[attempt];
      if (pauseMs === undefined || signal?.aborted === true) throw new DatabaseBusyError(describe(change), { cause });
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

function describe({ name, table }: PartitionChange<unknown>): string {
  return `cannot ${name}: a vacuum, a backup or a long transaction holds ${table}; pg_locks shows which`;
}
