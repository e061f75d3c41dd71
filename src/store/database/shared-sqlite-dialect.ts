import { setTimeout as delay } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from "kysely";
import { DatabaseTimeoutError } from "../../lib/database-state.ts";
import { Semaphore } from "../../lib/semaphore.ts";
import { isBusy, type OpenSqlite, openSqlite, type SqliteOptions } from "./sqlite-database.ts";
import { SqlitePlace } from "./sqlite-place.ts";
import { statementLimitMs } from "./statement-limit.ts";
import { readValueRows } from "./value-rows.ts";

/** The time that work without a limit waits for a lock, such as a migration beside that of another process. */
const LONGEST_BUSY_MS = 60_000;
const RETRY_MS = 5;

/**
 * SQLite through node:sqlite, with changes against Kysely's own way for several processes on one file. Every
 * transaction takes the write lock when it begins: one that reads first and takes it later fails for good if another
 * process wrote in between. A statement that meets a lock is tried again later: SQLite's own waiting holds up the event
 * loop, and does not cover every case, such as the moments in which another process creates or removes the write-ahead
 * log. The one connection is waited for for a limited time. And nothing is written to a file that was deleted or
 * replaced meanwhile.
 */
export class SharedSqliteDialect extends SqliteDialect {
  readonly #file: string;
  #opened: OpenSqlite | undefined;

  constructor(file: string, options: SqliteOptions) {
    super({
      database: async () => {
        this.#opened = openSqlite(file, options);
        return this.#opened;
      },
    });
    this.#file = file;
  }

  override createDriver(): Driver {
    const driver = super.createDriver();
    const semaphore = new Semaphore(1);
    const place = new SqlitePlace(this.#file);
    /** True if a transaction could not be undone: nobody's statements may become a part of it. */
    let isLeftOver = false;
    const acquire = driver.acquireConnection.bind(driver);
    const begin = driver.beginTransaction.bind(driver);
    const rollback = driver.rollbackTransaction.bind(driver);
    const undo = async (connection: DatabaseConnection) => {
      isLeftOver = true;
      // Where it found no room, SQLite has rolled back by itself.
      if (this.#opened?.isTransaction === true) await rollback(connection);
      isLeftOver = false;
    };
    driver.acquireConnection = async (options) => {
      const timeoutMs = statementLimitMs();
      if (!(await semaphore.acquire({ timeoutMs }))) {
        throw new DatabaseTimeoutError(`the connection to the database was in use by others for ${timeoutMs} ms`);
      }
      try {
        const connection = await acquire(options);
        place.check();
        if (isLeftOver) await undo(connection);
        return new PatientConnection(connection, () => this.#opened);
      } catch (error) {
        semaphore.release();
        throw error;
      }
    };
    driver.releaseConnection = async () => semaphore.release();
    driver.beginTransaction = async (connection, settings) => {
      await begin(immediate(connection), settings);
      if (connection instanceof PatientConnection) connection.isInTransaction = true;
    };
    driver.rollbackTransaction = async (connection) => {
      if (connection instanceof PatientConnection) connection.isInTransaction = false;
      await undo(connection);
    };
    return driver;
  }

  /** The driver has one after the other use the connection: Kysely itself would let them wait for ever. */
  override createAdapter(): SqliteAdapter {
    return new QueueingAdapter();
  }
}

class QueueingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The connection, as one piece of work has it. */
class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #opened: () => OpenSqlite | undefined;
  isInTransaction = false;
  /** Why SQLite rolled the transaction back by itself. What came after that would stand alone. */
  #end: { readonly error: unknown } | undefined;

  constructor(connection: DatabaseConnection, opened: () => OpenSqlite | undefined) {
    this.#connection = connection;
    this.#opened = opened;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isInTransaction && this.#end !== undefined) throw this.#end.error;
    try {
      return await this.#executePatiently<R>(query);
    } catch (error) {
      if (this.isInTransaction && this.#opened()?.isTransaction !== true) this.#end ??= { error };
      throw error;
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize);
  }

  async #executePatiently<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const waitMs = statementLimitMs() ?? LONGEST_BUSY_MS;
    let deadline: number | undefined;
    for (;;) {
      try {
        return await this.#execute<R>(query);
      } catch (error) {
        if (!isBusy(error)) throw error;
        deadline ??= performance.now() + waitMs;
        if (performance.now() > deadline) {
          const message = `another process has held the lock of the database for ${waitMs} ms: ${error.message}`;
          throw new DatabaseTimeoutError(message, { cause: error });
        }
        await delay(RETRY_MS * (1 + Math.random()));
      }
    }
  }

  async #execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const values = readValueRows(query.parameters);
    const opened = this.#opened();
    if (values === undefined || opened === undefined) return await this.#connection.executeQuery<R>(query);
    // Whoever gives rows of values asks for what they have changed.
    return { rows: opened.executeEach(query.sql, values) as R[] };
  }
}

function immediate(connection: DatabaseConnection): DatabaseConnection {
  return {
    executeQuery: (query, options) => connection.executeQuery({ ...query, sql: "begin immediate" }, options),
    streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
  };
}
