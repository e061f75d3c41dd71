import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";
import type { Channel } from "./change-feed.ts";

/** A change to be told. */
interface Change {
  readonly channel: Channel;
  /** At most 7999 bytes; nothing where it is absent. */
  readonly payload?: string;
}

/** The notices that are kept on SQLite; a process that reads twenty times a second is never so far behind. */
const KEPT = 1000;

/**
 * Tells every process on the database of a change once the transaction of `execute` is committed, and nobody if it is
 * rolled back.
 */
export async function notifyChange(
  execute: Executor,
  engine: Engine,
  { channel, payload = "" }: Change,
): Promise<void> {
  if (engine === "postgres") {
    await execute("select pg_notify($1, $2)", [channel, payload]);
    return;
  }
  await execute('insert into "change_notice" ("channel", "payload") values (?, ?)', [channel, payload]);
  await execute('delete from "change_notice" where "id" <= (select max("id") from "change_notice") - ?', [KEPT]);
}
