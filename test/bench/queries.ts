/**
 * `npm run bench:queries`: times every query of lists and charts on a year of made-up inferences, on both engines. Runs
 * of all queries are interleaved. Prints a table and the same as JSON.
 */
import { loadavg } from "node:os";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { quantile } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { measuredQueries } from "./measured-queries.ts";
import { onSeededDatabases } from "./seeded-database.ts";

const USAGE = `usage: npm run bench:queries -- [--rows 1000000] [--times 1] [--engine sqlite|postgres] [--runs 40] [--only TEXT] [--sqlite URL] [--postgres URL]

  --times N      each inference and its feedback is copied so often on PostgreSQL: 100 million take a quarter of an hour and 60 GB
  --only TEXT    queries whose names have TEXT
  --sqlite URL, --postgres URL
                 databases that are filled if they are empty, and kept`;
const values = readOptions(USAGE, {
  rows: { type: "string", default: "1000000" },
  times: { type: "string", default: "1" },
  runs: { type: "string", default: "40" },
  engine: { type: "string" },
  only: { type: "string", default: "" },
  sqlite: { type: "string" },
  postgres: { type: "string" },
});
const [rows, times, runs] = [Number(values.rows), Number(values.times), Number(values.runs)];
const END = new Date("2026-11-21T12:00:00Z");

interface Times {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** CPU of this process: on SQLite all of it, on PostgreSQL that of the client. */
  readonly cpuMs: number;
}

interface Result extends Times {
  readonly engine: string;
  readonly query: string;
}

const results: Result[] = [];
await onSeededDatabases({ ...values, rows, times, end: END }, measure);
console.log(JSON.stringify({ rows, times, runs, results }));

async function measure(store: Store): Promise<void> {
  const all = Object.entries(measuredQueries(store, DEFAULT_PROJECT.id, END));
  const timed = await time(all.filter(([name]) => name.includes(values.only)));
  results.push(...timed.map(([query, times]) => ({ engine: store.engine, query, ...times })));
  console.log(`${store.engine}; load of the machine ${loadavg()[0]?.toFixed(1)}`);
  console.table(
    timed.map(([query, { p50Ms, p95Ms, cpuMs }]) => ({ query, "p50 ms": p50Ms, "p95 ms": p95Ms, "CPU ms": cpuMs })),
  );
}

/** Runs all queries, round after round; the first round warms up and is not counted. */
async function time(queries: readonly (readonly [string, () => Promise<unknown>])[]): Promise<[string, Times][]> {
  const samples = queries.map(([name, run]) => ({ name, run, wall: [] as number[], cpu: [] as number[] }));
  for (let round = 0; round <= runs; round += 1) {
    for (const { run, wall, cpu } of samples) {
      const [started, before] = [performance.now(), process.cpuUsage()];
      await run();
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      wall.push(performance.now() - started);
      cpu.push((user + system) / 1000);
    }
  }
  return samples.map(({ name, wall, cpu }) => [
    name,
    { p50Ms: at(wall, 0.5), p95Ms: at(wall, 0.95), cpuMs: at(cpu, 0.5) },
  ]);
}

function at(samples: readonly number[], share: number): number {
  return Math.round(quantile(samples, share) * 10) / 10;
}
