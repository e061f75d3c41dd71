/**
 * `npm run bench:soak`: two processes of `attune serve` on one PostgreSQL, called at a low rate for a long time.
 * Meanwhile the database is away, is vacuumed, loses partitions to retention, and fails over to a standby that was made
 * of a backup under the calls. Tells memory and times by the minute, and what was lost. Linux only.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { seedDatabase } from "../../scripts/seed/seed-database.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ask, createLedger, startLoad } from "../chaos/load.ts";
import { compare } from "../chaos/parity.ts";
import { type Served, startServed } from "../chaos/served.ts";
import { freePort } from "../support/free-port.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { administer, copyRunning, followClosely, promote } from "../support/postgres-standby.ts";
import { quantile } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { createCliFolder } from "../support/run-cli.ts";

const USAGE = `usage: npm run bench:soak -- [--minutes 20] [--callers 4] [--pause 800] [--away 30] [--sessions 2000] [--records 20000]

  --minutes M    how long it is called
  --callers N    callers of each process, of whom every second call has feedback and every third is a stream
  --pause MS     longest pause of a caller between two calls
  --away S       for how long the database is stopped in the first half
  --sessions N   sessions that the calls are of
  --records N    inferences of the year before, which retention deletes step by step`;
const options = readOptions(USAGE, {
  minutes: { type: "string", default: "20" },
  callers: { type: "string", default: "4" },
  pause: { type: "string", default: "800" },
  away: { type: "string", default: "30" },
  sessions: { type: "string", default: "2000" },
  records: { type: "string", default: "20000" },
});
const minutes = Number(options.minutes);
const NAME = "soak";
const FIRST_RETENTION_DAYS = 330;
/** Days by which retention is shortened, four weeks each time: partitions are of weeks and days. */
const STEP_DAYS = 28;

const primary = await startPostgres();
const standbyPort = await freePort();
let leader = primary;
let standby: PostgresServer | undefined;
/** Both hosts from the start: who takes writes is asked. */
const databaseUrl = `postgresql://postgres@127.0.0.1:${primary.port},127.0.0.1:${standbyPort}/${NAME}?target_session_attrs=read-write&connect_timeout=15`;
await administer(primary.port, (client) => client.query(`create database ${NAME}`));
const store = await openStore(databaseUrl);
const { key } = await createKey(store, { name: NAME });
const begun = new Date();
const end = new Date(begun.getTime() - 86_400_000);
const records = Number(options.records);
await seedDatabase(store, { projectId: DEFAULT_PROJECT.id, rows: records, bodies: records, end, seed: 1 });
const before = await countRows();
await store.close();
// As users start it: from the bundle, with its heaps.
const LAUNCHER = join(import.meta.dirname, "..", "..", "scripts", "attune.mjs");
const folders = [createCliFolder(LAUNCHER), createCliFolder(LAUNCHER)];
for (const { path } of folders) writeRetention(path, FIRST_RETENTION_DAYS);
const processes: Served[] = [];
for (const folder of folders) processes.push(await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl }));

