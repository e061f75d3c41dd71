import type { Kysely, SqlEntityManager } from "@mikro-orm/sql";
import type { ChangeOrigin } from "../../vocabulary/change-origin.ts";
import type { Quotas } from "./quotas.ts";
import type { Tables } from "./tables.ts";

/** The database engines that Attune knows. */
export type Engine = "sqlite" | "postgres";

/** The database, open. */
export interface Store {
  readonly engine: Engine;
  /** The location of the data, for people and logs. */
  readonly location: string;
  /** Workloads, and names of metrics, that the figures of a project tell apart. */
  readonly namesPerProject: number;
  /** Most that people may create. */
  readonly quotas: Quotas;
  /** The origin of what is changed through it, for the audit log. */
  readonly origin: ChangeOrigin;
  /** Returns the same database, with another origin of what is changed through it. */
  as(origin: ChangeOrigin): Store;
  /** Applies other quotas to what is created from now on. */
  setQuotas(quotas: Quotas): void;
  /** Returns an entity manager for one piece of work. */
  fork(): SqlEntityManager;
  /** Returns a query builder outside any transaction. */
  query(): Kysely<Tables>;
  /** Runs work on entities in one transaction: what it changed of them is written at its end, all of it or nothing. */
  unitOfWork<T>(work: (em: SqlEntityManager) => Promise<T>): Promise<T>;
  /** Runs queries in one transaction; all of them take effect, or none. */
  transaction<T>(work: (tables: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Closes the connections; where the server does not answer, after five seconds. */
  close(): Promise<void>;
}
