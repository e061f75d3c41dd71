import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Agent } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { idTimeMs, MOST_AHEAD_MS } from "../../src/lib/ids.ts";
import { createDashboardStore } from "../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../src/store/entities/project.ts";
import { listInferences } from "../../src/store/read/queries/list-inferences.ts";
import { readMeasures } from "../../src/store/read/queries/read-measures.ts";
import type { Store } from "../../src/store/types/store.ts";
import { writeBatch } from "../../src/store/write/recorder/write-batch.ts";
import { Caller, PASSWORD } from "../dashboard/caller.ts";
import { signedIn } from "../dashboard/people.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../support/rows.ts";
import { type CliFolder, createCliFolder } from "../support/run-cli.ts";
import { ask, createLedger, giveFeedback } from "./load.ts";
import { compare } from "./parity.ts";
import { report } from "./report.ts";
import { type Served, startServed } from "./served.ts";

const DAY_MS = 86_400_000;
const STEPS = [
  ["-1 h", -3_600_000],
  ["+1 s", 1000],
  ["+1 d", DAY_MS],
  ["+400 d", 400 * DAY_MS],
] as const;
const KEY = "a-bootstrap-key-for-chaos";
const KEPT_DAYS = 30;
/** Ages in days of what was recorded before. */
const AGES = [...Array.from({ length: 28 }, (_, index) => index + 1), 29.9];
const CALLS = 20;