const ledger = createLedger();
const loads = processes.map(({ url }) =>
  startLoad({
    url,
    key,
    ledger,
    callers: Number(options.callers),
    pauseMs: Number(options.pause),
    sessions: Number(options.sessions),
  }),
);
const agent = new Agent();
const rows: Record<string, number | string>[] = [];
let retentionDays = FIRST_RETENTION_DAYS;
/** What is done to the database, by the part of the time after which it begins. */
const EVENTS: readonly { readonly at: readonly number[]; readonly name: string; run(): Promise<unknown> }[] = [
  { at: [0.25], name: `away for ${options.away} s`, run: restart },
  { at: [0.45], name: "backup, standby begins", run: startStandby },
  { at: [0.65], name: "killed, standby promoted", run: failOver },
  { at: [0.1, 0.2, 0.35, 0.5, 0.6, 0.75, 0.85, 0.95], name: "retention", run: shortenRetention },
  { at: [0.15, 0.3, 0.4, 0.55, 0.7, 0.8, 0.9], name: "vacuum", run: vacuum },
];
for (let minute = 1; minute <= minutes; minute++) {
  const due = EVENTS.filter(({ at }) => at.some((part) => Math.ceil(part * minutes) === minute));
  const former = ledger.inferences.length;
  // What fails is told in its row: the soak goes on.
  const done = Promise.all(
    due.map(({ name, run }) =>
      run().then(
        () => name,
        (error) => `${name}: ${error}`,
      ),
    ),
  );
  const times = await probe(60_000);
  const events = await done;
  rows.push({
    minute,
    calls: ledger.inferences.length - former,
    failed: ledger.failures.length,
    "p50 ms": Math.round(quantile(times, 0.5)),
    "p99 ms": Math.round(quantile(times, 0.99)),
    "RSS MiB": processes.map((each) => Math.round(each.residentMiB())).join(" + "),
    waiting: (await Promise.all(processes.map((each) => each.metric("attune_recorder_queued")))).join(" + "),
    database: events.join(", "),
  });
  console.error(JSON.stringify(rows.at(-1)));
}
for (const load of loads) await load.stop();
await agent.destroy();
for (let left = 1; left > 0; await delay(500)) {
  const waiting = await Promise.all(processes.map((each) => each.metric("attune_recorder_queued")));
  left = waiting.reduce((one, other) => one + other);
}
const statuses = await Promise.all(processes.map((each) => each.end()));
const after = await countRows();
const parity = await compare(databaseUrl, ledger, begun);
console.table(rows);
const { sent, inferences, feedback, failures } = ledger;
const told = {
  sent,
  inferences: inferences.length,
  feedback: feedback.length,
  failures: failures.slice(0, 3),
  statuses,
  rowsBefore: before,
  rowsAfter: after,
};
console.log(JSON.stringify({ ...told, parity }));
for (const folder of folders) await folder.remove();
await standby?.stop();
await primary.stop();
process.exit(parity.lostInferences + parity.lostFeedback + failures.length > 0 ? 1 : 0);

/** Asks once a second, both processes by turns; returns how long the answers took. */
async function probe(ms: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + ms;
  for (let turn = 0; performance.now() < until; turn++) {
    const begin = performance.now();
    const { url = "" } = processes[turn % processes.length] ?? {};
    ledger.sent += 1;
    ledger.inferences.push(await ask({ url, key, agent }));
    times.push(performance.now() - begin);
    await delay(Math.max(0, 1000 - (performance.now() - begin)));
  }
  return times;
}

/** Stops the database, and starts it again on its data. */
async function restart(): Promise<void> {
  await delay(10_000);
  await primary.stopServer();
  await delay(Number(options.away) * 1000);
  await primary.startServer();
}

/** Makes a standby of a backup that is taken while calls are recorded. */
async function startStandby(): Promise<void> {
  const source = `host=127.0.0.1 port=${primary.port} user=postgres`;
  standby = await startPostgres({
    port: standbyPort,
    settings: [`primary_conninfo=${source}`],
    copyData: (folder) => copyRunning(primary.port, primary.socketFolder, folder),
  });
  await followClosely(primary.port);
}

/** Kills the server that takes writes, and has its standby take them. */
async function failOver(): Promise<void> {
  await delay(10_000);
  if (standby === undefined) throw new Error("there is no standby");
  await primary.kill();
  await promote(standby);
  leader = standby;
}

function writeRetention(folder: string, days: number): void {
  const yaml = `retention: { inferencesDays: ${days}, bodiesDays: ${days}, feedbackDays: ${days}, confirmAbovePercent: 100 }\n`;
  writeFileSync(join(folder, "attune.yaml"), yaml);
}

async function shortenRetention(): Promise<void> {
  retentionDays -= STEP_DAYS;
  for (const { path } of folders) writeRetention(path, retentionDays);
  for (const { cli } of processes) cli.process.kill("SIGHUP");
  // In a short soak the database may be away just then.
  for (let left = 5; ; left--) {
    const result = await folders[0]?.run(["retention", "--yes"], { ATTUNE_DATABASE_URL: databaseUrl });
    if (result?.status === 0) return;
    if (left === 0) throw new Error(`attune retention: ${result?.stderr}`);
    await delay(10_000);
  }
}

function vacuum(): Promise<unknown> {
  return administer(leader.port, (client) => client.query("vacuum (analyze)"), NAME);
}

function countRows(): Promise<Record<string, unknown>> {
  const sql = `select (select count(*) from inference)::int as inferences, (select count(*) from inference_body)::int as bodies,
    (select count(*) from pg_inherits)::int as partitions`;
  return administer(leader.port, async (client) => (await client.query(sql)).rows[0] as Record<string, unknown>, NAME);
}
