import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Migrator } from "@mikro-orm/migrations";
import { type AbstractSqlDriver, MikroORM, SqliteDriver } from "@mikro-orm/sql";
import type { ClientConfig } from "pg";
import type { PostgresServer } from "../../lib/postgres-url/parse-postgres-url.ts";
import { ENTITIES, SQLITE_ENTITIES } from "../entities/index.ts";
import { MIGRATIONS } from "../migrations/index.ts";
import { type DatabaseAddress, parseDatabaseUrl } from "./database-url.ts";
import { guardDialect } from "./guarded-dialect.ts";
import { LimitedPostgresDriver } from "./limited-postgres-driver.ts";
import { connectTimeouts, openSession } from "./postgres/open-session.ts";
import { ServerSocket } from "./postgres/server-socket.ts";
import { SharedSqliteDialect } from "./shared-sqlite-dialect.ts";

/** Signing in may take this long once a host has answered. */
const SIGN_IN_MS = 1000;

/** Returns the options of the clients of `pg`. Every connection to PostgreSQL is made with them. */
export function clientOptions(server: PostgresServer): Omit<ClientConfig, "database"> {
  const [first] = server.hosts;
  return {
    // The first host is the one whose password is looked up in ~/.pgpass.
    host: first?.host,
    port: first?.port,
    user: server.user,
    password: server.password,
    stream: () => new ServerSocket((startup, signal) => openSession(server, startup, signal)),
    // The socket encrypts by itself; without this, PGSSLMODE would have pg do so once more.
    ssl: false,
    enableChannelBinding: server.channelBinding,
    connectionTimeoutMillis: connectTimeouts(server).allMs + SIGN_IN_MS,
    application_name: server.applicationName ?? "attune",
    options: server.options,
  };
}

/** MikroORM on either engine. */
export type Orm = MikroORM<AbstractSqlDriver>;

/**
 * SQLite settings: commits survive a crash of the process, and readers and the one writer do not wait for each other.
 */
const DURABILITY = ["journal_mode = wal", "synchronous = normal"];
/** Deleted texts are overwritten with zeros: otherwise they stay in free parts of the file until others need these. */
const ERASURE = "secure_delete = on";
/** 16 MiB of pages: within SQLite's own 2 MiB, a chart of a year is sorted in temporary files. */
const CACHE = "cache_size = -16384";
/**
 * Only counts where a file is made. Texts of a call take 2 to 4 KB: a page of SQLite's own 4 KiB holds those of one and
 * is otherwise empty, and each page is written twice.
 */
const PAGE_BYTES = "page_size = 16384";

/** The options of a MikroORM connection. */
interface ConnectOptions {
  /** True if the database is only read: what is not there is then not made. */
  readonly isReadOnly?: boolean;
}

/**
 * Prepares MikroORM for a database; creates the folder of an SQLite file. PostgreSQL is first spoken to by the first
 * query.
 */
export async function connectOrm(databaseUrl: string, { isReadOnly = false }: ConnectOptions = {}): Promise<Orm> {
  const address = parseDatabaseUrl(databaseUrl);
  const orm = await MikroORM.init<AbstractSqlDriver>({
    ...driverOptions(address, isReadOnly),
    entities: address.engine === "sqlite" ? [...ENTITIES, ...SQLITE_ENTITIES] : [...ENTITIES],
    extensions: [Migrator],
    // Nobody shares an identity map: each piece of work forks its own entity manager.
    allowGlobalContext: false,
    logger: () => {},
    forceUtcTimezone: true,
    migrations: { migrationsList: MIGRATIONS[address.engine], snapshot: false, silent: true },
  });
  if (address.engine === "sqlite")
    await setPragmas(orm, isReadOnly ? [CACHE] : [PAGE_BYTES, ...DURABILITY, ERASURE, CACHE]);
  return orm;
}

function driverOptions(address: DatabaseAddress, isReadOnly: boolean) {
  if (address.engine === "postgres") {
    return {
      driver: LimitedPostgresDriver,
      ...(isReadOnly && { ensureDatabase: false }),
      dbName: address.server.database,
      // MikroORM has a user of its own where it is given none; the driver takes PGUSER for an empty one.
      user: address.server.user ?? "",
      pool: { min: 0, max: 10 },
      driverOptions: clientOptions(address.server),
    };
  }
  if (address.file !== ":memory:" && !isReadOnly) makeFolder(dirname(address.file));
  return {
    driver: SqliteDriver,
    dbName: address.file,
    driverOptions: guardDialect(new SharedSqliteDialect(address.file, { isReadOnly })),
  };
}

/** Settings of the one connection that the SQLite driver holds. */
async function setPragmas(orm: Orm, pragmas: readonly string[]): Promise<void> {
  for (const pragma of pragmas) {
    await orm.em.getConnection().execute(`pragma ${pragma}`);
  }
}

/**
 * Makes a folder and those above it that do not exist. Throws what the system says. Node's own recursive form never
 * returns where a folder exists and yet says that there is no such thing as what is made in it, as /proc does.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
