import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

/**
 * Has every transaction of a dialect give its connection back, whatever its begin, its end or its undoing throws: a connection
 * that is not given back is missing for ever. What a begin throws, the first statement throws, and the commit where there is none;
 * an undoing never throws, since what went wrong was told before.
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

  constructor(inner: DatabaseConnection) {
    this.inner = inner;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.check();
    return await this.inner.executeQuery<R>(query);
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
    acquireConnection: async (options) => new GuardedConnection(await driver.acquireConnection(options)),
    releaseConnection: (connection) => driver.releaseConnection(guarded(connection).inner),
    destroy: () => driver.destroy(),
    async beginTransaction(connection, settings) {
      const { inner } = guarded(connection);
      try {
        await driver.beginTransaction(inner, settings);
      } catch (error) {
        // Kysely gives a connection back at the end of its transaction, and to one that never began there is none.
        guarded(connection).failure = { error };
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
