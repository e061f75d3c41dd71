/**
 * `node beside-database.ts litestream|patroni|pgbouncer|logical-replica|partman|postgresql`: calls a service while such a program
 * copies its database, stands before it, works in it or is it, and compares what is there afterwards. Programs are those of the PATH, or of
 * POSTGRES_PROGRAMS.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { openStore } from "../../src/store/database/open-store.ts";
import { PARTITION_PLANS } from "../../src/store/partitions/partition-plan.ts";
import { createMaintenance } from "../../src/store/retention/maintenance.ts";
import { firstIdAt } from "../../src/store/types/period.ts";
import { freePort } from "../../test/support/free-port.ts";
import { type PostgresServer, startPostgres } from "../../test/support/postgres.ts";
import { startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { startTestService, type TestService } from "../../test/support/service.ts";
import { modelsYaml, scriptModels } from "../clients/scripted-models.ts";
import { startPatroni } from "./patroni.ts";

const CALLS = 200;
const DAY_MS = 86_400_000;

/** What callers were told. */
interface Ledger {
  readonly ids: string[];
  feedback: number;
  readonly refused: string[];
  slowestMs: number;
}

const upstream = await startScriptedUpstream();
scriptModels(upstream);

function check(step: string, held: boolean, seen: unknown): void {
  console.log(held ? `held ${step}` : `failed ${step}: ${JSON.stringify(seen)}`);
}

/** Calls, each with feedback; tells whatever did not come back with 200. */
async function call({ url, headers }: TestService): Promise<string[]> {
  const refused: string[] = [];
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 200) refused.push(text.slice(0, 200));
    return text;
  };
  for (let turn = 0; turn < CALLS; turn++) {
    const messages = [{ role: "user", content: `call ${turn}` }];
    const text = await post("/v1/chat/completions", { model: "attune/chat-model", stream: turn % 3 === 0, messages });
    const [, id = ""] = /"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
    await post("/v1/feedback", [{ id, feedback: { helpful: turn % 2 === 0 } }]);
  }
  return refused;
}

/** Counts the rows of what calls write. */
async function countRows(databaseUrl: string): Promise<Record<string, number>> {
  const store = await openStore(databaseUrl);
  const counts: Record<string, number> = {};
  for (const table of ["Inference", "InferenceAttempt", "InferenceBody", "FeedbackEntry", "UsageHour"] as const) {
    const rows = await store.query().selectFrom(table).selectAll().execute();
    counts[table] = rows.length;
  }
  await store.close();
  return counts;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGINT");
  await ended;
}

async function besideLitestream(): Promise<void> {
  const service = await startTestService({ yaml: modelsYaml(upstream.url), databaseUrl: "sqlite:attune.db" });
  const replica = `file://${process.cwd()}/replica`;
  const litestream = spawn("litestream", ["replicate", "attune.db", replica], { stdio: "inherit" });
  check(`litestream: ${CALLS} calls meanwhile`, ...refusedNone(await call(service)));
  await service.stop();
  await service.close();
  await delay(3000);
  await end(litestream);
  spawnSync("litestream", ["restore", "-o", "restored.db", replica], { stdio: "inherit" });
  const [before, after] = [await countRows("sqlite:attune.db"), await countRows("sqlite:restored.db")];
  check("litestream: the restored file has all rows", isSame(before, after), { before, after });
}

async function behindPgbouncer(): Promise<void> {
  const postgres = await startPostgres();
  const direct = new URL(postgres.createDatabaseUrl());
  await (await openStore(direct.href)).close();
  const port = await freePort();
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${direct.port} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    "unix_socket_dir =",
    "ignore_startup_parameters = extra_float_digits,options",
  ];
  writeFileSync("pgbouncer.ini", `${lines.join("\n")}\n`);
  const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const pgbouncer = spawn("pgbouncer", ["pgbouncer.ini"], { stdio: "inherit", ...account });
  await delay(1000);
  const databaseUrl = `postgresql://postgres@127.0.0.1:${port}${direct.pathname}`;
  const service = await startTestService({ yaml: modelsYaml(upstream.url), databaseUrl });
  check(`PgBouncer, pools by transaction: ${CALLS} calls`, ...refusedNone(await call(service)));
  await service.stop();
  await service.close();
  const counts = await countRows(direct.href);
  check("PgBouncer: all rows", counts["Inference"] === CALLS && counts["FeedbackEntry"] === CALLS, counts);
  await end(pgbouncer);
  await postgres.stop();
}

async function query(url: string, ...statements: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  let rows: readonly Record<string, unknown>[] = [];
  try {
    for (const statement of statements) ({ rows } = await client.query(statement));
  } finally {
    await client.end();
  }
  return rows;
}

