import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/database/open-store.ts";
import { listInferences } from "../../../src/store/read/queries/list-inferences.ts";
import type { Bucket, TimeRange } from "../../../src/store/read/queries/range.ts";
import { readMeasures } from "../../../src/store/read/queries/read-measures.ts";
import { createMaintenance, type Maintenance } from "../../../src/store/retention/maintenance.ts";
import type { RetentionSettings } from "../../../src/store/retention/plan-retention.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { feedbackRow, idAt, inferenceRow } from "../../support/rows.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STEPS = [
  ["-1 h", -HOUR_MS],
  ["+1 s", 1000],
  ["+1 d", DAY_MS],
  ["+400 d", 400 * DAY_MS],
] as const;

/** Clocks of a process that a test sets. */
function testClocks() {
  const clocks = {
    stepMs: 0,
    passedMs: 0,
    now: () => Date.now() + clocks.passedMs + clocks.stepMs,
    monotonic: () => performance.now() + clocks.passedMs,
  };
  return clocks;
}

function daysAgo(days: number, number = 0): string {
  return idAt(new Date(Date.now() - days * DAY_MS).toISOString(), number);
}

/** Writes an inference with its body, and feedback on it, for each age in days. */
async function write(store: Store, ages: readonly number[]): Promise<void> {
  const body = new Uint8Array([1]);
  const ids = ages.map((age, index) => daysAgo(age, index));
  await writeBatch(store, {
    inferences: ids.map((id) => ({
      row: inferenceRow({ id, endUserId: "ann" }),
      attempts: [],
      request: body,
      response: body,
    })),
    feedback: ids.map((id) => feedbackRow({ id, inferenceId: id })),
  });
}

