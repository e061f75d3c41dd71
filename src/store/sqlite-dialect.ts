import { setTimeout as delay } from "node:timers/promises";
import { type DatabaseConnection, type Driver, SqliteDialect } from "kysely";
import { openSqlite } from "./sqlite-database.ts";

/** SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;
const BUSY_TIMEOUT_MS = 10_000;
const RETRY_MS = 5;

/**
 * SQLite through node:sqlite, with two changes against Kysely's own way for several processes on one file. Every transaction takes the write lock
 * when it begins: one that reads first and takes it later fails for good if another process wrote in between. And a
 * statement that meets a lock is tried again later: SQLite's own waiting holds up the event loop, and does not cover every
 * case, such as the moments in which another process creates or removes the write-ahead log.
 */
export class SharedSqliteDialect extends SqliteDialect {
  constructor(file: string) {
    super({ database: async () => openSqlite(file) });
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const acquire = driver.acquireConnection.bind(driver);
    const begin = driver.beginTransaction.bind(driver);
    driver.acquireConnection = async (options) => patient(await acquire(options));
    driver.beginTransaction = (connection, settings) => begin(immediate(connection), settings);
    return driver;
  }
}

function patient(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: async (query, options) => {
      const deadline = performance.now() + BUSY_TIMEOUT_MS;
      for (;;) {
        try {
          return await connection.executeQuery(query, options);
        } catch (error) {
          if (!isBusy(error) || performance.now() > deadline) throw error;
          await delay(RETRY_MS * (1 + Math.random()));
        }
      }
    },
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}

function immediate(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) => connection.executeQuery({ ...query, sql: "begin immediate" }, options),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}

/** The low byte is the code itself, the rest says more of it. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return (error.errcode & 0xff) === BUSY;
}
