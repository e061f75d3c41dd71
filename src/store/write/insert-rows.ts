import type { Column } from "../database/columns.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";

/** Where and how rows are inserted. */
export interface InsertTarget {
  readonly table: string;
  readonly columns: readonly Column[];
  /** What is done with a row that is there already, and what the statement returns: "on conflict do nothing returning id". */
  readonly ending: string;
}

/** Inserts rows of one table. Resolves to what the ending returns. */
export type RowInserter = <Returned>(execute: Executor, rows: readonly object[]) => Promise<Returned[]>;

/**
 * Creates what inserts rows with a text that never changes. PostgreSQL takes all of them as one JSON value: to build and
 * send thousands of parameters costs this process more. SQLite takes one row at a time with a prepared statement.
 */
export function createInserter(engine: Engine, target: InsertTarget): RowInserter {
  return engine === "postgres" ? postgresInserter(target) : sqliteInserter(target);
}

function postgresInserter({ table, columns, ending }: InsertTarget): RowInserter {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ property }) => `"${property}"`).join(", ");
  const fields = columns.map(({ property, type }) => `"${property}" ${type}`).join(", ");
  const sql = `insert into "${table}" (${names}) select ${values} from json_to_recordset($1::json) as given (${fields}) ${ending}`;
  return async (execute, rows) => (rows.length === 0 ? [] : await execute(sql, [JSON.stringify(rows)]));
}

function sqliteInserter({ table, columns, ending }: InsertTarget): RowInserter {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const sql = `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")}) ${ending}`;
  return async <Returned>(execute: Executor, rows: readonly object[]) => {
    const returned: Returned[] = [];
    for (const row of rows as readonly Record<string, unknown>[]) {
      const values = columns.map(({ property, toSqlite }) => toSqlite(row[property]));
      returned.push(...(await execute<Returned>(sql, values)));
    }
    return returned;
  };
}
