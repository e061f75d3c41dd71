import type { Column } from "../database/columns.ts";
import type { Executor } from "../database/executor.ts";
import { type Changed, ValueRows } from "../database/value-rows.ts";
import type { Engine } from "../types/store.ts";

/** The target of an insert. */
interface InsertTarget {
  readonly table: string;
  readonly columns: readonly Column[];
  /** The end of the statement: "on conflict do nothing returning id". */
  readonly ending: string;
}

/** Inserts rows of one table. Resolves to what the ending returns. */
export type RowInserter = <Returned>(execute: Executor, rows: readonly object[]) => Promise<Returned[]>;

/**
 * Creates what inserts rows with a text that never changes. PostgreSQL takes all of them as one JSON value: to build
 * and send thousands of parameters costs this process more. SQLite takes one row at a time with a prepared statement.
 */
export function createInserter(engine: Engine, target: InsertTarget): RowInserter {
  return engine === "postgres" ? postgresInserter(target) : sqliteInserter(target);
}

function postgresInserter({ table, columns, ending }: InsertTarget): RowInserter {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const values = columns.map(({ property }) => `"${property}"`).join(", ");
  const fields = columns.map(({ property, type }) => `"${property}" ${type}`).join(", ");
  const sql =
    `insert into "${table}" (${names}) select ${values} from json_to_recordset($1::json) as given (${fields}) ` +
    `${ending}`;
  return async (execute, rows) => (rows.length === 0 ? [] : await execute(sql, [JSON.stringify(rows)]));
}

function sqliteInserter(target: InsertTarget): RowInserter {
  const sql = sqliteText(target);
  const toValues = getValues(target);
  return async <Returned>(execute: Executor, rows: readonly object[]) => {
    const returned: Returned[] = [];
    for (const row of rows) returned.push(...(await execute<Returned>(sql, toValues(row))));
    return returned;
  };
}

const ONCE = "on conflict do nothing";

/** The target of an insert of missing rows. */
type MissingTarget = Omit<InsertTarget, "ending">;

/** Creates what inserts the rows that are not there yet, without a word on which they were. */
export function createMissingInserter(
  engine: Engine,
  target: MissingTarget,
): (execute: Executor, rows: readonly object[]) => Promise<unknown> {
  const ended = { ...target, ending: ONCE };
  return engine === "postgres" ? postgresInserter(ended) : sqliteMissingInserter(ended);
}

/**
 * Inserts rows that are not there yet; resolves to those that it inserted, each once: of several with one id, the first
 * was.
 */
type NewRowInserter = <Row extends { readonly id: string }>(execute: Executor, rows: readonly Row[]) => Promise<Row[]>;

/** Creates what inserts the rows that are not there yet, in a table where each has an id of its own. */
export function createNewRowInserter(engine: Engine, target: MissingTarget): NewRowInserter {
  if (engine === "sqlite") {
    const insert = sqliteMissingInserter({ ...target, ending: ONCE });
    return async (execute, rows) => {
      const changed = await insert(execute, rows);
      return rows.filter((_, index) => changed[index]?.changes === 1);
    };
  }
  const insert = postgresInserter({ ...target, ending: `${ONCE} returning "id"` });
  return async (execute, rows) => {
    const ids = new Set((await insert<{ id: string }>(execute, rows)).map(({ id }) => id));
    return rows.filter(({ id }) => ids.delete(id));
  };
}

/** All rows in one call: none is changed twice by it, so that nothing is counted twice should it be repeated. */
function sqliteMissingInserter(target: InsertTarget) {
  const sql = sqliteText(target);
  const toValues = getValues(target);
  return async (execute: Executor, rows: readonly object[]): Promise<Changed[]> =>
    rows.length === 0 ? [] : await execute(sql, [new ValueRows(eachToValues(toValues, rows))]);
}

/**
 * Returns the values of each row when it is their turn: those of a batch at once would outlive a collection of new
 * objects.
 */
function eachToValues(toValues: ToValues, rows: readonly object[]): Iterable<readonly unknown[]> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield toValues(row);
    },
  };
}

function sqliteText({ table, columns, ending }: InsertTarget): string {
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  return `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")}) ${ending}`;
}

/** Returns the values of a row in the order of its columns. */
type ToValues = (row: object) => readonly unknown[];

/** Returns what lists the values of a row. */
function getValues({ columns }: InsertTarget): ToValues {
  return (row) => columns.map(({ property, toSqlite }) => toSqlite((row as Record<string, unknown>)[property]));
}
