/**
 * Times what each page of the dashboard asks for, through its procedures with session and role, on a year of made-up inferences,
 * on both engines: npm run bench:dashboard -- [--rows N] [--runs N] [--engine sqlite|postgres] [--only TEXT] [--sqlite URL]
 * [--postgres URL]. Databases given by their URLs are filled if they are empty, and kept. Prints a table and the same as JSON.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seedDatabase } from "../../scripts/seed/seed-database.ts";
import { transact } from "../../src/store/bulk/executor.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { startPostgres } from "../support/postgres.ts";
import { createDashboardCaller, projectQueries } from "./dashboard-caller.ts";
import { MEASURED_PROCEDURES, type MeasuredProcedure } from "./measured-procedures.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "1000000" },
    runs: { type: "string", default: "40" },
    engine: { type: "string" },
    only: { type: "string", default: "" },
    sqlite: { type: "string" },
    postgres: { type: "string" },
  },
});
const [rows, runs] = [Number(values.rows), Number(values.runs)];

/** What the 95th percentile of every procedure is to stay below. */
const GOAL_MS = 100;

interface Result {
  readonly engine: string;
  readonly page: string;
  readonly procedure: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

const results: Result[] = [];
if (values.engine !== "postgres") await onSqlite();
if (values.engine !== "sqlite") await onPostgres();
const slow = results.filter(({ p95Ms }) => p95Ms >= GOAL_MS);
console.log(
  slow.length === 0 ? `All below ${GOAL_MS} ms.` : `${slow.length} of ${results.length} not below ${GOAL_MS} ms.`,
);
const listed = new Set(MEASURED_PROCEDURES.map(({ path }) => path));
console.log(
  `Not measured: ${
    projectQueries()
      .filter((path) => !listed.has(path))
      .join(", ") || "none"
  }.`,
);
console.log(JSON.stringify({ rows, runs, load: loadavg()[0], results }));

async function onSqlite(): Promise<void> {
  if (values.sqlite !== undefined) return await measureAll(values.sqlite);
  const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
  try {
    await measureAll(`sqlite:${join(folder, "bench.db")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(): Promise<void> {
  if (values.postgres !== undefined) return await measureAll(values.postgres);
  const server = await startPostgres({ sharedBuffers: "256MB" });
  try {
    await measureAll(server.createDatabaseUrl());
  } finally {
    await server.stop();
  }
}

async function measureAll(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl);
  try {
    await fill(store);
    const inferenceId = await someInference(store);
    const call = await createDashboardCaller(store, DEFAULT_PROJECT.id);
    const timed: Result[] = [];
    for (const measured of MEASURED_PROCEDURES.filter((each) => nameOf(each).includes(values.only))) {
      const input = { projectId: DEFAULT_PROJECT.id, ...measured.input(inferenceId) };
      const times = await time(() => call(measured.path, input));
      timed.push({ engine: store.engine, page: measured.page, procedure: nameOf(measured), ...times });
    }
    results.push(...timed);
    console.table(timed.map(({ p50Ms, p95Ms, ...which }) => ({ ...which, "p50 ms": p50Ms, "p95 ms": p95Ms })));
  } finally {
    await store.close();
  }
}

function nameOf({ path, what }: MeasuredProcedure): string {
  return what === "" ? path : `${path}: ${what}`;
}

async function fill(store: Store): Promise<void> {
  const there = await store.query().selectFrom("UsageDay").select("calls").limit(1).executeTakeFirst();
  if (there !== undefined) return;
  const started = performance.now();
  // It ends now, because pages ask for the time until now.
  await seedDatabase(store, { projectId: DEFAULT_PROJECT.id, rows, bodies: 20_000, end: new Date(), seed: 1 });
  console.log(`${store.engine}: ${rows} inferences in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  // The server does this by itself within a minute of so many rows.
  if (store.engine === "postgres") await transact(store, (execute) => execute("analyze", []));
}

async function someInference(store: Store): Promise<string> {
  const entries = store.query().selectFrom("FeedbackEntry").select("inferenceId").orderBy("id", "desc");
  return (await entries.limit(1).executeTakeFirstOrThrow()).inferenceId;
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
