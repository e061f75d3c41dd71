import { transact } from "../database/executor.ts";
import type { Store } from "../types/store.ts";
import { LOCK_TIMEOUT } from "./ensure-partitions.ts";
import { listPartitions } from "./list-partitions.ts";

/**
 * Drops the partitions of a table on PostgreSQL in which all ids are less than the one given. Returns their names. A
 * drop needs the whole table for a moment; where it does not get it within two seconds, it rejects.
 */
export async function dropPartitions(store: Store, table: string, beforeId: string): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, bounds } of await listPartitions(store, table)) {
    if (bounds === undefined || bounds.beforeId > beforeId) continue;
    await transact(store, async (execute) => {
      await execute(LOCK_TIMEOUT, []);
      await execute(`drop table if exists "${name}"`, []);
    });
    dropped.push(name);
  }
  return dropped;
}
