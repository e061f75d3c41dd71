import { Client, type ClientConfig } from "pg";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { type ChangeFeed, NO_CHANGES } from "./change-feed.ts";
import { type FeedTimes, PostgresChangeFeed } from "./postgres-change-feed.ts";
import { SqliteChangeFeed } from "./sqlite-change-feed.ts";

/** The part of MikroORM's PostgreSQL connection that tells how the pool connects. */
interface PooledConnection {
  getNativeClient(): Promise<{ readonly options: ClientConfig }>;
}

/** Creates the feed of a database, on a connection of its own; of one in memory there is none. */
export function createChangeFeed(store: Store, log: Log, times: Partial<FeedTimes> = {}): ChangeFeed {
  if (store.location === "memory") return NO_CHANGES;
  if (store.engine === "sqlite") return new SqliteChangeFeed({ file: store.location, log });
  const connection: unknown = store.fork().getConnection();
  const createClient = async () => {
    const { options } = await (connection as PooledConnection).getNativeClient();
    // As it is: the password is in it, but a copy would leave it behind.
    return new Client(options);
  };
  return new PostgresChangeFeed({ createClient, log, times });
}
