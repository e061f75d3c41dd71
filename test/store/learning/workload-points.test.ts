import { describe, expect, it } from "vitest";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { newId } from "../../../src/lib/ids.ts";
import { readControls, setControls } from "../../../src/store/learning/control-store.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { readWorkloadPoints } from "../../../src/store/learning/workload-points.ts";
import { readWorkloadHistory } from "../../../src/store/learning/workload-reads.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { MODELS, said, served, write } from "./fill.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

describe.each(ENGINES)("the course of a workload on %s", (engine) => {
  const databases = useDatabases(engine);

  /** A learner with a clock that can be put on. */
  function begin() {
    const key = { projectId: newId(), model: "base" };
    let nowMs = Date.now();
    const { store } = databases;
    const learner = new Learner({
      store: createLearnerStore(store),
      arms: MODELS,
      priors: {},
      pollMs: 1000,
      now: () => nowMs,
      controlsOf: () => CONTROLS,
      log: { warn: () => {} },
    });
    const learnOne = async (afterMs: number) => {
      nowMs += afterMs;
      const row = served(key);
      await writeBatch(store, { inferences: [write(row)], feedback: [said(row, true)] });
      while ((await learner.learn()) === "some");
    };
    const points = (step: 5 | 60 | 1440, fromMs = 0, toMs = Date.now() + DAY_MS) =>
      readWorkloadPoints(store, { key, step, fromMs, toMs });
    return { key, store, learnOne, points };
  }

  it("has a point for each step of three lengths, the latest of each, some seconds apart", async () => {
    const { learnOne, points } = begin();
    await learnOne(0);
    await learnOne(9999);
    expect((await points(60)).map(({ figures }) => figures.rewards)).toEqual([1]);
    await learnOne(1);
    for (const step of [5, 60, 1440] as const) {
      const [point, ...more] = await points(step);
      expect(more).toEqual([]);
      expect(point?.startMs).toBe(Math.floor(Date.now() / (step * MINUTE_MS)) * step * MINUTE_MS);
      expect(point?.figures).toMatchObject({ base: "base", rewards: 3, arms: [{ model: "base" }, {}, {}] });
    }
  });

  it("keeps two days of five minutes, a month of hours, and two years of days", async () => {
    const { key, store, learnOne, points } = begin();
    await learnOne(0);
    const figures = JSON.stringify((await points(5))[0]?.figures);
    const insert = (stepMinutes: number, ageMs: number) => {
      const slot = Math.floor((Date.now() - ageMs) / (stepMinutes * MINUTE_MS));
      return store
        .query()
        .insertInto("WorkloadPoint")
        .values({ ...key, stepMinutes, slot, figures })
        .execute();
    };
    for (const [step, days] of [
      [5, 2],
      [60, 31],
      [1440, 731],
    ] as const) {
      await insert(step, days * DAY_MS + step * MINUTE_MS);
      await insert(step, days * DAY_MS - 2 * step * MINUTE_MS);
    }
    await learnOne(10_000);
    for (const step of [5, 60, 1440] as const) expect(await points(step)).toHaveLength(2);
  });

  it("reads a part, in the order of time, of one workload", async () => {
    const { key, store, learnOne, points } = begin();
    await learnOne(0);
    const figures = JSON.stringify((await points(60))[0]?.figures);
    const hour = 60 * MINUTE_MS;
    const slots = [100, 102, 101, 103];
    await store
      .query()
      .insertInto("WorkloadPoint")
      .values([
        ...slots.map((slot) => ({ ...key, stepMinutes: 60, slot, figures })),
        { ...key, model: "other", stepMinutes: 60, slot: 101, figures },
      ])
      .execute();
    const read = await points(60, 101 * hour, 103 * hour);
    expect(read.map(({ startMs }) => startMs / hour)).toEqual([101, 102]);
  });

  it("keeps what each of several says who are the first to say something, at the same time", async () => {
    const { key, store } = begin();
    await Promise.all([
      setControls(store, key, { mode: "on" }),
      setControls(store, key, { hold: "frozen" }),
      setControls(store, key, { objective: "cost" }),
    ]);
    const [row] = (await readControls(store)).filter(({ key: of }) => of.model === key.model);
    expect(row).toMatchObject({ mode: "on", hold: "frozen", objective: "cost", excluded: null });
    expect(await readWorkloadHistory(store, key, 10)).toHaveLength(3);
  });

  it("tells in the history what was said of it, by whom, and nothing of what was said before", async () => {
    const { key, store } = begin();
    await setControls(store, key, { mode: "on" }, "a@example.com");
    await setControls(store, key, { mode: "on", hold: "frozen" });
    await setControls(store, key, { hold: "frozen" });
    await setControls(store, key, { excluded: ["other"] }, "b@example.com");
    await setControls(store, key, { excluded: ["other"] }, "b@example.com");
    const history = await readWorkloadHistory(store, key, 10);
    expect(history.map(({ kind, detail }) => [kind, detail])).toEqual([
      ["controls", { changes: { excluded: ["other"] }, by: "b@example.com" }],
      ["controls", { changes: { hold: "frozen" } }],
      ["controls", { changes: { mode: "on" }, by: "a@example.com" }],
    ]);
  });
});
