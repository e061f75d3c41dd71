import { readRows } from "../../src/store/database/executor.ts";
import { withStatementLimit } from "../../src/store/database/statement-limit.ts";
import { listPartitions } from "../../src/store/partitions/list-partitions.ts";
import { firstIdAt } from "../../src/store/types/period.ts";
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

/**
 * The tables whose size grows with the calls, and which of their columns are ids and times. Attempts and bodies are
 * read by their ids alone.
 */
const TABLES = [
  { name: "inference", by: "id", ids: ["id"], times: ["started_at"], every: 1 },
  { name: "feedback_entry", by: "id", ids: ["id", "inference_id"], times: ["created_at"], every: FEEDBACK_OF },
  { name: "feedback_tag", by: "feedback_id", ids: ["inference_id", "feedback_id"], times: [], every: FEEDBACK_OF },
] as const;

/**
 * Copies inferences and their feedback on a PostgreSQL, within the server: each copy has an id and a time of its own
 * between those of the row and the next one. Rollups stay as they are, since their size does not depend on the calls.
 * The tables are not in the server's log, which halves what is written.
 */
export async function copyRows(store: Store, options: CopyOptions): Promise<void> {
  const { times, startMs, endMs, apartMs } = options;
  const run = <Row>(sql: string, values: readonly unknown[] = []) =>
    withStatementLimit(undefined, () => readRows<Row>(store, sql, values));
  const stepMs = Math.max(1, Math.floor(apartMs / times));
  await run(`create function copied_ms(copy int) returns bigint immutable language sql return copy * ${stepMs}`);
  await run(`create function copied_id(id uuid, copy int) returns uuid immutable language sql return (
    lpad(to_hex(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint + copied_ms(copy)), 12, '0')
    || '7' || substr(md5(id::text || copy), 1, 3) || 'a' || substr(md5(id::text || copy), 4, 15))::uuid`);
  const columns = new Map<string, readonly string[]>();
  for (const { name } of TABLES) {
    const partitions = await listPartitions(store, name);
    const leaves = partitions.length === 0 ? [name] : partitions.map((partition) => partition.name);
    for (const leaf of leaves) await run(`alter table "${leaf}" set unlogged`);
    const rows = await run<{ name: string }>(COLUMNS, [name]);
    columns.set(
      name,
      rows.map((row) => row.name),
    );
  }
  const bounds = Array.from({ length: PARTS + 1 }, (_, at) => firstIdAt(startMs + ((endMs - startMs) * at) / PARTS));
  const started = performance.now();
  let next = 0;
  const copyParts = async () => {
    for (let part = next++; part < PARTS; part = next++) {
      for (const table of TABLES) {
        const names = columns.get(table.name) ?? [];
        await run(`insert into "${table.name}" (${names.map(quoted).join(", ")})
          select ${names.map((name) => copiedOf(table, name)).join(", ")}
          from "${table.name}" cross join generate_series(1, ${times - 1}, ${table.every}) copy
          where "${table.by}" >= '${bounds[part]}' and "${table.by}" < '${bounds[part + 1]}'`);
      }
      if ((part + 1) % TOLD_AFTER === 0)
        process.stderr.write(`copied ${part + 1} of ${PARTS} parts, ${secondsSince(started)} s\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyParts));
  // The server does this by itself once there are so many rows.
  await run("vacuum analyze");
  const [size] = await run<{ bytes: string }>("select pg_database_size(current_database()) as bytes");
  console.log(
    `copied to ${times} of each in ${secondsSince(started)} s; the database has ${(Number(size?.bytes) / 1e9).toFixed(1)} GB`,
  );
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}

const COLUMNS =
  "select column_name as name from information_schema.columns where table_name = ? order by ordinal_position";

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
