import { existsSync } from "node:fs";
import { IsolationLevel } from "@mikro-orm/core";
import { newerError } from "../database/check-columns.ts";
import { parseDatabaseUrl } from "../database/database-url.ts";
import { createExecutor } from "../database/executor.ts";
import { checkMigrations } from "../database/migrate.ts";
import { connectOrm, type Orm } from "../database/orm.ts";
import type { Engine } from "../types/store.ts";
import { MoveError } from "./move-error.ts";
import type { Side } from "./sql.ts";

/**
 * Opens the database that is moved. Rejects if there is none, or its schema is not the one of this version. Nothing is
 * written into it, not even the list of migrations that opening would create otherwise.
 */
export async function openSource(databaseUrl: string): Promise<Orm> {
  const address = parseDatabaseUrl(databaseUrl);
  if (address.engine === "sqlite" && !existsSync(address.file))
    throw new MoveError(`--from: there is no ${address.file}`);
  const orm = await connectOrm(databaseUrl);
  try {
    await checkIsOurs(orm);
    const newer = await checkMigrations(orm, address.engine);
    if (newer.length > 0) throw newerError(newer, "this one would leave out what that has added");
    return orm;
  } catch (thrown) {
    await orm.close(true);
    throw new MoveError(`--from: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
  }
}

async function checkIsOurs(orm: Orm): Promise<void> {
  try {
    await orm.em.fork().getConnection().execute("select name from mikro_orm_migrations limit 1");
  } catch (thrown) {
    if (thrown instanceof Error && /no such table|does not exist/.test(thrown.message)) {
      throw new Error(`there is no Attune in this database (${thrown.message})`, { cause: thrown });
    }
    throw thrown;
  }
}

/** Runs work that sees the database as it is at the beginning, and cannot write to it. Others can meanwhile. */
export async function withSnapshot<T>(orm: Orm, engine: Engine, work: (side: Side) => Promise<T>): Promise<T> {
  const connection = orm.em.fork().getConnection();
  if (engine === "postgres") {
    return await connection.transactional((transaction) => work({ engine, execute: createExecutor(transaction) }), {
      isolationLevel: IsolationLevel.REPEATABLE_READ,
      readOnly: true,
    });
  }
  // Our transactions on SQLite take the write lock, which would hold up whoever writes to the file for all that time.
  await connection.execute("pragma query_only = on");
  await connection.execute("begin");
  try {
    return await work({ engine, execute: createExecutor(connection.getClient()) });
  } finally {
    await connection.execute("rollback");
  }
}
