import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteStatement } from "kysely";
import { DatabaseTimeoutError } from "../types/database-state.ts";
import { mergeHistograms } from "../types/histogram.ts";
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

/** Statements that may read amounts beyond 2^53, which are 9 million USD: node:sqlite throws for these as numbers. */
const MAY_BE_LARGE = /\bsum\(|nanos|leased|"free"|"lost"/i;

function toStatement(statement: StatementSync, sql: string): Statement {
  if (MAY_BE_LARGE.test(sql)) return toLargeStatement(statement, sql);
  return {
    inner: statement,
    reader: isReader(sql),
    all: (parameters) => statement.all(...toInput(parameters)),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...toInput(parameters));
      return { changes, lastInsertRowid };
    },
    iterate: (parameters) => statement.iterate(...toInput(parameters)),
  };
}

/** A statement whose integers are read as they are, and rounded where a number cannot hold them. */
function toLargeStatement(statement: StatementSync, sql: string): Statement {
  statement.setReadBigInts(true);
  const round = (row: object) => {
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
    );
  };
  return {
    inner: statement,
    reader: isReader(sql),
    all: (parameters) => statement.all(...toInput(parameters)).map(round),
    run: (parameters) => {
      const { changes, lastInsertRowid } = statement.run(...toInput(parameters));
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    *iterate(parameters) {
      for (const row of statement.iterate(...toInput(parameters))) yield round(row);
    },
  };
}

function isReader(sql: string): boolean {
  return /^\s*(select|pragma|explain|with)/i.test(sql) || /\breturning\b/i.test(sql);
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
