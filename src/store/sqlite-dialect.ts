import { NodeSqliteDialect } from "@mikro-orm/sql";

/**
 * SQLite through node:sqlite, where every transaction takes the write lock when it begins. A transaction that reads first
 * and takes the lock later fails at once if another process wrote in between, without waiting for the busy timeout.
 */
export class ImmediateSqliteDialect extends NodeSqliteDialect {
  override createDriver(): ReturnType<NodeSqliteDialect["createDriver"]> {
    const driver = super.createDriver();
    const begin = driver.beginTransaction.bind(driver);
    driver.beginTransaction = (connection, settings) => {
      const immediate: typeof connection = {
        executeQuery: (query, options) => connection.executeQuery({ ...query, sql: "begin immediate" }, options),
        streamQuery: (query, chunkSize, options) => connection.streamQuery(query, chunkSize, options),
      };
      return begin(immediate, settings);
    };
    return driver;
  }
}
