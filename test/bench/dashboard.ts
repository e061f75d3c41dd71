/**
 * `npm run bench:dashboard`: times what each page of the dashboard asks for, through its procedures with session and
 * role, on a year of made-up inferences, on both engines. Prints a table and the same as JSON: how long each takes, and
 * the longest turn of the thread that serves, in which nothing else gets on.
 */
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { quantile } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { watchTurns } from "../support/watch-turns.ts";
import { createDashboardCaller, projectQueries } from "./dashboard-caller.ts";
import { MEASURED_PROCEDURES, type MeasuredProcedure } from "./measured-procedures.ts";
import { onSeededDatabases } from "./seeded-database.ts";

const USAGE = `usage: npm run bench:dashboard -- [--rows 1000000] [--engine sqlite|postgres] [--runs 40] [--only TEXT] [--sqlite URL] [--postgres URL] [--one-thread]

  --only TEXT    procedures whose names have TEXT
  --sqlite URL, --postgres URL
                 databases that are filled if they are empty, and kept
  --one-thread   SQLite is read in the thread that serves, for comparison`;
const values = readOptions(USAGE, {
  rows: { type: "string", default: "1000000" },
  runs: { type: "string", default: "40" },
  engine: { type: "string" },
  only: { type: "string", default: "" },
  sqlite: { type: "string" },
  postgres: { type: "string" },
  "one-thread": { type: "boolean", default: false },
});
const [rows, runs] = [Number(values.rows), Number(values.runs)];

/** What the 95th percentile of every procedure is to stay below. */
const GOAL_MS = 100;
/** What several people before it do: everything above at the same time. */
const ALL_AT_ONCE = "all of these at once";
/** The wait between two runs. */
const REST_MS = 3;

interface Times {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The longest time of the processor that the thread took in one iteration of the event loop. */
  readonly heldMs: number;
}

interface Result extends Times {
  readonly engine: string;
  readonly page: string;
  readonly procedure: string;
}

const results: Result[] = [];
// They end now, because pages ask for the time until now.
await onSeededDatabases({ ...values, rows, end: new Date() }, measureAll);
const single = results.filter(({ procedure }) => procedure !== ALL_AT_ONCE);
const slow = single.filter(({ p95Ms }) => p95Ms >= GOAL_MS);
console.log(
  slow.length === 0 ? `All below ${GOAL_MS} ms.` : `${slow.length} of ${single.length} not below ${GOAL_MS} ms.`,
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

async function measureAll(store: Store, databaseUrl: string): Promise<void> {
  const inferenceId = await someInference(store);
  const { call, close } = await createDashboardCaller(store, {
    databaseUrl,
    projectId: DEFAULT_PROJECT.id,
    isOneThread: values["one-thread"],
  });
  const timed: Result[] = [];
  const measured = MEASURED_PROCEDURES.filter((each) => nameOf(each).includes(values.only));
  const run = ({ path, input }: MeasuredProcedure) =>
    call(path, { projectId: DEFAULT_PROJECT.id, ...input(inferenceId) });
  for (const one of measured) {
    const times = await time(() => run(one));
    timed.push({ engine: store.engine, page: one.page, procedure: nameOf(one), ...times });
  }
  const times = await time(() => Promise.all(measured.map(run)));
  timed.push({ engine: store.engine, page: "all", procedure: ALL_AT_ONCE, ...times });
  await close();
  results.push(...timed);
  console.table(
    timed.map(({ p50Ms, p95Ms, heldMs, ...which }) => ({
      ...which,
      "p50 ms": p50Ms,
      "p95 ms": p95Ms,
      "held ms": heldMs,
    })),
  );
}

function nameOf({ path, what }: MeasuredProcedure): string {
  return what === "" ? path : `${path}: ${what}`;
}

async function someInference(store: Store): Promise<string> {
  const entries = store.query().selectFrom("FeedbackEntry").select("inferenceId").orderBy("id", "desc");
  return (await entries.limit(1).executeTakeFirstOrThrow()).inferenceId;
}

async function time(run: () => Promise<unknown>): Promise<Times> {
  await run();
  const times: number[] = [];
  const stop = watchTurns();
  for (let count = 0; count < runs; count += 1) {
    // Between two runs the loop has a turn.
    await delay(REST_MS);
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  const heldMs = stop();
  return { p50Ms: rounded(quantile(times, 0.5)), p95Ms: rounded(quantile(times, 0.95)), heldMs: rounded(heldMs) };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
