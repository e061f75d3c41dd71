import { databaseTime } from "../database/clock.ts";
import type { Store } from "../types/store.ts";

/** The id of the only row. */
export const LEASE_ROW = 1;

/** Makes a process the one that evaluates and sends, for a while; false where another one is. */
export async function acquireAlertLease(store: Store, process: string, leaseMs: number): Promise<boolean> {
  const tables = store.query();
  const { numUpdatedRows } = await tables
    .updateTable("AlertLease")
    .set({ process, endsAt: databaseTime(store, leaseMs) })
    .where("id", "=", LEASE_ROW)
    .where((is) => is.or([is("process", "=", process), is("endsAt", "<", databaseTime(store, 0))]))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return true;
  const { numInsertedOrUpdatedRows } = await tables
    .insertInto("AlertLease")
    .values({ id: LEASE_ROW, process, endsAt: databaseTime(store, leaseMs), auditSequence: 0 })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Lets another process take over at once. */
export async function releaseAlertLease(store: Store, process: string): Promise<void> {
  await store
    .query()
    .updateTable("AlertLease")
    .set({ endsAt: databaseTime(store, -1) })
    .where("process", "=", process)
    .execute();
}
