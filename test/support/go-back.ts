import type { Orm } from "../../src/store/database/orm.ts";
import { MIGRATIONS } from "../../src/store/migrations/index.ts";
import type { Engine } from "../../src/store/types/store.ts";

/** Takes back a migration, by the end of its name, and those after it, the latest first. Returns their names, the earliest first. */
export async function goBack(orm: Orm, engine: Engine, name: string): Promise<string[]> {
  const names = MIGRATIONS[engine].map((migration) => migration.name);
  const taken = names.slice(names.findIndex((other) => other.endsWith(name)));
  for (const migration of taken.toReversed()) await orm.migrator.down({ migrations: [migration] });
  return taken;
}
