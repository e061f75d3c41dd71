import type { InferKyselyDB, Kysely, SqlEntityManager } from "@mikro-orm/sql";
import type { ENTITIES } from "../entities/index.ts";

/**
 * Tables and columns go by the names of entities and properties; dates, booleans and JSON are converted for the engine.
 */
const NAMING = { tableNamingStrategy: "entity", columnNamingStrategy: "property", convertValues: true } as const;

/** The tables as queries see them. */
export type Tables = InferKyselyDB<(typeof ENTITIES)[number], typeof NAMING>;

/** Returns the query builder of an entity manager; inside a transaction it belongs to it. */
export function query(em: SqlEntityManager): Kysely<Tables> {
  return em.getKysely<Tables>(NAMING);
}