// Nothing here is timed: both engines at once take half as long.
describe.concurrent.each(ENGINES)("a clock that is set on %s", (engine) => {
  const databases = useDatabases(engine);
  let folder: CliFolder;
  const agent = new Agent();

  beforeAll(() => {
    folder = createCliFolder();
    const days = `inferencesDays: ${KEPT_DAYS}, bodiesDays: ${KEPT_DAYS}, feedbackDays: ${KEPT_DAYS}`;
    writeFileSync(join(folder.path, "attune.yaml"), `retention: { ${days} }\n`);
  });

  afterAll(async () => {
    await agent.close();
    await folder.remove();
  });

  function setClock(shiftMs: number): void {
    const file = join(folder.path, "clock");
    writeFileSync(`${file}.new`, String(shiftMs));
    renameSync(`${file}.new`, file);
  }

  /** Calls, and gives feedback on each answer at once, for as long as it takes for the clock to be seen. */
  async function callUnder(shiftMs: number, served: Served, ledger = createLedger()): Promise<void> {
    setClock(shiftMs);
    const target = { url: served.url, key: KEY, agent };
    // What is read of the file is up to 20 ms old.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let call = 0; call < CALLS; call += 1) {
      const askedMs = Date.now();
      const id = await ask(target);
      const madeMs = (idTimeMs(id) ?? 0) - shiftMs;
      expect(madeMs).toBeGreaterThanOrEqual(askedMs);
      expect(madeMs).toBeLessThanOrEqual(Date.now() + MOST_AHEAD_MS);
      ledger.inferences.push(id);
      ledger.feedback.push(...(await giveFeedback(id, target)));
    }
  }

  it.each(STEPS)(
    "by %s, at the start and while it serves: all is recorded, found and kept",
    { concurrent: false },
    async (step, shiftMs) => {
      const url = databases.newUrl();
      const store = await openStore(url);
      await fill(store);
      const dashboard = createDashboardStore(store);
      setClock(shiftMs);
      const served = await startServed(folder, {
        ATTUNE_DATABASE_URL: url,
        ATTUNE_BOOTSTRAP_KEY: KEY,
        TEST_CLOCK_FILE: join(folder.path, "clock"),
        NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, "..", "support", "shifted-clock.ts"))}`,
      });
      const before = await signedIn({ url: served.url, store, dashboard });
      const person = await signedIn({ url: served.url, store, dashboard });
      const ledger = createLedger();
      await callUnder(shiftMs, served, ledger);
      // Someone else's sign-in under the wrong clock.
      const caller = new Caller(served.url);
      expect((await caller.mutate("session.signIn", { email: person.email, password: PASSWORD })).status).toBe(200);
      expect((await caller.query("session.list")).status).toBe(200);
      const waiting = await retentionHasRun(store, served);
      for (const shift of [0, shiftMs, 0, shiftMs, 0]) await callUnder(shift, served, ledger);
      expect((await before.caller.query("session.list")).status).toBe(200);
      expect(
        (await new Caller(served.url).mutate("session.signIn", { email: person.email, password: PASSWORD })).status,
      ).toBe(200);
      expect(await served.end()).toBe(0);

      const parity = await compare(url, ledger);
      const kept = parity.inferences - ledger.inferences.length;
      report(
        `${step} on ${engine}: ${ledger.inferences.length} inferences and ${ledger.feedback.length} feedback entries, ` +
          `${parity.lostInferences} and ${parity.lostFeedback} lost, rollups ${parity.rollupSurplus} off, ` +
          `${kept} of ${AGES.length} older ones kept, waiting for confirmation: ${waiting.join(", ") || "nothing"}`,
      );
      // By a day more the eldest is too old, and a clock that has only itself to ask cannot know better at the start.
      const gone = engine === "sqlite" && shiftMs === DAY_MS ? 1 : 0;
      expect(parity).toMatchObject({
        lostInferences: 0,
        lostFeedback: 0,
        rollupSurplus: gone,
        unacknowledged: AGES.length - gone,
      });
      expect(waiting).toEqual(
        engine === "sqlite" && shiftMs > DAY_MS ? ["bodies", "feedback", "hours", "inferences"] : [],
      );
      await checkLists(store, ledger.inferences, kept);
      await store.close();
    },
  );
});

/** Records one inference, with body and feedback, for each age. */
async function fill(store: Store): Promise<void> {
  const body = new Uint8Array([1]);
  const ids = AGES.map((age, index) => idAt(new Date(Date.now() - age * DAY_MS).toISOString(), index));
  await writeBatch(store, {
    inferences: ids.map((id) => ({
      row: inferenceRow({ id, workload: "earlier" }),
      attempts: [],
      request: body,
      response: body,
    })),
    feedback: ids.map((id) => feedbackRow({ id, inferenceId: id })),
  });
}

/** Waits for the first run of retention; returns what it holds back. */
async function retentionHasRun(store: Store, served: Served): Promise<string[]> {
  const kindsWaiting = async () => {
    const page = await (await fetch(`${served.adminUrl}/metrics`)).text();
    return [...page.matchAll(/^attune_retention_waiting\{kind="(\w+)"\}/gm)].map(([, kind]) => kind ?? "").sort();
  };
  const marks = async () => (await store.query().selectFrom("RetentionMark").select("kind").execute()).length;
  await vi.waitUntil(async () => (await marks()) >= 4 || (await kindsWaiting()).length > 0, {
    timeout: 120_000,
    interval: 200,
  });
  return await kindsWaiting();
}

/** Every row is listed once, in the order of the ids, whole and filtered; charts of all time add up to them. */
async function checkLists(store: Store, ids: readonly string[], earlier: number): Promise<void> {
  const { id: projectId } = DEFAULT_PROJECT;
  const readAll = async (workload?: string) => {
    const listed: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const filter = workload === undefined ? {} : { workload };
      const page = await listInferences(store, { projectId, limit: 7, cursor, filter });
      listed.push(...page.rows.map(({ id }) => id));
      cursor = page.next;
      if (cursor === undefined) return listed;
    }
  };
  const all = await readAll();
  expect(all).toEqual([...new Set(all)].sort().reverse());
  expect(all).toHaveLength(ids.length + earlier);
  expect(await readAll("")).toEqual([...ids].sort().reverse());
  const range = { from: new Date(Date.now() - 500 * DAY_MS), to: new Date(Date.now() + 500 * DAY_MS) };
  for (const bucket of ["hour", "day", "week", "none"] as const) {
    const usage = await readMeasures(store, { projectId, range, bucket, by: [], measures: ["calls"] });
    expect(usage.reduce((sum, { values }) => sum + values.calls, 0)).toBe(ids.length + AGES.length);
  }
}
