import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/database/open-store.ts";
import type { Engine } from "../../src/store/types/store.ts";
import { childrenOf } from "../support/children.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { type PostgresServer, startPostgres } from "../support/postgres.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { endLeasesOfDead } from "./end-leases.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

/** Runs on each engine: 20 by hand, one where the whole suite runs. */
const RUNS = Number(process.env["BUDGET_RUNS"] ?? 1);
const CALLERS = 200;
const KEY = "a-bootstrap-key-for-chaos";
/** At 1 USD for a thousand tokens of an answer of at most 20. */
const MAX_TOKENS = 20;
const BUDGET_USD = 20;
const NANOS = 1e9;
/** Refusals in a row, their distance, and their time, after which a caller believes that the budget is spent. */
const ENOUGH = 5;
const REFUSED_MS = 300;
const ENOUGH_MS = 1500;
/** How long the database is away: 30 s by hand, less where the whole suite runs. */
const OUTAGE_MS = Number(process.env["BUDGET_OUTAGE_MS"] ?? 10_000);

const YAML = `
quotas:
  installation: { usdTotal: ${BUDGET_USD} }
  whenDatabaseAway: refuse
models:
  - name: m
    family: chat
    contextWindow: 10000
    maxOutputTokens: 1000
    price: { input: 1, output: 1000 }
    deployments: [{ upstream: sandbox, model: m }]
    candidates: { max: 2 }
`;

/** What callers were told. */
interface Told {
  answers: number;
  refusals: number;
  readonly surprises: string[];
}

const folders: CliFolder[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.remove();
});

async function start(url: string, workers: "1" | "2", folder = createCliFolder()): Promise<Served> {
  folders.push(folder);
  writeFileSync(join(folder.path, "attune.yaml"), YAML);
  const environment = { ATTUNE_DATABASE_URL: url, ATTUNE_BOOTSTRAP_KEY: KEY, ATTUNE_WORKERS: workers };
  return await startServed(folder, environment);
}

/** Starts services on one database, one after another: to start takes a core for some seconds. */
async function startAll(url: string, count: number, workers: "1" | "2"): Promise<readonly Served[]> {
  const served: Served[] = [];
  while (served.length < count) served.push(await start(url, workers));
  return served;
}

describe.each(ENGINES)("a budget of %s", (engine) => {
  const databases = useDatabases(engine);
  const workers = engine === "sqlite" ? "2" : "1";

  it(`is kept by several processes, one of which is killed, in ${RUNS} of ${RUNS} runs`, {
    timeout: 600_000 * RUNS,
  }, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const url = databases.newUrl();
      const served = await startAll(url, engine === "sqlite" ? 1 : 4, workers);
      const told: Told = { answers: 0, refusals: 0, surprises: [] };
      const urls = served.map((one) => one.url);
      const calling = callAll(urls, { told, enoughMs: ENOUGH_MS });
      while (told.answers < 200) await delay(5);
      await killOne(engine, served);
      await calling;
      const answersBefore = told.answers;
      await endLeasesOfDead(url);
      await callAll(urls, { told, enoughMs: ENOUGH_MS });
      // What a killed process has recorded is in its spool.
      const last = engine === "postgres" ? await start(url, workers, folders.at(-1)) : undefined;
      for (const one of [...served.slice(0, Math.max(1, served.length - 1)), last]) await one?.end();
      const spent = await spentNanos(url);
      report(
        `${engine}: ${told.answers} answers, of which ${told.answers - answersBefore} of the killed one's lease, ` +
          `${told.refusals} refusals, ${spent / NANOS} of ${BUDGET_USD} USD`,
      );
      for (const surprise of new Set(told.surprises)) report(`${engine}: ${surprise}`);
      // A call reserves its bound: what it takes beyond that are the tokens of its prompt, by another count.
      expect(spent).toBeLessThanOrEqual(BUDGET_USD * NANOS + CALLERS * 100 * 1000);
      // Lost to the one that was killed: what its calls had reserved, and as much as it might have taken in a second. A
      // hundred callers whose candidates are two reserve 4 USD, and may do so in the second that it dies in.
      expect(spent).toBeGreaterThan(0.6 * BUDGET_USD * NANOS);
    }
  });
});

