import type { Column } from "../database/columns.ts";
import { joinNames, type RawRow, type Side } from "./sql.ts";
import type { Table } from "./table.ts";

/** The handling of a row that exists already. */
export type OnConflict = "keep" | "overwrite";

/** Rows as another database gave them, and what becomes of those that are there already. */
interface NewRows {
  readonly rows: readonly RawRow[];
  readonly onConflict: OnConflict;
}

/**
 * Writes rows, each kind of table with a text that never changes. PostgreSQL takes one array for each column: it needs
 * long to plan a statement with a parameter for each value. SQLite takes one row at a time with a prepared statement.
 * The columns of `table` are those of the side that is written to.
 */
export async function writeRows({ engine, execute }: Side, table: Table, { rows, onConflict }: NewRows): Promise<void> {
  const { columns } = table;
  const into = `insert into "${table.name}" (${joinNames(columns)})`;
  const ending = getEnding(table, onConflict);
  if (engine === "postgres") {
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
    const values = columns.map((column) => rows.map((row) => toPostgres(column, row[column.name])));
    await execute(`${into} select * from unnest(${arrays}) ${ending}`, values);
    return;
  }
  const sql = `${into} values (${columns.map(() => "?").join(", ")}) ${ending}`;
  for (const row of rows)
    await execute(
      sql,
      columns.map((column) => toSqlite(column, row[column.name])),
    );
}

function toSqlite({ fromDatabase, toSqlite: convert }: Column, raw: unknown): unknown {
  return raw === null ? null : convert(fromDatabase(raw));
}

function toPostgres({ fromDatabase, type }: Column, raw: unknown): unknown {
  if (raw === null) return null;
  const value = fromDatabase(raw);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return /^json/i.test(type) ? JSON.stringify(value) : value;
}

function getEnding({ columns, keys }: Table, onConflict: OnConflict): string {
  const others = columns.filter((column) => !keys.includes(column));
  if (onConflict === "keep" || others.length === 0) return `on conflict (${joinNames(keys)}) do nothing`;
  const updates = others.map(({ name }) => `"${name}" = excluded."${name}"`).join(", ");
  return `on conflict (${joinNames(keys)}) do update set ${updates}`;
}
