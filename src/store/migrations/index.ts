import type { Migration } from "@mikro-orm/migrations";
import type { Engine } from "../types/store.ts";
import { MIGRATIONS as POSTGRES } from "./postgres/index.ts";
import { MIGRATIONS as SQLITE } from "./sqlite/index.ts";

/** A migration under the name that the database keeps. */
interface NamedMigration {
  readonly name: string;
  readonly class: new (...dependencies: ConstructorParameters<typeof Migration>) => Migration;
}

/** Migrations of each engine, oldest first. The SQL is generated, and differs between the engines. */
export const MIGRATIONS: Record<Engine, NamedMigration[]> = { sqlite: SQLITE, postgres: POSTGRES };
