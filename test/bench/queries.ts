/**
 * Times every query of lists and charts on a year of made-up inferences, on both engines: npm run bench:queries -- [--rows N]
 * [--engine sqlite|postgres] [--runs N]. Prints a table and the same as JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seedDatabase } from "../../scripts/seed/seed-database.ts";
import { transact } from "../../src/store/bulk/executor.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { startPostgres } from "../support/postgres.ts";
import { measuredQueries } from "./measured-queries.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    runs: { type: "string", default: "40" },
    engine: { type: "string" },
  },
});
const [rows, runs] = [Number(values.rows), Number(values.runs)];
const END = new Date("2026-11-21T12:00:00Z");

interface Result {
  readonly engine: string;
  readonly query: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const results: Result[] = [];
if (values.engine !== "postgres") await onSqlite();
if (values.engine !== "sqlite") await onPostgres();
console.log(JSON.stringify({ rows, runs, results }));

async function onSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
  try {
    await measure(`sqlite:${join(folder, "bench.db")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(): Promise<void> {
  const server = await startPostgres();
  try {
    await measure(server.createDatabaseUrl());
  } finally {
    await server.stop();
  }
}

async function measure(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl);
  try {
    await seed(store);
    const timed: Result[] = [];
    for (const [query, run] of Object.entries(measuredQueries(store, DEFAULT_PROJECT.id, END))) {
      const result = { engine: store.engine, query, ...(await time(run)) };
      timed.push(result);
      console.error(`${store.engine}: ${query}: ${result.p50Ms} ms`);
    }
    results.push(...timed);
    console.table(
      timed.map(({ engine, query, p50Ms, p95Ms }) => ({ engine, query, "p50 ms": p50Ms, "p95 ms": p95Ms })),
    );
  } finally {
    await store.close();
  }
}

async function seed(store: Store): Promise<void> {
  const [started, usage] = [performance.now(), process.cpuUsage()];
  await seedDatabase(store, { projectId: DEFAULT_PROJECT.id, rows, bodies: 20_000, end: END, seed: 1 });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(usage);
  console.log(
    `${store.engine}: ${rows} inferences in ${seconds.toFixed(1)} s, ${((user + system) / rows).toFixed(1)} us CPU each, made up and written`,
  );
  // The server does this by itself within a minute of so many rows.
  if (store.engine === "postgres") await transact(store, (execute) => execute("analyze", []));
}

async function time(run: () => Promise<unknown>): Promise<Pick<Result, "p50Ms" | "p95Ms">> {
  await run();
  const times: number[] = [];
  for (let count = 0; count < runs; count += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 10) / 10;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
