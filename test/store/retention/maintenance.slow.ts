import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { transact } from "../../../src/store/database/executor.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { ensurePartitions } from "../../../src/store/partitions/ensure-partitions.ts";
import { listPartitions } from "../../../src/store/partitions/list-partitions.ts";
import { listInferences } from "../../../src/store/read/queries/list-inferences.ts";
import { createMaintenance } from "../../../src/store/retention/maintenance.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { attemptRow, feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";
import { shadowRecord } from "../../support/shadow-record.ts";

const DAY_MS = 86_400_000;
/** However much it is: what asks an operator has tests of its own. */
const FOR_EVER = { confirmAbovePercent: 100 };
const body = new Uint8Array([1]);

function daysAgo(days: number, number = days): string {
  return idAt(new Date(Date.now() - days * DAY_MS).toISOString(), number);
}

function quiet() {
  const said: string[] = [];
  const tell = (_facts: object, message: string) => void said.push(message);
  return { said, log: { info: tell, warn: tell, error: tell } };
}

async function idsOf(
  store: Store,
  table: "Inference" | "InferenceAttempt" | "InferenceBody" | "FeedbackEntry",
): Promise<string[]> {
  const rows = await store.query().selectFrom(table).select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
}

describe.each(ENGINES)("createMaintenance() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function filled(ages: readonly number[]): Promise<Store> {
    const store = await openStore(await databases.newMigratedUrl());
    const inferences = ages.map((age) => ({
      row: inferenceRow({ id: daysAgo(age) }),
      attempts: [attemptRow({ id: daysAgo(age) }), attemptRow({ id: daysAgo(age), position: 1 })],
      request: body,
      response: body,
    }));
    const feedback = ages.map((age) => feedbackRow({ id: daysAgo(age), tags: { age: String(age) } }));
    await writeBatch(store, { inferences, feedback });
    return store;
  }

  it("deletes nothing where all is kept for ever", async () => {
    const store = await filled([4000, 1]);
    const result = await createMaintenance(store, FOR_EVER, quiet().log).run();
    expect(result).toMatchObject({ deleted: { inferences: 0, bodies: 0, feedback: 0 }, droppedPartitions: [] });
    expect(await idsOf(store, "Inference")).toEqual([daysAgo(4000), daysAgo(1)].map(sameTime));
    await store.close();
  });

  it("deletes each kind after its own time, and keeps what was counted", async () => {
    const store = await filled([100, 50, 20, 1]);
    const retention = { ...FOR_EVER, inferencesDays: 60, bodiesDays: 30, feedbackDays: 10 };
    const result = await createMaintenance(store, retention, quiet().log).run();
    expect(result).toMatchObject({ deleted: { inferences: 1, bodies: 2, feedback: 3 }, held: [] });
    expect((await idsOf(store, "Inference")).length).toBe(3);
    expect((await idsOf(store, "InferenceAttempt")).length).toBe(6);
    expect((await idsOf(store, "InferenceBody")).length).toBe(2);
    expect((await idsOf(store, "FeedbackEntry")).length).toBe(1);
    expect(await store.query().selectFrom("FeedbackTag").select("value").execute()).toEqual([{ value: "1" }]);
    const days = await store.query().selectFrom("UsageDay").select("calls").execute();
    expect(days).toEqual(Array(4).fill({ calls: 1 }));
    await store.close();
  });

  it("deletes the bodies of inferences that go, however long bodies may stay", async () => {
    const store = await filled([100, 1]);
    await createMaintenance(store, { ...FOR_EVER, inferencesDays: 60, bodiesDays: 1000 }, quiet().log).run();
    expect((await idsOf(store, "InferenceBody")).length).toBe(1);
    await store.close();
  });

  it("deletes shadow trials with their inferences, however long after these they were made", async () => {
    const store = await filled([100, 1]);
    const shadow = createShadowStore(store);
    const reservation = (await shadow.reserve({ budget: "", mostNanos: 1 }, 0)) ?? { day: 0, budget: "", nanos: 0 };
    const [old, young] = [daysAgo(100), daysAgo(1)];
    for (const inferenceId of [old, young]) await shadow.write(shadowRecord({ inferenceId }), reservation);
    await createMaintenance(store, { ...FOR_EVER, inferencesDays: 60 }, quiet().log).run();
    const rows = await store.query().selectFrom("ShadowTrial").select("inferenceId").execute();
    expect(rows).toEqual([{ inferenceId: young }]);
    await store.close();
  });

  it("deletes thousands of rows a few at a time, and lets others write between", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const old = Array.from({ length: 3000 }, (_, index) => feedbackRow({ id: daysAgo(30, index) }));
    await writeBatch(store, { inferences: [], feedback: old });
    const order: string[] = [];
    const running = createMaintenance(store, { ...FOR_EVER, feedbackDays: 10 }, quiet().log).run();
    const deleted = running.then(() => order.push("deleted"));
    await writeBatch(store, { inferences: [], feedback: [feedbackRow()] });
    order.push("written");
    await deleted;
    expect(order).toEqual(["written", "deleted"]);
    expect(await running).toMatchObject({ deleted: { feedback: 3000 } });
    expect((await idsOf(store, "FeedbackEntry")).length).toBe(1);
    await store.close();
  });

  it("runs by itself, says what it did, and stops", async () => {
    const store = await filled([30]);
    const { said, log } = quiet();
    const maintenance = createMaintenance(store, { ...FOR_EVER, feedbackDays: 10 }, log, { firstMs: 5, everyMs: 5 });
    maintenance.start();
    while (said.length === 0) await delay(5);
    await maintenance.close();
    expect(said).toEqual(["database maintenance done"]);
    expect(await idsOf(store, "FeedbackEntry")).toEqual([]);
    await store.close();
  });

  it("logs what fails, and goes on", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const { said, log } = quiet();
    const maintenance = createMaintenance(store, { ...FOR_EVER, feedbackDays: 10 }, log, { firstMs: 1, everyMs: 1 });
    await transact(store, (execute) => execute("drop table feedback_entry", []));
    maintenance.start();
    while (said.length < 2) await delay(5);
    await maintenance.close();
    await store.close();
    expect(new Set(said)).toEqual(new Set(["database maintenance failed; next try in an hour"]));
  });
});