async function countOf(store: Store) {
  const count = async (table: "Inference" | "InferenceBody" | "FeedbackEntry") =>
    (await store.query().selectFrom(table).select("id").execute()).length;
  return [await count("Inference"), await count("InferenceBody"), await count("FeedbackEntry")];
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const all = (days: number): RetentionSettings => ({ inferencesDays: days, bodiesDays: days, feedbackDays: days });

describe.each(ENGINES)("retention on %s", (engine) => {
  const databases = useDatabases(engine);

  async function opened(ages: readonly number[] = []): Promise<Store> {
    const store = await openStore(await databases.newMigratedUrl());
    await write(store, ages);
    return store;
  }

  function maintain(store: Store, settings: RetentionSettings, clocks = testClocks()) {
    const said: string[] = [];
    const tell = (_facts: object, message: string) => void said.push(message);
    const maintenance: Maintenance = createMaintenance(
      store,
      settings,
      { info: tell, warn: tell, error: tell },
      { clocks },
    );
    return { maintenance, said };
  }

  it("asks before it deletes much, says how to answer, and deletes once it was confirmed", async () => {
    const store = await opened(range(1, 40));
    const { maintenance, said } = maintain(store, { feedbackDays: 10 });
    const result = await maintenance.run();
    expect(result).toMatchObject({ deleted: { feedback: 0 }, held: [{ kind: "feedback", reason: "share" }] });
    expect(maintenance.held()).toMatchObject([{ kind: "feedback", expired: 31 }]);
    expect(said).toEqual([
      expect.stringMatching(
        /^31 feedback entries \(78 % of all\) from before 20.*Z are not deleted: that is more than a run deletes by itself; 'attune retention' shows what waits, 'attune retention --yes' deletes it$/,
      ),
    ]);
    await maintenance.run();
    expect(await countOf(store)).toEqual([40, 40, 40]);
    // Another process, as a command is one.
    await maintain(store, { feedbackDays: 10 }).maintenance.confirm();
    expect(await maintenance.run()).toMatchObject({ deleted: { feedback: 31 }, held: [] });
    expect(maintenance.held()).toEqual([]);
    expect(await countOf(store)).toEqual([40, 40, 9]);
    await store.close();
  });

  it("deletes what grew too old since its last run, also where that is all there is", async () => {
    const store = await opened();
    const { maintenance } = maintain(store, all(30));
    expect(await maintenance.run()).toMatchObject({ held: [] });
    await write(store, [50, 50.1, 50.2]);
    expect(await maintenance.run()).toMatchObject({ held: [] });
    expect(await countOf(store)).toEqual([0, 0, 0]);
    await store.close();
  });

  it.runIf(engine === "sqlite")("asks where all there is would go by a clock that is a week ahead", async () => {
    const store = await opened();
    await maintain(store, all(30)).maintenance.run();
    await write(store, range(24, 29));
    const clocks = testClocks();
    clocks.stepMs = 7 * DAY_MS;
    expect((await maintain(store, all(30), clocks).maintenance.run())?.held).toHaveLength(3);
    expect(await countOf(store)).toEqual([6, 6, 6]);
    await store.close();
  });

  it("goes on by itself after some weeks off", async () => {
    const store = await opened(range(22, 111));
    const { maintenance } = maintain(store, all(90));
    expect(await maintenance.run()).toMatchObject({ held: [], deleted: { feedback: 22 } });
    await store.close();
  });

  it("keeps to the longer time from before while a shorter one waits", async () => {
    const store = await opened();
    await maintain(store, all(30)).maintenance.run();
    await write(store, [45, 21, 20, 19, 18, 1]);
    const { maintenance } = maintain(store, all(7));
    const result = await maintenance.run();
    expect(result?.held.map(({ kind }) => kind)).toEqual(["bodies", "inferences", "feedback"]);
    expect(await countOf(store)).toEqual([5, 5, 5]);
    await maintenance.run();
    expect(await countOf(store)).toEqual([5, 5, 5]);
    await maintenance.confirm();
    expect(await maintenance.run()).toMatchObject({ held: [] });
    expect(await countOf(store)).toEqual([1, 1, 1]);
    await store.close();
  });

  it("deletes the bodies of inferences that go while more bodies wait", async () => {
    const store = await opened();
    await maintain(store, all(60)).maintenance.run();
    await write(store, [80, 20, 20.1, 20.2, 20.3, 1]);
    const { maintenance } = maintain(store, { inferencesDays: 60, bodiesDays: 2 });
    expect((await maintenance.run())?.held.map(({ kind }) => kind)).toEqual(["bodies"]);
    expect(await countOf(store)).toEqual([5, 5, 6]);
    await store.close();
  });

  it("waits where a clock is weeks ahead of all that the database knows, however little would go", async () => {
    const store = await opened([...range(80, 100), 199]);
    const { maintenance } = maintain(store, all(150));
    expect((await maintenance.run())?.held).toMatchObject([
      { kind: "bodies", reason: "clock" },
      { kind: "inferences", reason: "clock" },
      { kind: "feedback", reason: "clock", expired: 1 },
    ]);
    await write(store, [0]);
    expect((await maintenance.run())?.held).toHaveLength(3);
    expect(await countOf(store)).toEqual([23, 23, 23]);
    await maintenance.confirm();
    await maintenance.run();
    expect(await countOf(store)).toEqual([22, 22, 22]);
    await store.close();
  });

  describe.each(STEPS)("with a clock that is wrong by %s", (_, stepMs) => {
    it("deletes nothing too early: at the start, while it runs, and once the clock is right again", async () => {
      const store = await opened([0, ...range(1, 28), 29.9]);
      // What is deleted by the day more, a clock that has only itself to ask cannot know at the start.
      const left = engine === "sqlite" && stepMs === DAY_MS ? 29 : 30;
      const clocks = testClocks();
      clocks.stepMs = stepMs;
      const started = maintain(store, all(30), clocks).maintenance;
      await started.run();
      expect(await countOf(store)).toEqual([left, left, left]);
      clocks.stepMs = 0;
      await started.run();
      const { maintenance } = maintain(store, all(30), clocks);
      for (clocks.stepMs of [0, stepMs, stepMs, 0]) {
        expect(await maintenance.run()).toMatchObject({ held: [] });
        clocks.passedMs += 1000;
      }
      expect(await countOf(store)).toEqual([left, left, left]);
      await store.close();
    });
  });

  it("holds figures back like all else, and keeps days where hours go", async () => {
    const store = await opened(range(1, 60));
    // Figures go by whole weeks: on each day of one these are more than a quarter of all.
    const { maintenance } = maintain(store, { hoursDays: 20, figuresDays: 30 });
    const held = (await maintenance.run())?.held.map(({ kind }) => kind);
    expect(held).toEqual(["hours", "figures"]);
    await maintenance.confirm();
    const result = await maintenance.run();
    expect(result?.deleted.hours).toBeGreaterThanOrEqual(2 * 39);
    const hours = await store.query().selectFrom("UsageHour").select("calls").execute();
    const days = await store.query().selectFrom("UsageDay").select("calls").execute();
    expect([hours.length, days.length]).toEqual([20, expect.toSatisfy((n) => n >= 30 && n <= 36)]);
    const facts = await store.query().selectFrom("UsageFactDay").select("calls").execute();
    expect(facts.length).toBe(days.length);
    expect((await store.query().selectFrom("FeedbackHour").select("entries").execute()).length).toBe(20);
    await store.close();
  });

  it("adds up and lists by days what has no hours any more", async () => {
    const store = await opened([...range(1, 60), 20.5]);
    const { maintenance } = maintain(store, { hoursDays: 20, confirmAbovePercent: 100 });
    const { projectId, model } = inferenceRow();
    const whole = { from: new Date(Date.now() - 90 * DAY_MS), to: new Date() };
    const past = { from: new Date(Date.now() - 41 * DAY_MS), to: new Date(Date.now() - 30 * DAY_MS) };
    const sums = async (time: TimeRange, bucket: Bucket) => {
      const usage = await readMeasures(store, { projectId, range: time, bucket, by: [], measures: ["calls"] });
      return usage.reduce((sum, { values }) => sum + values.calls, 0);
    };
    const list = async (from?: Date) => {
      const query = { projectId, limit: 100, filter: { model }, ...(from === undefined ? {} : { from }) };
      return (await listInferences(store, query)).rows.map(({ id }) => id);
    };
    const listed = [await list(), await list(past.from)];
    await maintenance.run();
    expect(await countHours(store)).toBeLessThan(25);
    for (const bucket of ["hour", "day", "week", "none"] as const) expect(await sums(whole, bucket)).toBe(61);
    // Whole days, as far as the range touches them.
    expect(await sums(past, "hour")).toBe(await sums({ from: dayOf(past.from), to: dayOf(past.to, 1) }, "day"));
    expect([await list(), await list(past.from)]).toEqual(listed);
    expect(listed[0]).toHaveLength(61);
    await store.close();
  });
});

async function countHours(store: Store): Promise<number> {
  return (await store.query().selectFrom("UsageHour").select("calls").execute()).length;
}

function dayOf(time: Date, later = 0): Date {
  return new Date((Math.floor(time.getTime() / DAY_MS) + later) * DAY_MS);
}
