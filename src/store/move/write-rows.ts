import type { Column } from "../bulk/columns.ts";
import { namesOf, type RawRow, type Side, Statement } from "./sql.ts";
import type { Table } from "./table.ts";

/** What is done with a row that is there already. */
export type OnConflict = "keep" | "overwrite";

/** PostgreSQL takes 65,535 values with a statement. */
const MAX_VALUES = 60_000;

/** Writes rows as another database gave them. The columns of `table` are those of the side that is written to. */
export async function writeRows(
  side: Side,
  table: Table,
  { rows, onConflict }: { readonly rows: readonly RawRow[]; readonly onConflict: OnConflict },
): Promise<void> {
  // SQLite is fastest with one prepared statement again and again; a server, with few round trips.
  const perStatement = side.engine === "sqlite" ? 1 : Math.floor(MAX_VALUES / table.columns.length);
  for (let start = 0; start < rows.length; start += perStatement) {
    const statement = new Statement(side.engine);
    const tuples = rows
      .slice(start, start + perStatement)
      .map(
        (row) =>
          `(${table.columns.map((column) => statement.add(convert(side, column, row[column.name]))).join(", ")})`,
      );
    const sql = `insert into "${table.name}" (${namesOf(table.columns)}) values ${tuples.join(", ")} ${ending(table, onConflict)}`;
    await side.execute(sql, statement.values);
  }
}

function convert({ engine }: Side, column: Column, raw: unknown): unknown {
  if (raw === null) return null;
  const value = column.fromDatabase(raw);
  if (engine === "sqlite") return column.toSqlite(value);
  if (value instanceof Date) return value.toISOString();
  return /^json/i.test(column.type) ? JSON.stringify(value) : value;
}

function ending({ columns, keys }: Table, onConflict: OnConflict): string {
  const others = columns.filter((column) => !keys.includes(column));
  if (onConflict === "keep" || others.length === 0) return `on conflict (${namesOf(keys)}) do nothing`;
  const updates = others.map(({ name }) => `"${name}" = excluded."${name}"`).join(", ");
  return `on conflict (${namesOf(keys)}) do update set ${updates}`;
}