describe("partitions", () => {
  const databases = useDatabases("postgres");
  const [from, to] = [new Date("2025-01-01T00:00:00Z"), new Date("2025-01-15T00:00:00Z")];

  it("are made by one of several that try at once, and strays move into them", async () => {
    const { store } = databases;
    const ids = ["2025-01-01T10:00:00Z", "2025-01-14T10:00:00Z"].map((time, index) => idAt(time, index));
    const inferences = ids.map((id) => ({
      row: inferenceRow({ id }),
      attempts: [attemptRow({ id })],
      request: body,
      response: body,
    }));
    await writeBatch(store, { inferences, feedback: [] });
    const created = await Promise.all([ensurePartitions(store, from, to), ensurePartitions(store, from, to)]);
    const names = created.flat().sort();
    expect(names.filter((name) => /^inference_\d/.test(name))).toEqual([
      "inference_20241230",
      "inference_20250106",
      "inference_20250113",
    ]);
    expect(names.length).toBe(3 + 3 + 3 + 15);
    const count = (table: string) => transact(store, (execute) => execute(`select id from "${table}"`, []));
    expect(await count("inference_default")).toEqual([]);
    expect(await count("inference_body_default")).toEqual([]);
    expect(await count("inference_20250113")).toEqual([{ id: ids[1] }]);
    expect(await count("inference_attempt_default")).toEqual([]);
    expect(await count("inference_attempt_20250113")).toEqual([{ id: ids[1] }]);
    expect(await ensurePartitions(store, from, to)).toEqual([]);
    const orders = await store.query().selectFrom("InferenceBody").select("id").where("id", "in", ids).execute();
    expect(orders.length).toBe(2);
  });

  it("are made whatever the times of rows, none of which is lost, far in the future or in the past", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const days = [-20_000, -400, -1, 0, 1, 8, 29, 400, 4000, 100_000];
    const ids = days.map((age, index) => idAt(new Date(Date.now() + age * DAY_MS).toISOString(), index));
    const write = (from: number, to?: number) =>
      writeBatch(store, {
        inferences: ids
          .slice(from, to)
          .map((id) => ({ row: inferenceRow({ id }), attempts: [attemptRow({ id })], request: body, response: body })),
        feedback: [],
      });
    await write(0, 5);
    const at = (age: number) => new Date(Date.now() + age * DAY_MS);
    for (const age of [0, 400, -400, 0]) await ensurePartitions(store, at(age), at(age + 28));
    await write(5);
    for (const age of [401, 4000, 29]) await ensurePartitions(store, at(age), at(age + 28));
    for (const table of ["Inference", "InferenceAttempt", "InferenceBody"] as const) {
      expect(await idsOf(store, table)).toEqual(ids);
    }
    const pages = await listInferences(store, { projectId: inferenceRow().projectId, limit: 20 });
    expect(pages.rows.map(({ id }) => id)).toEqual([...ids].reverse());
    const result = await createMaintenance(store, { ...FOR_EVER, inferencesDays: 30 }, quiet().log).run();
    expect(result?.held).toEqual([]);
    expect(await idsOf(store, "Inference")).toEqual(ids.slice(2));
    expect(await idsOf(store, "InferenceAttempt")).toEqual(ids.slice(2));
    await store.close();
  });

  it("are dropped once all in them is too old", async () => {
    const store = await openStore(await databases.newMigratedUrl());
    const now = Date.now();
    await ensurePartitions(store, new Date(now - 40 * DAY_MS), new Date(now));
    const ages = [40, 11, 10, 9, 1];
    const inferences = ages.map((age) => ({
      row: inferenceRow({ id: daysAgo(age) }),
      attempts: [attemptRow({ id: daysAgo(age) }), attemptRow({ id: daysAgo(age), position: 1 })],
      request: body,
      response: body,
    }));
    await writeBatch(store, { inferences, feedback: [] });
    const result = await createMaintenance(store, { ...FOR_EVER, bodiesDays: 10 }, quiet().log).run();
    // The day on which the tenth day ends is kept whole.
    expect(result?.droppedPartitions.length).toBe(30);
    expect(result?.deleted.bodies).toBe(0);
    expect(await idsOf(store, "InferenceBody")).toEqual(
      ages.filter((age) => age <= 10).map((age) => sameTime(daysAgo(age))),
    );
    expect((await idsOf(store, "Inference")).length).toBe(ages.length);
    expect((await listPartitions(store, "inference_body")).map(({ name }) => name)).not.toContain(
      result?.droppedPartitions[0],
    );
    await store.close();
  });

  it("are left to another process that is at it", async () => {
    const { store } = databases;
    await transact(store, async (execute) => {
      await execute("select pg_advisory_xact_lock($1)", [7_106_884_215]);
      expect(await createMaintenance(store, FOR_EVER, quiet().log).run()).toBeUndefined();
    });
  });
});

/** Milliseconds pass while a test runs: ids are compared without them. */
function sameTime(id: string): unknown {
  return expect.stringMatching(new RegExp(`^${id.slice(0, 8)}.*${id.slice(-12)}$`));
}
