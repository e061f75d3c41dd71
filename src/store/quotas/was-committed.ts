import { setTimeout as delay } from "node:timers/promises";
import { readRows } from "../database/executor.ts";
import type { Store } from "../types/store.ts";

const PAUSE_MS = 500;
/** The time after which a database that never answers is asked no more. */
const MOST_MS = 3_600_000;
/** The code of the complaint that a transaction is in the future. */
const INVALID_PARAMETER_VALUE = "22023";

/**
 * Returns whether PostgreSQL committed a transaction, by its id, whose end was not heard: the connection may break just
 * then. A standby that took over without the transaction has not come to its id, and has not committed it. Asks until
 * the database answers. Throws after `mostMs`, an hour if absent.
 */
export async function wasCommitted(store: Store, transaction: string, mostMs = MOST_MS): Promise<boolean> {
  const endMs = performance.now() + mostMs;
  for (;;) {
    try {
      const rows = await readRows<{ status: string | null }>(store, "select pg_xact_status(?::xid8) as status", [
        transaction,
      ]);
      const status = rows[0]?.status;
      if (status !== "in progress") return status === "committed";
      if (performance.now() > endMs) break;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === INVALID_PARAMETER_VALUE) return false;
      if (performance.now() > endMs) throw error;
    }
    await delay(PAUSE_MS, undefined, { ref: false });
  }
  throw new Error(`the transaction ${transaction} is still in progress`);
}
