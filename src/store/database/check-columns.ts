import type { Transaction } from "@mikro-orm/core";
import type { Engine } from "../types/store.ts";
import type { Orm } from "./orm.ts";

const COLUMNS: Record<Engine, string> = {
  postgres:
    "select table_name || '.' || column_name as name from information_schema.columns " +
    "where table_schema = current_schema()",
  sqlite:
    "select m.name || '.' || c.name as name from sqlite_master m join pragma_table_info(m.name) c " +
    "where m.type = 'table'",
};

/**
 * Rejects a database that lacks columns though its list of migrations is that of this version: before the first
 * release, migrations were changed in place.
 */
export async function checkColumns(orm: Orm, engine: Engine, transaction?: Transaction): Promise<void> {
  const rows = await orm.em.getConnection().execute<{ name: string }[]>(COLUMNS[engine], [], "all", transaction);
  const found = new Set(rows.map(({ name }) => name));
  const missing = listColumns(orm).find((name) => !found.has(name));
  if (missing === undefined) return;
  throw new Error(
    `the database was made by an Attune from before the first release (it lacks ${missing}), whose databases cannot ` +
      "be brought up to date: give this version another database, or go on with the one that made it",
  );
}

function listColumns(orm: Orm): readonly string[] {
  return [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
    props
      .filter(({ persist }) => persist !== false)
      .flatMap(({ fieldNames }) => fieldNames.map((column) => `${tableName}.${column}`)),
  );
}
