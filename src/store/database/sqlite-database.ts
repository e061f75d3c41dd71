import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteStatement } from "kysely";
import { mergeHistograms } from "../../figures/histogram.ts";
import { DatabaseTimeoutError } from "../../lib/database-state.ts";
import type { Changed, ValueRows } from "./value-rows.ts";

/** A file that is open. */
export interface OpenSqlite {
  /**
   * True if a transaction is under way: SQLite ends one by itself where it finds no room, no memory or a broken disk.
   */
  readonly isTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  /**
   * Executes a statement for each row. Throws what SQLite says; a lock that is met between two rows fails as a whole.
   */
  executeEach(sql: string, values: ValueRows): Changed[];
  close(): void;
}

/** Statements that are kept prepared. */
const MAX_KEPT = 200;
/** A longer text is one that will not come again: its values are written into it. */
const LONGEST_KEPT = 10_000;
/**
 * The time that SQLite itself waits for a lock. It blocks the event loop meanwhile, so the dialect waits for the rest.
 */
const LOCK_TIMEOUT_MS = 10;

/** SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;

/** The options of opening a file. */
export interface SqliteOptions {
  /** True if nothing is written, and a file that is not there not made. */
  readonly isReadOnly: boolean;
}

/** Opens a file, or `:memory:`. What is executed again is not prepared again. */
export function openSqlite(file: string, { isReadOnly }: SqliteOptions): OpenSqlite {
  const database = new DatabaseSync(file, { timeout: LOCK_TIMEOUT_MS, readOnly: isReadOnly });
  // Only our own statements call it: no index and no view depends on it.
  database.function("merge_histograms", { deterministic: true }, (one, other) =>
    mergeHistograms(String(one), String(other)),
  );
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = prepared.get(sql);
    const statement = known ?? toStatement(database.prepare(sql), sql);
    if (sql.length > LONGEST_KEPT) return statement;
    // The one that was used last goes to the end.
    if (known !== undefined) prepared.delete(sql);
    prepared.set(sql, statement);
    const [oldest] = prepared.keys();
    if (prepared.size > MAX_KEPT && oldest !== undefined) prepared.delete(oldest);
    return statement;
  };
  return {
    get isTransaction() {
      return database.isTransaction;
    },
    prepare,
    executeEach: (sql, { rows }) => executeEach(prepare(sql), rows),
    close() {
      prepared.clear();
      database.close();
    },
  };
}

/** A statement as Kysely's driver takes it, and what it stands for. */
interface Statement extends SqliteStatement {
  readonly inner: StatementSync;
}

/**
 * A statement whose integers are numbers, rounded beyond 2^53: sums are, from 9 million USD on. node:sqlite throws for
 * these, and reads them as BigInts from then on; what changes rows must not run twice, and reads them so at once.
 */
function toStatement(inner: StatementSync, sql: string): Statement {
  const returns = /\breturning\b/i.test(sql);
  let isLarge = false;
  const readLarge = () => {
    inner.setReadBigInts(true);
    isLarge = true;
  };
  if (returns) readLarge();
  return {
    inner,
    reader: returns || /^\s*(select|pragma|explain|with)/i.test(sql),
    all(parameters) {
      try {
        if (!isLarge) return inner.all(...toInput(parameters));
      } catch (error) {
        if (!isOutOfRange(error)) throw error;
        readLarge();
      }
      return inner.all(...toInput(parameters)).map(toNumbers);
    },
    run(parameters) {
      const { changes, lastInsertRowid } = inner.run(...toInput(parameters));
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    *iterate(parameters) {
      readLarge();
      for (const row of inner.iterate(...toInput(parameters))) yield toNumbers(row);
    },
  };
}

function isOutOfRange(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

/** Makes numbers of a row's BigInts, in the row itself. */
function toNumbers(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint") row[name] = Number(value);
  }
  return row;
}

function executeEach({ inner }: Statement, rows: ValueRows["rows"]): Changed[] {
  const changed: Changed[] = [];
  try {
    for (const values of rows) changed.push({ changes: Number(inner.run(...toInput(values)).changes) });
  } catch (error) {
    // Who waits for a lock begins anew, and would execute the rows before this one twice: the transaction has to fail
    // as a whole.
    if (changed.length === 0 || !isBusy(error)) throw error;
    throw new DatabaseTimeoutError("another process took the lock between two rows", { cause: error });
  }
  return changed;
}

/**
 * Returns whether another process holds the lock. The low byte of SQLite's code is the code itself, the rest says more
 * of it.
 */
export function isBusy(error: unknown): error is Error {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") return false;
  return (error.errcode & 0xff) === BUSY;
}

/** Kysely knows nothing of the types that SQLite takes; others make node:sqlite throw. */
function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters as SQLInputValue[];
}
