import type { Transaction } from "@mikro-orm/core";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import type { Engine } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { checkColumns } from "./check-columns.ts";
import { createMissingDatabase } from "./create-database.ts";
import { parseDatabaseUrl } from "./database-url.ts";
import { connectOrm, type Orm } from "./orm.ts";
import { withStatementLimit } from "./statement-limit.ts";

/** Any number that no other application takes for an advisory lock in the same database. */
const ADVISORY_LOCK = 7_106_884_213;

/** The table that MikroORM creates for its list of applied migrations. */
const SQLITE_MIGRATIONS_TABLE =
  "create table if not exists `mikro_orm_migrations` (`id` integer not null primary key autoincrement, " +
  "`name` text null, `executed_at` datetime null default current_timestamp)";

/** Told every five seconds for how long a migration has gone on: it has no limit. */
export type OnSlowMigration = (seconds: number) => void;

const TELL_MS = 5000;

/** Brings a database up to date; creates it if there is none. Returns the names of the migrations that were applied. */
export async function migrate(databaseUrl: string, onSlow?: OnSlowMigration): Promise<readonly string[]> {
  await createMissingDatabase(databaseUrl);
  const orm = await connectOrm(databaseUrl);
  try {
    const applied = await applyMigrations(orm, parseDatabaseUrl(databaseUrl).engine, onSlow);
    await insertDefaultProject(orm);
    return applied;
  } finally {
    await orm.close(true);
  }
}

/**
 * Applies pending migrations in one transaction. Several processes may do this at once: the first takes a lock, the
 * others wait and then find nothing to do. Rejects if the database was migrated by another version, newer or from
 * before the first release.
 */
export async function applyMigrations(orm: Orm, engine: Engine, onSlow?: OnSlowMigration): Promise<readonly string[]> {
  const began = performance.now();
  const timer = setInterval(() => onSlow?.(Math.round((performance.now() - began) / 1000)), TELL_MS);
  return await withStatementLimit(undefined, () => applyAll(orm, engine)).finally(() => clearInterval(timer));
}

async function applyAll(orm: Orm, engine: Engine): Promise<readonly string[]> {
  if (engine === "sqlite") await prepareSqlite(orm);
  return await orm.em.getConnection().transactional(async (transaction) => {
    if (engine === "postgres") await lock(orm, transaction);
    refuseUnknown(await listExecuted(orm, engine, transaction), engine);
    const applied = await orm.migrator.up({ transaction });
    await checkColumns(orm, engine, transaction);
    return applied.map(({ name }) => name);
  });
}

/** Rejects unless the database has the migrations that this version knows, no others, and their columns. */
export async function checkMigrations(orm: Orm, engine: Engine): Promise<void> {
  checkExecuted(
    (await orm.migrator.getExecuted()).map(({ name }) => name),
    engine,
  );
  await checkColumns(orm, engine);
}

/** Throws unless the migrations that were applied are those that this version knows. */
export function checkExecuted(executed: readonly string[], engine: Engine): void {
  refuseUnknown(executed, engine);
  const missing = MIGRATIONS[engine].filter(({ name }) => !executed.includes(name));
  if (missing.length > 0) throw new Error(`the database lacks ${missing.length} migration(s): run 'attune migrate'`);
}

const HAS_LIST: Record<Engine, string> = {
  postgres: "select to_regclass('mikro_orm_migrations') as name",
  sqlite: "select max(name) as name from sqlite_master where name = 'mikro_orm_migrations'",
};

/** Lists what was applied, within a transaction; nothing in a database that has no list yet. */
export async function listExecuted(orm: Orm, engine: Engine, transaction: Transaction): Promise<readonly string[]> {
  const connection = orm.em.getConnection();
  const execute = <Row>(sql: string) => connection.execute<Row[]>(sql, [], "all", transaction);
  const [list] = await execute<{ name: string | null }>(HAS_LIST[engine]);
  if (list?.name === null) return [];
  return (await execute<{ name: string }>("select name from mikro_orm_migrations")).map(({ name }) => name);
}

/**
 * Rejects a database with migrations that this version does not have: it is of a newer version, or of one from before
 * the first release. Names of migrations begin with their time.
 */
function refuseUnknown(executed: readonly string[], engine: Engine): void {
  const known = MIGRATIONS[engine].map(({ name }) => name);
  const unknown = executed.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const newest = known.reduce((one, other) => (one > other ? one : other), "");
  const [older] = unknown.filter((name) => name < newest);
  throw new Error(
    older === undefined
      ? `the database was migrated by a newer Attune (${unknown.join(", ")}): use that version or a newer one`
      : `the database was made by an Attune from before the first release (${older}), whose databases cannot be ` +
          "brought up to date: give this version another database, or go on with the one that made it",
  );
}

/** Puts the default project into the database, if it is not there. */
export async function insertDefaultProject(orm: Orm): Promise<void> {
  await query(orm.em.fork())
    .insertInto("Project")
    .values({ ...DEFAULT_PROJECT, createdAt: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Creates the list of applied migrations, and reads it: a migrator's first query does not belong to the transaction,
 * and would wait for the only connection for ever.
 */
async function prepareSqlite(orm: Orm): Promise<void> {
  await orm.em.getConnection().execute(SQLITE_MIGRATIONS_TABLE);
  await orm.migrator.getExecuted();
}

async function lock(orm: Orm, transaction: Transaction): Promise<void> {
  await orm.em.getConnection().execute("select pg_advisory_xact_lock(?)", [ADVISORY_LOCK], "all", transaction);
}
