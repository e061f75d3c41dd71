import { createHubInput } from "../../src/hub/input.ts";
import { encodeRequest } from "../../src/hub/request-bytes.ts";
import { readRows } from "../../src/store/database/executor.ts";
import { firstIdAt, PERIODS } from "../../src/store/types/period.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { inferenceRow } from "./rows.ts";

/** How many inferences are made, and of what. */
export interface ManyInferences {
  readonly projectId: string;
  /** Of the last hour, and of the year before it. */
  readonly lastHour: number;
  readonly lastYear: number;
  /** Of how many of the last hour there are bodies. */
  readonly bodies: number;
}

/** Models times workloads, of which each day of rollups has a row. */
const MODELS = 6;
const WORKLOADS = 10;
const DAYS = 365;

/**
 * Fills an SQLite database with copies of one inference and its rollups, within seconds. The rollups are of the size of
 * real ones, and add up to nothing in particular.
 */
export async function writeManyInferences(store: Store, many: ManyInferences): Promise<void> {
  const { projectId, lastHour, lastYear, bodies } = many;
  const now = Date.now();
  const text = (value: string) => ({ kind: { case: "text" as const, value: { text: value } } });
  const request = encodeRequest(createHubInput({ system: [text("Where is my parcel? ".repeat(50))] }));
  const first = inferenceRow({
    projectId,
    id: `${firstIdAt(now).slice(0, 14)}7000-8000-000000000000`,
    model: "model-0",
  });
  await writeBatch(store, {
    inferences: [{ row: first, attempts: [], request, response: new Uint8Array() }],
    feedback: [],
  });
  const hourMs = PERIODS.hour - 60_000;
  await copy(store, "inference", lastHour, {
    id: idSql(now, hourMs / lastHour),
    started_at: `${now} - n * ${hourMs / lastHour}`,
    model: modelSql,
  });
  await copy(store, "inference", lastYear, {
    id: idSql(now - PERIODS.hour, (DAYS * PERIODS.day) / lastYear),
    model: modelSql,
  });
  await copy(store, "inference_body", bodies, { id: idSql(now, hourMs / lastHour) });
  const names = { model: modelSql, workload: `'workload-' || (n % ${MODELS * WORKLOADS} / ${MODELS})` };
  const byTime = (periods: number) => ({ ...names, period: `period - n / ${MODELS * WORKLOADS} - 1`, count: periods });
  for (const [table, periods] of [
    ["usage_day", DAYS],
    ["usage_hour", 30 * 24],
  ] as const) {
    const { count, ...columns } = byTime(periods);
    await copy(store, table, count * MODELS * WORKLOADS, columns);
  }
}

const modelSql = `'model-' || (n % ${MODELS})`;

/** SQL of the id of the n-th row before a time. */
function idSql(beforeMs: number, stepMs: number): string {
  const at = `(${beforeMs} - cast(n * ${stepMs} as integer))`;
  return `printf('%08x-%04x-7000-8000-%012x', ${at} >> 16, ${at} & 65535, n)`;
}

/** Copies the row that a table has, with columns that differ by the number of the copy, n, from 1. */
async function copy(
  store: Store,
  table: string,
  count: number,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const all = await readRows<{ name: string }>(store, `select name from pragma_table_info('${table}')`, []);
  const values = all.map(({ name }) => columns[name] ?? `"${name}"`);
  const names = all.map(({ name }) => `"${name}"`);
  // "where true": without it, "on conflict" would be taken for a join.
  await readRows(
    store,
    `insert into ${table} (${names.join(", ")})
     select ${values.join(", ")} from (select * from ${table} limit 1),
       (with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)
     where true on conflict do nothing`,
    [],
  );
}
