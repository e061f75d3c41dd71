import type { Column } from "../database/columns.ts";
import type { Executor } from "../database/executor.ts";
import type { Engine } from "../types/store.ts";
import type { Table } from "./table.ts";

/** A row as the driver gives it: by the names of columns. */
export type RawRow = Readonly<Record<string, unknown>>;

/** A connection to one of the two databases. */
export interface Side {
  readonly engine: Engine;
  readonly execute: Executor;
}

/** SQL that is put together with its values. */
export class Statement {
  readonly values: unknown[] = [];
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Adds a value; returns its place in the text. */
  add(value: unknown): string {
    this.values.push(value);
    return this.#engine === "postgres" ? `$${this.values.length}` : "?";
  }
}

/** Returns the quoted names of columns, separated by commas. */
export function joinNames(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

/** Returns the condition that a row comes after another one in the order of the key; empty for the first row. */
export function afterKey(statement: Statement, { keys }: Table, row: RawRow | undefined): string {
  if (row === undefined) return "";
  const values = keys.map(({ name }) => statement.add(row[name])).join(", ");
  return `where (${joinNames(keys)}) > (${values})`;
}

/** Counts the rows of a table. */
export async function countRows({ execute }: Side, { name }: Table): Promise<number> {
  const [row] = await execute<{ count: unknown }>(`select count(*) as count from "${name}"`, []);
  return Number(row?.count);
}
