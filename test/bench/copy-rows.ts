import { executorOf, transact } from "../../src/store/database/executor.ts";
import { withStatementLimit } from "../../src/store/database/statement-limit.ts";
import type { Store } from "../../src/store/types/store.ts";

/** Which rows are copied how often. */
export interface CopyOptions {
  /** Rows that there will be of each that there is. */
  readonly times: number;
  /** The time that the rows are of, and between one of them and the next. */
  readonly startMs: number;
  readonly endMs: number;
  readonly apartMs: number;
}

/** Rows of so many parts of the time are copied at once; two parts at a time, by a connection each. */
const PARTS = 104;
const AT_ONCE = 2;
const TOLD_AFTER = 8;

/** What was said is copied with every second copy: with each, a hundred million of them take 80 GB. */
const FEEDBACK_OF = 2;

/** The tables whose size grows with the calls, and which of their columns are ids and times. Attempts and bodies are read by their ids alone. */
const TABLES = [
  { name: "inference", by: "id", ids: ["id"], times: ["started_at"], every: 1 },
  { name: "feedback_entry", by: "id", ids: ["id", "inference_id"], times: ["created_at"], every: FEEDBACK_OF },
  { name: "feedback_tag", by: "feedback_id", ids: ["inference_id", "feedback_id"], times: [], every: FEEDBACK_OF },
] as const;

/**
 * Copies inferences and their feedback on a PostgreSQL, within the server: each copy has an id and a time of its own between those of the row and
 * the next one. Rollups stay as they are, since their size does not depend on the calls. The tables are not in the server's log, which halves what is written.
 */
export async function copyRows(store: Store, options: CopyOptions): Promise<void> {
  const { times, startMs, endMs, apartMs } = options;
  const run = (sql: string) => withStatementLimit(undefined, () => executorOf(store.query())(sql, []));
  const stepMs = Math.max(1, Math.floor(apartMs / times));
  await run(`create function copied_ms(copy int) returns bigint immutable language sql return copy * ${stepMs}`);
  await run(`create function copied_id(id uuid, copy int) returns uuid immutable language sql return (
    lpad(to_hex(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint + copied_ms(copy)), 12, '0')
    || '7' || substr(md5(id::text || copy), 1, 3) || 'a' || substr(md5(id::text || copy), 4, 15))::uuid`);
  for (const { relname } of (await run(LEAVES)) as { relname: string }[])
    await run(`alter table "${relname}" set unlogged`);
  const columns = (await run(COLUMNS)) as { table_name: string; column_name: string }[];
  const bounds = Array.from({ length: PARTS + 1 }, (_, at) => lowestId(startMs + ((endMs - startMs) * at) / PARTS));
  const started = performance.now();
  let next = 0;
  const copyParts = async () => {
    for (let part = next++; part < PARTS; part = next++) {
      for (const table of TABLES) {
        const names = columns.flatMap(({ table_name, column_name }) => (table_name === table.name ? column_name : []));
        const { by } = table;
        const text = `insert into "${table.name}" (${names.map(quoted).join(", ")})
          select ${names.map((name) => copiedOf(table, name)).join(", ")}
          from "${table.name}" cross join generate_series(1, ${times - 1}, ${table.every}) copy
          where "${by}" >= '${bounds[part]}' and "${by}" < '${bounds[part + 1]}'`;
        await withStatementLimit(undefined, () => transact(store, (execute) => execute(text, [])));
      }
      if ((part + 1) % TOLD_AFTER === 0)
        process.stderr.write(`copied ${part + 1} of ${PARTS} parts, ${secondsSince(started)} s\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyParts));
  // The server does this by itself once there are so many rows.
  await run("vacuum analyze");
  const [{ bytes } = { bytes: 0 }] = (await run("select pg_database_size(current_database()) as bytes")) as {
    bytes: number;
  }[];
  console.log(
    `copied to ${times} of each in ${secondsSince(started)} s; the database has ${(Number(bytes) / 1e9).toFixed(1)} GB`,
  );
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}

const LEAVES = `select relname from pg_class where relkind = 'r' and (relname in ('feedback_entry', 'feedback_tag')
  or oid in (select inhrelid from pg_inherits where inhparent = 'inference'::regclass))`;
const COLUMNS = `select table_name, column_name from information_schema.columns
  where table_name in ('inference', 'feedback_entry', 'feedback_tag') order by ordinal_position`;

function quoted(name: string): string {
  return `"${name}"`;
}

function copiedOf(
  { ids, times }: { readonly ids: readonly string[]; readonly times: readonly string[] },
  name: string,
) {
  if (ids.includes(name)) return `copied_id("${name}", copy)`;
  return times.includes(name) ? `"${name}" + copied_ms(copy) * interval '1 millisecond'` : `"${name}"`;
}

function lowestId(ms: number): string {
  return `${Math.floor(ms).toString(16).padStart(12, "0")}${"0".repeat(20)}`;
}
