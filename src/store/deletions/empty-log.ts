import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "../types/store.ts";

/** Attempts while somebody else reads or writes, and the pause between them. */
const ATTEMPTS = 20;
const PAUSE_MS = 50;

/**
 * Empties the write-ahead log of SQLite, which still has the texts that were just deleted: in the file itself
 * `secure_delete` overwrites them. Resolves to false where others used the database all along; maintenance tries again
 * within about an hour. PostgreSQL has no log of its own to empty.
 */
export async function emptyLog(store: Store): Promise<boolean> {
  if (store.engine !== "sqlite") return true;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.query());
    if (rows[0]?.busy === 0) return true;
    await delay(PAUSE_MS);
  }
  return false;
}
