import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { readWorkload, readWorkloadHistory } from "../../src/store/learning/workload-reads.ts";
import { createLedger } from "../chaos/load.ts";
import { compare } from "../chaos/parity.ts";
import { report } from "../chaos/report.ts";
import { type Served, startServed } from "../chaos/served.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { listFixtures } from "../support/schema-fixture/read-fixture.ts";
import { testBundle, testedProgram } from "../support/tested-program.ts";
import { waitUntil } from "../support/wait.ts";
import { type Balancer, createBalancer } from "./balancer.ts";
import { PROJECT } from "./built-release.ts";
import { startMixedLoad } from "./mixed-load.ts";
import { buildVersion, findPreviousRef, type PreviousVersion } from "./previous-version.ts";
import { Spender } from "./spender.ts";

const KEY = "a-bootstrap-key-for-releases";
const CALLERS = 4;
const REPLICAS = 2;
/** How long each mixture of versions serves. */
const TOGETHER_MS = 5000;
/** One budget that is never reached, and one of each end user, which two of them spend. */
const AMPLE_USD = 1000;
const SCANT_USD = 0.05;
const NANOS = 1e9;
/** Callers at a time who spend one budget as fast as they can. */
const SPENDERS = 4;
const YAML = `
server: { drainMs: 5000 }
dashboard: { enabled: false }
quotas:
  installation: { usdTotal: ${AMPLE_USD} }
  eachEndUser: { usdTotal: ${SCANT_USD} }
  # The bound holds while the database answers, and a busy machine keeps it from that for seconds.
  whenDatabaseAway: refuse
`;

const PAUSE_MS = 200;
/** On a machine that does much else; a quiet one takes a minute and a half. */
const LIMIT_MS = 900_000;

const isQuiet = (): boolean => (loadavg()[0] ?? 0) < availableParallelism();

const ref = findPreviousRef();
const named = ref ?? "no tag that this version comes from: name a commit in ATTUNE_PREVIOUS";

it("has the schema of this version as a fixture", () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as { version: string };
  expect(listFixtures(), "npm run release:schema writes it").toContain(version);
});

