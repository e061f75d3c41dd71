import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";
import { statementLimitMs, withStatementLimit } from "./statement-limit.ts";
import { withTimeout } from "./with-timeout.ts";

/** A shorter wait for a connection is none. */
const MIN_WAIT_MS = 50;

/**
 * Has every transaction of a dialect give its connection back, whatever its begin, its end or its undoing throws: a
 * connection that is not given back is missing for ever. What a begin throws, the first statement throws, and the
 * commit where there is none; an undoing never throws, since what went wrong was told before. Limits the wait for a
 * connection too: what it takes is taken off the limit of the first statement, so that whoever asks a database that has
 * stopped has one limit to wait, and not one for each.
 */
export function guardDialect(dialect: Dialect): Dialect {
  return {
    createDriver: () => guardDriver(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  };
}

/** A connection whose transaction may have failed as a whole. */
class GuardedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  failure: { readonly error: unknown } | undefined;
  /** The time spent waiting for the connection, until its first statement. */
  #waitedMs: number;

  constructor(inner: DatabaseConnection, waitedMs: number) {
    this.inner = inner;
    this.#waitedMs = waitedMs;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.check();
    return await this.inTime(() => this.inner.executeQuery<R>(query));
  }

  /** Runs a statement; the first within what the wait for the connection has left. */
  async inTime<T>(statement: () => Promise<T>): Promise<T> {
    const waitedMs = this.#waitedMs;
    this.#waitedMs = 0;
    const limitMs = statementLimitMs();
    if (limitMs === undefined || waitedMs < MIN_WAIT_MS) return await statement();
    return await withStatementLimit(Math.max(MIN_WAIT_MS, Math.floor(limitMs - waitedMs)), statement);
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    this.check();
    yield* this.inner.streamQuery<R>(query, chunkSize);
  }

  check(): void {
    if (this.failure !== undefined) throw this.failure.error;
  }
}

function guardDriver(driver: Driver): Driver {
  return {
    init: () => driver.init(),
    acquireConnection: (options) => acquire(driver, options),
    releaseConnection: (connection) => driver.releaseConnection(guarded(connection).inner),
    destroy: () => driver.destroy(),
    async beginTransaction(connection, settings) {
      const own = guarded(connection);
      try {
        await own.inTime(() => driver.beginTransaction(own.inner, settings));
      } catch (error) {
        // Kysely gives a connection back at the end of its transaction, and to one that never began there is none.
        own.failure = { error };
      }
    },
    async commitTransaction(connection) {
      guarded(connection).check();
      await driver.commitTransaction(guarded(connection).inner);
    },
    async rollbackTransaction(connection) {
      const { failure, inner } = guarded(connection);
      guarded(connection).failure = undefined;
      if (failure === undefined) await driver.rollbackTransaction(inner).catch(() => {});
    },
    ...guardSavepoints(driver),
  };
}

/** One that comes too late for whoever wanted it is given back. */
async function acquire(
  driver: Driver,
  ...options: Parameters<Driver["acquireConnection"]>
): Promise<GuardedConnection> {
  const begunMs = performance.now();
  const limitMs = statementLimitMs();
  const acquired = driver.acquireConnection(...options);
  try {
    const inner = limitMs === undefined ? await acquired : await withTimeout(acquired, limitMs);
    return new GuardedConnection(inner, performance.now() - begunMs);
  } catch (error) {
    acquired.then(
      (late) => driver.releaseConnection(late),
      () => {},
    );
    throw error;
  }
}

function guardSavepoints(driver: Driver): Pick<Driver, "savepoint" | "rollbackToSavepoint" | "releaseSavepoint"> {
  return {
    savepoint: async (connection, ...rest) => await driver.savepoint?.(checked(connection), ...rest),
    rollbackToSavepoint: async (connection, ...rest) =>
      await driver.rollbackToSavepoint?.(checked(connection), ...rest),
    releaseSavepoint: async (connection, ...rest) => await driver.releaseSavepoint?.(checked(connection), ...rest),
  };
}

function guarded(connection: DatabaseConnection): GuardedConnection {
  if (connection instanceof GuardedConnection) return connection;
  throw new Error("the connection is not one of this driver");
}

function checked(connection: DatabaseConnection): DatabaseConnection {
  guarded(connection).check();
  return guarded(connection).inner;
}
