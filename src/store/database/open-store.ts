import type { Kysely, SqlEntityManager } from "@mikro-orm/sql";
import { DatabaseBusyError } from "../../lib/database-state.ts";
import { Semaphore } from "../../lib/semaphore.ts";
import { type ChangeOrigin, PROCESS_ORIGIN } from "../../vocabulary/change-origin.ts";
import { withAuditEntries } from "../audit/append-entry.ts";
import { NAMES_PER_PROJECT } from "../entities/rollup-name.ts";
import { NO_QUOTAS, type Quotas } from "../types/quotas.ts";
import type { Engine, Store } from "../types/store.ts";
import { query, type Tables } from "../types/tables.ts";
import { createMissingDatabase } from "./create-database.ts";
import { describeDatabaseUrl, parseDatabaseUrl } from "./database-url.ts";
import { applyMigrations, checkMigrations, insertDefaultProject, type OnSlowMigration } from "./migrate.ts";
import { connectOrm, type Orm } from "./orm.ts";
import { withTimeout } from "./with-timeout.ts";

/** The options of opening a database. */
export interface StoreOptions {
  /** True if pending migrations are applied, which is the default; without it a database that is behind is refused. */
  readonly migrate?: boolean;
  readonly onSlowMigration?: OnSlowMigration | undefined;
  /** Workloads, and names of metrics, that the figures of a project tell apart; 200 if absent. */
  readonly namesPerProject?: number | undefined;
  /** Most that people may create; without bounds if absent. */
  readonly quotas?: Quotas | undefined;
  /** The origin of what is changed, for the audit log; the process itself if absent. */
  readonly origin?: ChangeOrigin | undefined;
}

/**
 * Opens a database: `sqlite:./data/attune.db`, `sqlite::memory:` or `postgresql://...`. Rejects with a message for
 * people if the URL is of no such form, the database cannot be reached, or its schema is not the one of this version.
 */
export async function openStore(databaseUrl: string, options: StoreOptions = {}): Promise<Store> {
  const { engine } = parseDatabaseUrl(databaseUrl);
  const location = describeDatabaseUrl(databaseUrl);
  let orm: Orm | undefined;
  try {
    const migrates = options.migrate ?? true;
    if (migrates) await createMissingDatabase(databaseUrl);
    orm = await connectOrm(databaseUrl);
    await (migrates ? applyMigrations(orm, engine, options.onSlowMigration) : checkMigrations(orm, engine));
    await insertDefaultProject(orm);
    const { namesPerProject = NAMES_PER_PROJECT, quotas = NO_QUOTAS, origin = PROCESS_ORIGIN } = options;
    return new OrmStore(orm, { engine, location, namesPerProject, origin }, share(quotas));
  } catch (thrown) {
    await orm?.close(true);
    throw new Error(`cannot open the database at ${location}: ${explainOpenError(thrown)}`, { cause: thrown });
  }
}

/**
 * Opens a database that another connection of this process has open, to read and not to write. An SQLite file that is
 * not there is not made.
 */
export async function openReadOnly(databaseUrl: string, namesPerProject: number): Promise<Store> {
  const orm = await connectOrm(databaseUrl, { isReadOnly: true });
  const location = describeDatabaseUrl(databaseUrl);
  const { engine } = parseDatabaseUrl(databaseUrl);
  const facts = { engine, location, namesPerProject, origin: PROCESS_ORIGIN };
  return new OrmStore(orm, facts, share(NO_QUOTAS));
}

/** PostgreSQL's code for a missing right. */
const INSUFFICIENT_PRIVILEGE = "42501";

/** Tells people why a database could not be opened, and what to do where that is known. Has no password in it. */
export function explainOpenError(thrown: unknown): string {
  // A host with several addresses fails with one error for each, and no message of its own.
  if (thrown instanceof AggregateError) return thrown.errors.map(explainOpenError).join("; ");
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.message.endsWith("client password must be a string")) {
    return "the server asks for a password: put it into the URL, or set PGPASSWORD";
  }
  if (getCode(thrown) === INSUFFICIENT_PRIVILEGE) {
    return `${thrown.message}: make this user the owner of the database, or give it that right`;
  }
  return thrown.message;
}

/** Layers above the driver keep its error as the cause of their own. */
function getCode(error: Error): unknown {
  if ("code" in error) return error.code;
  return error.cause instanceof Error ? getCode(error.cause) : undefined;
}

const CLOSE_LIMIT_MS = 5000;

/** Changes of one process at once: they wait for each other's locks, and reads need connections of the pool too. */
const UNITS_AT_ONCE = 4;
/** Most that wait, and most of one project among them. */
const WAITING_UNITS = { max: 1000, maxOfOwner: 500 };
const UNIT_WAIT_MS = 15_000;

/** The parts of a database that all origins share. */
interface Shared {
  quotas: Quotas;
  readonly units: Semaphore;
}

type StoreFacts = Pick<Store, "engine" | "location" | "namesPerProject" | "origin">;

function share(quotas: Quotas): Shared {
  return { quotas, units: new Semaphore(UNITS_AT_ONCE, WAITING_UNITS) };
}

class OrmStore implements Store {
  readonly engine: Engine;
  readonly location: string;
  readonly namesPerProject: number;
  readonly origin: ChangeOrigin;
  readonly #orm: Orm;
  readonly #shared: Shared;

  constructor(orm: Orm, facts: StoreFacts, shared: Shared) {
    this.#orm = orm;
    this.#shared = shared;
    this.engine = facts.engine;
    this.location = facts.location;
    this.namesPerProject = facts.namesPerProject;
    this.origin = facts.origin;
  }

  get quotas(): Quotas {
    return this.#shared.quotas;
  }

  setQuotas(quotas: Quotas): void {
    this.#shared.quotas = quotas;
  }

  as(origin: ChangeOrigin): Store {
    const { engine, location, namesPerProject } = this;
    return new OrmStore(this.#orm, { engine, location, namesPerProject, origin }, this.#shared);
  }

  fork(): SqlEntityManager {
    return this.#orm.em.fork();
  }

  query(): Kysely<Tables> {
    return query(this.fork());
  }

  transaction<T>(work: (tables: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.#transact((em) => work(query(em)));
  }

  async unitOfWork<T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
    const { units } = this.#shared;
    const { actor, queueOwner: owner = `${actor.kind} ${actor.id}` } = this.origin;
    if (!(await units.acquire({ timeoutMs: UNIT_WAIT_MS, owner }))) {
      throw new DatabaseBusyError("too many changes wait for others");
    }
    try {
      return await this.#transact(work);
    } finally {
      units.release();
    }
  }

  #transact<T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T> {
    return this.fork().transactional((em) => withAuditEntries(em, work));
  }

  async close(): Promise<void> {
    // A server that does not answer is not waited for: what was committed is committed.
    await withTimeout(this.#orm.close(true), CLOSE_LIMIT_MS).catch(() => {});
  }
}
