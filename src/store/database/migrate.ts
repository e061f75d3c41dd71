import type { Transaction } from "@mikro-orm/core";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import type { Engine } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { checkColumns, newerError } from "./check-columns.ts";
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
 * others wait and then find nothing to do. Rejects if the database was made before the first release, or migrated by a
 * newer version in a way that this one cannot use.
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
    const executed = await listExecuted(orm, engine, transaction);
    const newer = findNewer(executed, engine);
    const missing = findMissing(executed, engine);
    if (newer.length > 0 && missing.length > 0) throw newerError(newer, `it has no ${missing.join(", ")}`);
    const applied = await orm.migrator.up({ transaction });
    await checkColumns(orm, { engine, newer, transaction });
    return applied.map(({ name }) => name);
  });
}

/**
 * Rejects unless the database has the migrations that this version knows and their columns, and can be used by it.
 * Returns those of a newer version that were applied too.
 */
export async function checkMigrations(orm: Orm, engine: Engine): Promise<readonly string[]> {
  const executed = (await orm.migrator.getExecuted()).map(({ name }) => name);
  const newer = checkExecuted(executed, engine);
  await checkColumns(orm, { engine, newer });
  return newer;
}

/**
 * Throws unless the migrations of this version were applied. Returns those of a newer version that were applied too.
 */
export function checkExecuted(executed: readonly string[], engine: Engine): readonly string[] {
  const newer = findNewer(executed, engine);
  const missing = findMissing(executed, engine);
  if (missing.length > 0) throw new Error(`the database lacks ${missing.length} migration(s): run 'attune migrate'`);
  return newer;
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
 * Finds the migrations of a newer version: names begin with their time. An unknown one that is older than the newest of
 * this version is from before the first release, and throws.
 */
function findNewer(executed: readonly string[], engine: Engine): readonly string[] {
  const known = MIGRATIONS[engine].map(({ name }) => name);
  const unknown = executed.filter((name) => !known.includes(name));
  const newest = known.reduce((one, other) => (one > other ? one : other), "");
  const [older] = unknown.filter((name) => name < newest);
  if (older === undefined) return unknown;
  throw new Error(
    `the database was made by an Attune from before the first release (${older}), whose databases cannot be ` +
      "brought up to date: give this version another database, or go on with the one that made it",
  );
}

function findMissing(executed: readonly string[], engine: Engine): readonly string[] {
  return MIGRATIONS[engine].map(({ name }) => name).filter((name) => !executed.includes(name));
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
