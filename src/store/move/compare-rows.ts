import { isObject } from "../../lib/is-object.ts";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import { readChunks, readSame } from "./read-rows.ts";
import type { RawRow, Side } from "./sql.ts";
import type { Table } from "./table.ts";

/** A difference between a table of the target and that of the source. */
export interface Difference {
  readonly table: string;
  /** Rows that the source does not have. */
  readonly foreign: number;
  /** Rows that the source has with other values. */
  readonly changed: number;
  /** The first of them, in words: no values beside those of the key. */
  readonly example: string;
}

/** The two sides of a move. */
export interface Sides {
  readonly source: Side;
  readonly target: Side;
}

/**
 * Compares all rows that a table of the target has with those of the source; those that it lacks are no difference. The
 * default project is not compared: every database begins with it. `onRows` is told how many rows were compared.
 */
export async function compareRows(
  { source, target }: Sides,
  table: Table,
  onRows: (count: number) => void,
): Promise<Difference | undefined> {
  const examples: string[] = [];
  let [foreign, changed] = [0, 0];
  for await (const rows of readChunks(target, table)) {
    const same = new Map((await readSame(source, table, rows)).map((row) => [getKey(table, row), row]));
    for (const row of rows.filter((candidate) => !isDefaultProject(table, candidate))) {
      const key = getKey(table, row);
      const other = same.get(key);
      const columns = other === undefined ? [] : changedColumns(table, row, other);
      if (other === undefined) foreign += 1;
      else if (columns.length > 0) changed += 1;
      if (examples.length === 0 && other === undefined) examples.push(`${key} is not in the source`);
      if (examples.length === 0 && columns.length > 0) examples.push(`${key} differs in ${columns.join(", ")}`);
    }
    onRows(rows.length);
  }
  const [example] = examples;
  return example === undefined ? undefined : { table: table.name, foreign, changed, example };
}

function isDefaultProject({ name }: Table, row: RawRow): boolean {
  return name === "project" && row["id"] === DEFAULT_PROJECT.id;
}

function getKey({ keys }: Table, row: RawRow): string {
  return keys.map(({ name, fromDatabase }) => String(fromDatabase(row[name]))).join(" / ");
}

function changedColumns({ columns }: Table, one: RawRow, other: RawRow): string[] {
  const differing = columns.filter(({ name, fromDatabase }) => {
    return comparable(fromDatabase(one[name])) !== comparable(fromDatabase(other[name]));
  });
  return differing.map(({ name }) => name);
}

/** PostgreSQL orders the members of JSON objects its own way. */
function comparable(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return JSON.stringify(value, (_key, inner: unknown) => {
    return isObject(inner) ? Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)) : inner;
  });
}
