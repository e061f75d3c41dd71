import { afterKey, joinNames, type RawRow, type Side, Statement } from "./sql.ts";
import type { Table } from "./table.ts";

/** Most rows that are read at once. */
const CHUNK_ROWS = 500;
/** Bytes of blobs that are read at once; a single row may have more. */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Reads a table in the order of its key, a chunk at a time, so that no more than a chunk is in memory. */
export async function* readChunks(side: Side, table: Table): AsyncGenerator<readonly RawRow[]> {
  for (let last: RawRow | undefined; ; ) {
    const limit = await rowsThatFit(side, table, last);
    if (limit === 0) return;
    const statement = new Statement(side.engine);
    const where = afterKey(statement, table, last);
    const sql =
      `select ${joinNames(table.columns)} from "${table.name}" ${where} order by ${joinNames(table.keys)} limit ` +
      `${limit}`;
    const rows = await side.execute<RawRow>(sql, statement.values);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

/** Asks for the sizes of blobs before the blobs themselves. */
async function rowsThatFit({ engine, execute }: Side, table: Table, last: RawRow | undefined): Promise<number> {
  if (table.blobs.length === 0) return CHUNK_ROWS;
  const statement = new Statement(engine);
  const where = afterKey(statement, table, last);
  const size = table.blobs.map(({ name }) => `coalesce(octet_length("${name}"), 0)`).join(" + ");
  const sql = `select ${size} as size from "${table.name}" ${where}
    order by ${joinNames(table.keys)} limit ${CHUNK_ROWS}`;
  let bytes = 0;
  const sizes = await execute<{ size: unknown }>(sql, statement.values);
  const tooMany = sizes.findIndex(({ size: own }) => {
    bytes += Number(own);
    return bytes > CHUNK_BYTES;
  });
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

/** Reads the rows that have the same keys as given ones. */
export async function readSame(side: Side, table: Table, rows: readonly RawRow[]): Promise<readonly RawRow[]> {
  const statement = new Statement(side.engine);
  const [key] = table.keys;
  const isSingle = table.keys.length === 1 && key !== undefined;
  const where = isSingle
    ? `"${key.name}" in (${rows.map((row) => statement.add(row[key.name])).join(", ")})`
    : rows
        .map((row) => table.keys.map(({ name }) => `"${name}" = ${statement.add(row[name])}`).join(" and "))
        .join(" or ");
  return await side.execute(`select ${joinNames(table.columns)} from "${table.name}" where ${where}`, statement.values);
}