async function withLogicalReplica(): Promise<void> {
  const settings = ["wal_level=logical"];
  const servers: PostgresServer[] = [await startPostgres({ settings }), await startPostgres({ settings })];
  const [primary = "", replica = ""] = servers.map((server) => server.createDatabaseUrl());
  const service = await startTestService({ yaml: modelsYaml(upstream.url), databaseUrl: primary });
  await (await openStore(replica)).close();
  // What its own migrations wrote there comes again from the primary.
  const tables = await query(
    replica,
    "select format('%I', c.relname) as name from pg_class c where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace",
  );
  await query(replica, `truncate ${tables.map(({ name }) => name).join(", ")} cascade`);
  const keyless = await query(
    primary,
    "select relname from pg_class c where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary)",
  );
  check("logical replica: each table has a primary key", keyless.length === 0, keyless);
  await query(primary, "create publication everything for all tables with (publish_via_partition_root = true)");
  await query(replica, `create subscription everything connection '${primary}' publication everything`);
  check(`logical replica: ${CALLS} calls meanwhile`, ...refusedNone(await call(service)));
  await service.stop();
  await service.close();
  let [before, after]: Record<string, number>[] = [await countRows(primary), {}];
  for (let tries = 0; tries < 60 && !isSame(before, after); tries++) {
    await delay(1000);
    [before, after] = [await countRows(primary), await countRows(replica)];
  }
  check("logical replica: all rows", isSame(before, after), { before, after });
  await query(
    replica,
    "alter subscription everything disable",
    "alter subscription everything set (slot_name = none)",
    "drop subscription everything",
  );
  for (const server of servers) await server.stop();
}

function refusedNone(refused: readonly string[]): [boolean, unknown] {
  return [refused.length === 0, refused.slice(0, 2)];
}

function isSame(one: object | undefined, other: object | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function onRelease(): Promise<void> {
  const programs = process.env["POSTGRES_PROGRAMS"] ?? "";
  const postgres = await startPostgres({ programs });
  const databaseUrl = postgres.createDatabaseUrl();
  const service = await startTestService({ yaml: modelsYaml(upstream.url), databaseUrl });
  const [row] = await query(databaseUrl, "show server_version");
  const release = String(row?.["server_version"]);
  check(`${release}: ${CALLS} calls with feedback`, ...refusedNone(await call(service)));
  await service.stop();
  await service.close();
  const counts = await countRows(databaseUrl);
  check(`${release}: all rows`, counts["Inference"] === CALLS && counts["FeedbackEntry"] === CALLS, counts);
  await postgres.stop();
}

/** Lists the partitions of tables by their names. */
async function partitionsOf(databaseUrl: string, ...tables: readonly string[]): Promise<string[]> {
  const rows = await query(
    databaseUrl,
    `select inhrelid::regclass::text as name from pg_inherits where inhparent in (${tables.map((table) => `'${table}'::regclass`).join(", ")})`,
  );
  return rows.map(({ name }) => String(name)).sort();
}

/** Gives pg_partman a table of its own, with rows and partitions of nine days, of which it may keep three. */
async function createTheirs(databaseUrl: string): Promise<void> {
  await query(
    databaseUrl,
    "create schema partman",
    "create extension pg_partman schema partman",
    "create schema theirs",
    "create table theirs.inference (at timestamptz not null) partition by range (at)",
    "select partman.create_parent('theirs.inference', 'at', 'native', 'daily', p_premake => 4, p_start_partition => (now() - interval '9 days')::text)",
    "insert into theirs.inference select now() - day * interval '1 day' from generate_series(0, 8) day",
    "update partman.part_config set retention = '3 days', retention_keep_table = false, premake = 20, infinite_time_partitions = true",
  );
}

/** Makes a partition of bodies as Attune made it some days ago; returns its name. */
async function createBodiesOf(databaseUrl: string, daysAgo: number): Promise<string> {
  const from = (Math.floor(Date.now() / DAY_MS) - daysAgo) * DAY_MS;
  const name = `inference_body_${new Date(from).toISOString().slice(0, 10).replaceAll("-", "")}`;
  const bounds = `from ('${firstIdAt(from)}') to ('${firstIdAt(from + DAY_MS)}')`;
  await query(databaseUrl, `create table ${name} partition of inference_body for values ${bounds}`);
  return name;
}

async function besidePartman(): Promise<void> {
  const postgres = await startPostgres({ programs: process.env["POSTGRES_PROGRAMS"] ?? "" });
  const databaseUrl = postgres.createDatabaseUrl();
  const service = await startTestService({ yaml: modelsYaml(upstream.url), databaseUrl });
  await createTheirs(databaseUrl);
  const adopt = "select partman.create_parent('public.inference', 'id', 'native', 'weekly')";
  const refusal = await query(databaseUrl, adopt).then(String, String);
  check("pg_partman refuses to take on Attune's tables, since ids are UUIDs", refusal.includes("type uuid"), refusal);
  const old = await createBodiesOf(databaseUrl, 40);
  const listOurs = () => partitionsOf(databaseUrl, ...PARTITION_PLANS.map(({ table }) => table));
  const listTheirs = () => partitionsOf(databaseUrl, "theirs.inference");
  const newest = (await listOurs()).filter((name) => /^inference_body_\d/.test(name)).at(-1) ?? "";
  await query(databaseUrl, `drop table ${newest}`);
  const [ours, theirs] = [await listOurs(), await listTheirs()];
  const log = { info() {}, warn() {}, error() {} };
  const maintenance = createMaintenance(service.store, { bodiesDays: 7, confirmAbovePercent: 100 }, log);
  const [refused] = await Promise.all([
    call(service),
    maintenance.run(),
    query(databaseUrl, "call partman.run_maintenance_proc()"),
  ]);
  check(`pg_partman: ${CALLS} calls while both maintain`, ...refusedNone(refused));
  const oursAfter = await listOurs();
  const expected = [...ours.filter((name) => name !== old), newest].sort();
  check("Attune drops an old partition and creates one", isSame(oursAfter, expected), { oursAfter, old, newest });
  const theirsAfter = await listTheirs();
  const [gone, come] = [
    theirs.filter((name) => !theirsAfter.includes(name)),
    theirsAfter.filter((name) => !theirs.includes(name)),
  ];
  check("pg_partman drops 6 and creates 16 or more", gone.length === 6 && come.length >= 16, { gone, come });
  await maintenance.close();
  await service.stop();
  await service.close();
  const [rows] = await query(databaseUrl, "select count(*)::int as count from theirs.inference");
  const { Inference, FeedbackEntry } = await countRows(databaseUrl);
  const seen = { Inference, FeedbackEntry, theirs: rows?.["count"] };
  check("all rows of both", isSame(seen, { Inference: CALLS, FeedbackEntry: CALLS, theirs: 4 }), seen);
  await postgres.stop();
}

/** Calls without a pause until told to stop; notes what was answered, how late, and what was not. */
function startCalling({ url, headers }: TestService): { stop(): Promise<Ledger> } {
  const ledger: Ledger = { ids: [], feedback: 0, refused: [], slowestMs: 0 };
  let isOver = false;
  const post = async (path: string, body: unknown) => {
    const begun = performance.now();
    const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - begun);
    if (answer.status !== 200) ledger.refused.push(`${path} ${answer.status} ${text.slice(0, 200)}`);
    return answer.status === 200 ? text : "";
  };
  const loop = async () => {
    for (let turn = 0; !isOver; turn++) {
      const messages = [{ role: "user", content: `call ${turn}` }];
      const text = await post("/v1/chat/completions", { model: "attune/chat-model", stream: turn % 3 === 0, messages });
      const [, id] = /"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
      if (id === undefined) continue;
      ledger.ids.push(id);
      if ((await post("/v1/feedback", [{ id, feedback: { helpful: true } }])) !== "") ledger.feedback += 1;
      await delay(20);
    }
  };
  const over = Promise.all([loop(), loop()]);
  return {
    async stop() {
      isOver = true;
      await over;
      return ledger;
    },
  };
}

