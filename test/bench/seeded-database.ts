import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedDatabase } from "../../scripts/seed/seed-database.ts";
import { transact } from "../../src/store/database/executor.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { withStatementLimit } from "../../src/store/database/statement-limit.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { startPostgres } from "../support/postgres.ts";
import { copyRows } from "./copy-rows.ts";

/** The time that made-up rows are of. */
const YEAR_MS = 365 * 86_400_000;

/** Which databases to measure. */
export interface BenchDatabases {
  /** sqlite or postgres; both if it is not given. */
  readonly engine?: string | undefined;
  /** URLs of databases that are kept; without them each is made for this run. */
  readonly sqlite?: string | undefined;
  readonly postgres?: string | undefined;
  /** Inferences of a database that is made, and when the last one began. */
  readonly rows: number;
  /** On PostgreSQL, how many there are in the end of each of these; 1 if absent. */
  readonly times?: number;
  readonly end: Date;
}

/** Calls `measure` with a database of each engine, filled if it was empty. */
export async function onSeededDatabases(
  databases: BenchDatabases,
  measure: (store: Store, databaseUrl: string) => Promise<void>,
): Promise<void> {
  const { engine, sqlite, postgres } = databases;
  const measureAt = async (databaseUrl: string) => {
    const store = await openStore(databaseUrl);
    try {
      await fill(store, databases);
      await measure(store, databaseUrl);
    } finally {
      await store.close();
    }
  };
  if (engine !== "postgres") await (sqlite === undefined ? onNewSqlite(measureAt) : measureAt(sqlite));
  if (engine !== "sqlite") await (postgres === undefined ? onNewPostgres(measureAt) : measureAt(postgres));
}

async function onNewSqlite(measureAt: (databaseUrl: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "attune-bench-"));
  try {
    await measureAt(`sqlite:${join(folder, "bench.db")}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onNewPostgres(measureAt: (databaseUrl: string) => Promise<void>): Promise<void> {
  const server = await startPostgres({ sharedBuffers: "256MB" });
  try {
    await measureAt(server.createDatabaseUrl());
  } finally {
    await server.stop();
  }
}

async function fill(store: Store, { rows, end, times = 1 }: BenchDatabases): Promise<void> {
  const there = await store.query().selectFrom("UsageDay").select("calls").limit(1).executeTakeFirst();
  if (there !== undefined) return;
  const [started, usage] = [performance.now(), process.cpuUsage()];
  await seedDatabase(store, { projectId: DEFAULT_PROJECT.id, rows, bodies: 20_000, end, seed: 1 });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(usage);
  const cpuMicros = (user + system) / rows;
  console.log(
    `${store.engine}: ${rows} inferences in ${seconds.toFixed(1)} s, ${cpuMicros.toFixed(1)} us CPU each, made up and written`,
  );
  // The server does this by itself within a minute of so many rows.
  if (store.engine === "postgres") {
    await withStatementLimit(undefined, () => transact(store, (execute) => execute("analyze", [])));
  }
  if (store.engine !== "postgres" || times === 1) return;
  const endMs = end.getTime();
  await copyRows(store, { times, startMs: endMs - YEAR_MS, endMs, apartMs: YEAR_MS / rows });
}
