import { setImmediate as nextTurn } from "node:timers/promises";
import { type DatabaseConnection, type Driver, Kysely, PostgresDialect, sql } from "kysely";
import { describe, expect, it } from "vitest";
import { DatabaseTimeoutError } from "../../../src/lib/database-state.ts";
import { guardDialect } from "../../../src/store/database/guarded-dialect.ts";
import { statementLimitMs, withStatementLimit } from "../../../src/store/database/statement-limit.ts";

const LIMIT_MS = 200;

/** A database whose connections are given when the test says so. */
function databaseWithout(connection: Promise<DatabaseConnection>) {
  const released: DatabaseConnection[] = [];
  const nothing = async () => {};
  const driver: Driver = {
    init: nothing,
    destroy: nothing,
    acquireConnection: () => connection,
    releaseConnection: async (given) => void released.push(given),
    beginTransaction: async (given) => void (await given.executeQuery(sql`begin`.compile(database))),
    commitTransaction: nothing,
    rollbackTransaction: nothing,
  };
  const dialect = new PostgresDialect({ pool: async () => Promise.reject(new Error("there is no pool")) });
  dialect.createDriver = () => driver;
  const database = new Kysely<Record<string, never>>({ dialect: guardDialect(dialect) });
  return { database, released };
}

/** A connection that remembers within what limit each of its statements ran. */
function connectionThatTells(limits: (number | undefined)[]): DatabaseConnection {
  return {
    executeQuery: async () => {
      limits.push(statementLimitMs());
      return { rows: [] };
    },
    async *streamQuery() {},
  };
}

describe("guardDialect()", () => {
  it("answers who waits for a connection within the limit, and gives back one that comes later", async () => {
    const late = Promise.withResolvers<DatabaseConnection>();
    const { database, released } = databaseWithout(late.promise);
    const failed = withStatementLimit(LIMIT_MS, () => sql`select 1`.execute(database));
    await expect(failed).rejects.toBeInstanceOf(DatabaseTimeoutError);
    const connection = connectionThatTells([]);
    late.resolve(connection);
    await nextTurn();
    expect(released).toEqual([connection]);
  });

  it.each([
    ["a statement", (database: Kysely<Record<string, never>>) => sql`select 1`.execute(database)],
    [
      "a transaction",
      (database: Kysely<Record<string, never>>) =>
        database.transaction().execute((transaction) => sql`select 1`.execute(transaction)),
    ],
  ])("takes the wait for the connection off the first statement alone: %s", async (_, work) => {
    const limits: (number | undefined)[] = [];
    const given = Promise.withResolvers<DatabaseConnection>();
    const { database } = databaseWithout(given.promise);
    const done = withStatementLimit(60_000, () => work(database));
    setTimeout(() => given.resolve(connectionThatTells(limits)), LIMIT_MS);
    await done;
    expect(limits[0]).toBeLessThanOrEqual(60_000 - LIMIT_MS + 1);
    expect(limits.slice(1).every((limit) => limit === 60_000)).toBe(true);
  });
});