async function behindPatroni(): Promise<void> {
  const cluster = await startPatroni(process.env["POSTGRES_PROGRAMS"] ?? "");
  const hosts = cluster.ports.map((port) => `127.0.0.1:${port}`).join(",");
  const databaseUrl = `postgresql://postgres:secret@${hosts}/attune?target_session_attrs=read-write`;
  const service = await startTestService({ yaml: modelsYaml(upstream.url), databaseUrl });
  const calling = startCalling(service);
  await delay(5000);
  const leaders = [await cluster.leader()];
  await cluster.switchOver();
  leaders.push(await cluster.leader());
  await delay(5000);
  await cluster.killLeader();
  leaders.push(await cluster.leader());
  await delay(10_000);
  const ledger = await calling.stop();
  const [first, second, third] = leaders;
  check(
    "patronictl switchover, then a killed leader",
    first !== second && second !== third && first === third,
    leaders,
  );
  check("calls and feedback are answered throughout", ledger.ids.length > 100 && ledger.refused.length === 0, {
    refused: ledger.refused.length,
    first: ledger.refused[0],
  });
  console.error(JSON.stringify({ calls: ledger.ids.length, slowestMs: Math.round(ledger.slowestMs) }));
  await service.stop();
  const rows = await service.store.query().selectFrom("Inference").select("id").execute();
  const kept = new Set(rows.map(({ id }) => String(id)));
  const lost = ledger.ids.filter((id) => !kept.has(id));
  check("no call is lost", lost.length === 0, lost.length);
  const feedback = await service.store.query().selectFrom("FeedbackEntry").select("id").execute();
  check("no feedback is lost or doubled", feedback.length === ledger.feedback, [feedback.length, ledger.feedback]);
  await service.close();
  cluster.stop();
}

const tools: Readonly<Record<string, () => Promise<void>>> = {
  litestream: besideLitestream,
  patroni: behindPatroni,
  pgbouncer: behindPgbouncer,
  "logical-replica": withLogicalReplica,
  partman: besidePartman,
  postgresql: onRelease,
};
await tools[process.argv[2] ?? ""]?.();
await upstream.close();
process.exit(0);
