import type { EntityProperty, Transaction } from "@mikro-orm/core";
import type { Engine } from "../types/store.ts";
import type { Orm } from "./orm.ts";

/** A column of the database. */
interface FoundColumn {
  /** With its table: `inference.model`. */
  readonly name: string;
  /** True if an insert has to name it: it takes no null, and has no default. */
  readonly isRequired: boolean;
}

const COLUMNS: Record<Engine, string> = {
  postgres:
    `select table_name || '.' || column_name as "name", ` +
    "is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' " +
    'as "isRequired" from information_schema.columns where table_schema = current_schema()',
  sqlite:
    "select m.name || '.' || c.name as name, c.\"notnull\" = 1 and c.dflt_value is null as isRequired " +
    "from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'",
};

/** The database that is checked. */
interface CheckedDatabase {
  readonly engine: Engine;
  /** Migrations of a newer version that it has. */
  readonly newer: readonly string[];
  readonly transaction?: Transaction;
}

/**
 * Rejects a database that lacks columns of this version. One that a newer version has migrated is also rejected where
 * it requires a value that this version does not write; otherwise this version can go on with it.
 */
export async function checkColumns(orm: Orm, { engine, newer, transaction }: CheckedDatabase): Promise<void> {
  const rows = await orm.em.getConnection().execute<FoundColumn[]>(COLUMNS[engine], [], "all", transaction);
  const found = new Set(rows.map(({ name }) => name));
  const known = listColumns(orm);
  const missing = [...known.keys()].find((name) => !found.has(name));
  if (newer.length === 0) {
    if (missing === undefined) return;
    throw new Error(
      `the database was made by an Attune from before the first release (it lacks ${missing}), ` +
        "whose databases cannot " +
        "be brought up to date: give this version another database, or go on with the one that made it",
    );
  }
  const tables = new Set([...known.keys()].map(getTable));
  const required = rows.find(({ name, isRequired }) => {
    return Boolean(isRequired) && tables.has(getTable(name)) && known.get(name)?.nullable !== false;
  });
  if (missing !== undefined) throw newerError(newer, `it lacks ${missing}`);
  if (required !== undefined) throw newerError(newer, `each row needs ${required.name}`);
}

/** Makes the error of a database that only a newer version can use. */
export function newerError(newer: readonly string[], reason: string): Error {
  return new Error(
    `the database was migrated by a newer Attune (${newer.join(", ")}; ${reason}): use that version or a newer one`,
  );
}

function getTable(column: string): string {
  return column.slice(0, column.indexOf("."));
}

/** Returns the columns of this version, each with whether it may be null. */
function listColumns(orm: Orm): ReadonlyMap<string, { readonly nullable: boolean }> {
  const columns = [...orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
    props
      .filter(({ persist }) => persist !== false)
      .flatMap((property: EntityProperty) =>
        property.fieldNames.map(
          (column) => [`${tableName}.${column}`, { nullable: property.nullable === true }] as const,
        ),
      ),
  );
  return new Map(columns);
}