describe("a budget of a database that goes away under fire", () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres.stop();
  });

  it(`is kept, and spent once the database is back after ${OUTAGE_MS / 1000} s`, {
    timeout: 3 * OUTAGE_MS + 600_000,
  }, async () => {
    const url = postgres.createDatabaseUrl();
    const served = await startAll(url, 4, "1");
    const told: Told = { answers: 0, refusals: 0, surprises: [] };
    const calling = callAll(
      served.map((one) => one.url),
      { told, enoughMs: ENOUGH_MS + 2 * OUTAGE_MS },
    );
    while (told.answers < 200) await delay(5);
    await postgres.stopServer();
    const [answersBefore] = [told.answers];
    await delay(OUTAGE_MS);
    const meanwhile = told.answers - answersBefore;
    await postgres.startServer();
    await calling;
    for (const one of served) await one.end();
    const spent = await spentNanos(url);
    report(`database away: ${told.answers} answers, ${meanwhile} meanwhile, ${spent / NANOS} of ${BUDGET_USD} USD`);
    for (const surprise of new Set(told.surprises)) report(`database away: ${surprise}`);
    expect(spent).toBeLessThanOrEqual(BUDGET_USD * NANOS + CALLERS * 100 * 1000);
    expect(spent).toBeGreaterThan(0.9 * BUDGET_USD * NANOS);
  });
});

async function killOne(engine: Engine, served: readonly Served[]): Promise<void> {
  if (engine === "postgres") return await served.at(-1)?.kill();
  const [worker = 0] = childrenOf(served[0]?.cli.process.pid ?? 0);
  process.kill(worker, "SIGKILL");
}

/** Resolves once all callers have found the budget spent. */
async function callAll(
  urls: readonly string[],
  { told, enoughMs }: { readonly told: Told; readonly enoughMs: number },
): Promise<void> {
  const agent = new Agent({ connections: CALLERS });
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const url = urls[caller % urls.length] ?? "";
    let [inRow, since] = [0, performance.now()];
    for (let turn = 0; inRow < ENOUGH || performance.now() - since < enoughMs; turn += 1) {
      const outcome = await callOnce(url, { agent, kind: (caller + turn) % 4, told });
      if (outcome === "answered") [inRow, since] = [0, performance.now()];
      if (outcome === "refused") inRow += 1;
      if (outcome !== "answered") await delay(REFUSED_MS);
    }
  });
  await Promise.all(callers);
  await agent.destroy();
}

/** Asks for streams, whole answers and the best of two, and leaves some. */
async function callOnce(
  url: string,
  { agent, kind, told }: { readonly agent: Agent; readonly kind: number; readonly told: Told },
): Promise<"answered" | "refused" | "left"> {
  const leaving = kind === 3 ? AbortSignal.timeout(Math.ceil(Math.random() * 20)) : undefined;
  try {
    const { statusCode, body } = await request(`${url}/v1/chat/completions`, {
      method: "POST",
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${KEY}`,
        "content-type": "application/json",
        ...(kind === 2 && { "attune-candidates": "2" }),
      },
      body: JSON.stringify({
        model: "attune/m",
        max_tokens: MAX_TOKENS,
        stream: kind === 1,
        messages: [{ role: "user", content: "Spend it" }],
      }),
      ...(leaving && { signal: leaving }),
    });
    const text = await body.text();
    if (statusCode === 200) told.answers += 1;
    else if (statusCode === 429) told.refusals += 1;
    else told.surprises.push(`${statusCode}: ${text.slice(0, 200)}`);
    return statusCode === 200 ? "answered" : "refused";
  } catch {
    // A process that is gone gives nobody anything any more.
    return leaving?.aborted === true ? "left" : "refused";
  }
}

async function spentNanos(url: string): Promise<number> {
  const store = await openStore(url);
  try {
    const rows = await store.query().selectFrom("Inference").select("costNanos").execute();
    return rows.reduce((sum, { costNanos }) => sum + Number(costNanos ?? 0), 0);
  } finally {
    await store.close();
  }
}
