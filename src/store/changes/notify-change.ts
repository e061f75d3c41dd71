import type { Kysely } from "@mikro-orm/sql";
import type { Engine } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import type { Channel } from "./change-feed.ts";

/** A change to be told. */
export interface Change {
  readonly channel: Channel;
  /** At most 7999 bytes. */
  readonly payload: string;
}

/**
 * Tells every process on the database of a change once the transaction of `tables` is committed, and nobody if it is rolled
 * back. Does nothing on SQLite, which has no such means: there, processes ask again.
 */
export async function notifyChange(tables: Kysely<Tables>, engine: Engine, change: Change): Promise<void> {
  if (engine === "sqlite") return;
  await tables
    .selectNoFrom(({ fn, val }) => fn<string>("pg_notify", [val(change.channel), val(change.payload)]).as("told"))
    .execute();
}
