import { Client, type ClientConfig } from "pg";
import { readRows } from "../database/executor.ts";
import type { Log } from "../types/log.ts";
import type { Store } from "../types/store.ts";
import { type ChangeFeed, NO_CHANGES } from "./change-feed.ts";
import { ChangeListeners } from "./change-listeners.ts";
import { type FeedTimes, PostgresChangeFeed } from "./postgres-change-feed.ts";
import { NEW_NOTICES, type Notice, SqliteChangeFeed } from "./sqlite-change-feed.ts";

/** The part of MikroORM's PostgreSQL connection that tells how the pool connects. */
interface PooledConnection {
  getNativeClient(): Promise<{ readonly options: ClientConfig }>;
}

/** Creates the feed of a database, on a connection of its own; that of one in memory tells when it is asked. */
export function createChangeFeed(store: Store, log: Log, times: Partial<FeedTimes> = {}): ChangeFeed {
  if (store.location === "memory") return createMemoryFeed(store);
  if (store.engine === "sqlite") return new SqliteChangeFeed({ file: store.location, log });
  const connection: unknown = store.fork().getConnection();
  const createClient = async () => {
    const { options } = await (connection as PooledConnection).getNativeClient();
    // As it is: the password is in it, but a copy would leave it behind.
    return new Client(options);
  };
  return new PostgresChangeFeed({ createClient, log, times });
}

/** Nobody else changes a database in memory: whoever has changed it asks the feed to tell. */
function createMemoryFeed(store: Store): ChangeFeed {
  const listeners = new ChangeListeners();
  let lastId = 0;
  return {
    ...NO_CHANGES,
    subscribe: (channel, listener) => listeners.add(channel, listener),
    async catchUp() {
      const notices = await readRows<Notice>(store, NEW_NOTICES, [lastId]).catch(() => []);
      for (const { id, channel, payload } of notices) {
        lastId = Math.max(lastId, id);
        listeners.tell(channel, payload);
      }
    },
  };
}
