/**
 * `npm run bench:soak`: two processes of `attune serve` on one PostgreSQL, called at a low rate for a long time, with the
 * database away in the middle. Tells memory and times by the minute, and what was lost. Linux only.
 */

import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { openStore } from "../../src/store/database/open-store.ts";
import { createKey } from "../../src/store/keys/key-repository.ts";
import { ask, createLedger, startLoad } from "../chaos/load.ts";
import { compare } from "../chaos/parity.ts";
import { type Served, startServed } from "../chaos/served.ts";
import { startPostgres } from "../support/postgres.ts";
import { quantile } from "../support/quantile.ts";
import { readOptions } from "../support/read-options.ts";
import { createCliFolder } from "../support/run-cli.ts";

const USAGE = `usage: npm run bench:soak -- [--minutes 20] [--callers 4] [--pause 800] [--away 30]

  --minutes M    how long it is called
  --callers N    callers of each process, of whom every second call has feedback and every third is a stream
  --pause MS     longest pause of a caller between two calls
  --away S       for how long the database is stopped in the middle`;
const options = readOptions(USAGE, {
  minutes: { type: "string", default: "20" },
  callers: { type: "string", default: "4" },
  pause: { type: "string", default: "800" },
  away: { type: "string", default: "30" },
});
const minutes = Number(options.minutes);

const postgres = await startPostgres();
const databaseUrl = postgres.createDatabaseUrl();
const store = await openStore(databaseUrl);
const { key } = await createKey(store, { name: "soak" });
await store.close();
const folders = [createCliFolder(), createCliFolder()];
const processes: Served[] = [];
for (const folder of folders) processes.push(await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl }));

const ledger = createLedger();
const loads = processes.map(({ url }) =>
  startLoad({ url, key, ledger, callers: Number(options.callers), pauseMs: Number(options.pause) }),
);
const agent = new Agent();
const rows: Record<string, number | string>[] = [];
for (let minute = 1; minute <= minutes; minute++) {
  const isMiddle = minute === Math.ceil(minutes / 2);
  const former = ledger.inferences.length;
  const outage = isMiddle ? restart() : undefined;
  const times = await probe(60_000);
  await outage;
  rows.push({
    minute,
    calls: ledger.inferences.length - former,
    failed: ledger.failures.length,
    "p50 ms": Math.round(quantile(times, 0.5)),
    "p99 ms": Math.round(quantile(times, 0.99)),
    "RSS MiB": processes.map((each) => Math.round(each.residentMiB())).join(" + "),
    waiting: (await Promise.all(processes.map((each) => each.metric("attune_recorder_queued")))).join(" + "),
    database: isMiddle ? `away for ${options.away} s` : "",
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
const parity = await compare(databaseUrl, ledger);
console.table(rows);
const { sent, inferences, feedback, failures } = ledger;
const told = {
  sent,
  inferences: inferences.length,
  feedback: feedback.length,
  failures: failures.slice(0, 3),
  statuses,
};
console.log(JSON.stringify({ ...told, parity }));
for (const folder of folders) await folder.remove();
await postgres.stop();
process.exit(parity.lostInferences + parity.lostFeedback + failures.length > 0 ? 1 : 0);

/** Asks once a second, both processes by turns; returns how long the answers took. */
async function probe(ms: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + ms;
  for (let turn = 0; performance.now() < end; turn++) {
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
  await postgres.stopServer();
  await delay(Number(options.away) * 1000);
  await postgres.startServer();
}