describe.skipIf(ref === undefined)(`an upgrade from ${named}, and back, on one PostgreSQL`, () => {
  let postgres: PostgresServer;
  let previous: PreviousVersion;
  let databaseUrl: string;
  let balancer: Balancer;
  const folders: CliFolder[] = [];

  beforeAll(async () => {
    testBundle();
    previous = await buildVersion(ref ?? "");
    postgres = await startPostgres();
    databaseUrl = postgres.createDatabaseUrl();
    balancer = createBalancer();
  });
  afterAll(async () => {
    for (const folder of folders) await folder.remove();
    await balancer?.close();
    await postgres?.stop();
    previous?.remove();
  });

  /** Starts a replica with a spool of its own, and gives it calls. */
  async function start(program: string): Promise<Served> {
    const folder = createCliFolder(program);
    folders.push(folder);
    writeFileSync(join(folder.path, "attune.yaml"), YAML);
    const served = await startServed(folder, { ATTUNE_DATABASE_URL: databaseUrl, ATTUNE_BOOTSTRAP_KEY: KEY });
    await balancer.add(served.url);
    return served;
  }

  /** Ends a replica as a platform does, which must leave nothing behind. */
  async function end(served: Served): Promise<void> {
    expect(await served.end()).toBe(0);
    balancer.remove(served.url);
    // A machine that does much else keeps the database from answering now and then, which harms nothing.
    const lines = served.cli.complained().split("\n");
    expect(lines.filter((line) => line !== "" && !line.includes("DatabaseTimeoutError"))).toEqual([]);
  }

  /** Replaces all replicas by those of another version, one after another. */
  async function roll(replicas: Served[], program: string): Promise<void> {
    for (let replaced = 0; replaced < REPLICAS; replaced++) {
      replicas.push(await start(program));
      await delay(TOGETHER_MS);
      const [oldest] = replicas.splice(0, 1);
      if (oldest !== undefined) await end(oldest);
    }
  }

  it("fails no request, loses no record and keeps budgets, and learning goes on", { timeout: LIMIT_MS }, async () => {
    const replicas: Served[] = [];
    while (replicas.length < REPLICAS) replicas.push(await start(previous.program));
    const ledger = createLedger();
    const load = startMixedLoad({ key: KEY, ledger, callers: CALLERS, next: () => balancer.next() });
    const agent = new Agent({ connections: 2 * SPENDERS });
    const spenderOf = (user: string) => new Spender({ key: KEY, agent, ledger, user, next: () => balancer.next() });
    const [early, late] = [spenderOf("early"), spenderOf("late")];
    await spendAll(early);
    const before = { answers: early.answers, refusals: early.refusals };
    let isOver = false;
    // One goes on asking for what is spent, the other one spends while versions take turns.
    const spending = [early.spend(() => isOver, PAUSE_MS), late.spend(() => isOver, PAUSE_MS)];
    await delay(TOGETHER_MS);
    const counts = [ledger.sent];
    // The schema goes ahead while the former version serves: expand.
    const folder = createCliFolder(testedProgram());
    folders.push(folder);
    const migrated = await folder.run(["migrate"], { ATTUNE_DATABASE_URL: databaseUrl });
    expect([migrated.status, migrated.stderr]).toEqual([0, ""]);
    await delay(TOGETHER_MS);
    for (const program of [testedProgram(), previous.program]) {
      await roll(replicas, program);
      counts.push(ledger.sent);
    }
    await load.stop();
    isOver = true;
    await Promise.all(spending);
    const spentLate = late.answers;
    await spendAll(late);
    await agent.destroy();
    const isLearned = async () => {
      await delay(500);
      const { requests, decided } = await readLearned();
      return requests >= decided && requests > 0;
    };
    await waitUntil(isLearned).catch(() => {});
    for (const served of replicas) await end(served);
    const parity = await compare(databaseUrl, ledger);
    const { requests, decided, beginnings } = await readLearned();
    const money = await readMoney();
    report(
      `of budgets of ${SCANT_USD} USD ${money.early} were spent, all but ${early.answers - before.answers} calls before the ` +
        `upgrade, and ${early.refusals - before.refusals} were refused since; ` +
        `of another one ${money.late}, by ${spentLate} calls while versions took turns and ${late.answers - spentLate} after; ` +
        `of the installation's ${AMPLE_USD} USD ${money.leased} count, and ${money.all} were spent`,
    );
    report(
      `${previous.ref} to this version and back: ${ledger.sent} requests (${counts.join(", ")} by the step), ` +
        `${load.retried()} answered 503 and made again, ${ledger.failures.length} failed; ` +
        `${parity.inferences} inferences and ${parity.feedback} entries of feedback, ` +
        `${parity.lostInferences} and ${parity.lostFeedback} lost; ` +
        `${decided} decided on, ${requests} of these learned from, begun ${beginnings} times`,
    );
    expect([...new Set(ledger.failures)]).toEqual([]);
    // A process that has no processor for a second does not answer others, and callers are asked to come again.
    if (isQuiet()) expect(load.retried()).toBe(0);
    expect(parity).toMatchObject({ lostInferences: 0, lostFeedback: 0, unacknowledged: 0, rollupSurplus: 0 });
    expect(ledger.inferences.length).toBeGreaterThan(100);
    expect(beginnings).toBe(1);
    expect(requests).toBe(decided);
    // A process that begins reads what was learned while base answers its first requests, on which nothing is decided.
    expect(parity.inferences - decided).toBeLessThanOrEqual((CALLERS + SPENDERS) * folders.length);
    // Whichever version serves, no more goes beyond than calls in flight may take.
    expect(spentLate).toBeGreaterThan(0);
    for (const spent of [money.early, money.late]) {
      expect(spent).toBeLessThanOrEqual(SCANT_USD + SPENDERS * money.dearest);
      expect(spent).toBeGreaterThan(0.9 * SCANT_USD);
    }
    // All gave back what they had leased and not spent.
    expect(money.leased).toBeCloseTo(money.all, 6);
  });

  /** Resolves once the budget of an end user is spent. */
  async function spendAll(spender: Spender): Promise<void> {
    await Promise.all(Array.from({ length: SPENDERS }, () => spender.spend(() => spender.isSpent)));
  }

  /** The USD that were spent, and those that count of the budget of the installation. */
  async function readMoney(): Promise<Readonly<Record<"early" | "late" | "dearest" | "all" | "leased", number>>> {
    const store = await openStore(databaseUrl, { migrate: false });
    const calls = store.query().selectFrom("Inference");
    const sums = calls.select(({ fn }) => fn.sum("costNanos").as("nanos"));
    const usd = async (figure: { executeTakeFirstOrThrow(): Promise<{ nanos: unknown }> }) =>
      Number((await figure.executeTakeFirstOrThrow()).nanos ?? 0) / NANOS;
    const windows = await store.query().selectFrom("QuotaWindow").selectAll().execute();
    const ofAll = windows.filter(({ name }) => name.includes("installation"));
    const money = {
      early: await usd(sums.where("endUserId", "=", "early")),
      late: await usd(sums.where("endUserId", "=", "late")),
      dearest: await usd(calls.select(({ fn }) => fn.max("costNanos").as("nanos")).where("endUserId", "is not", null)),
      all: await usd(sums),
      leased: ofAll.reduce((sum, { leased }) => sum + Number(leased), 0) / NANOS,
    };
    await store.close();
    return money;
  }

  /** The requests of a workload that were decided on, and how many of them were learned from. */
  async function readLearned(): Promise<{ requests: number; decided: number; beginnings: number }> {
    const store = await openStore(databaseUrl, { migrate: false });
    const workload = { projectId: DEFAULT_PROJECT.id, model: "gpt-6-astra" };
    const { policy } = (await readWorkload(store, workload))?.learned ?? {};
    const history = await readWorkloadHistory(store, workload, 100);
    const named = store.query().selectFrom("Inference").where("family", "<>", "");
    const { decided } = await named.select((count) => count.fn.countAll().as("decided")).executeTakeFirstOrThrow();
    await store.close();
    const requests = (policy?.byFamily.requests ?? []).reduce((all, one) => all + one, 0);
    return { requests, decided: Number(decided), beginnings: history.filter(({ kind }) => kind === "begun").length };
  }
});
