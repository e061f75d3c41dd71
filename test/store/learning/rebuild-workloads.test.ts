import { describe, expect, it } from "vitest";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { LearningConflict } from "../../../src/learning/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { resetWorkload } from "../../../src/store/learning/workload-directory.ts";
import { readWorkload, readWorkloadHistory } from "../../../src/store/learning/workload-reads.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { rebuildNow } from "../../support/rebuild.ts";
import { MODELS, said, served, write } from "./fill.ts";

const SHAPE = { arms: MODELS, priors: {}, controlsOf: () => CONTROLS };

describe.each(ENGINES)("rebuildWorkloads() on %s", (engine) => {
  const databases = useDatabases(engine);
  const createLearner = () =>
    new Learner({ store: createLearnerStore(databases.store), ...SHAPE, pollMs: 1000, log: { warn: () => {} } });
  const learnAll = async () => {
    const learner = createLearner();
    while ((await learner.learn()) === "some");
  };
  const rebuild = (projectId: string, onProgress?: (events: number) => unknown) =>
    rebuildNow(databases.store, {
      ...SHAPE,
      databaseUrl: databases.url,
      projectId,
      ...(onProgress && { onProgress }),
    });

  /** Requests of two families, and feedback of booleans and numbers on most of them, each written by itself. */
  async function fill(projectId: string, count: number) {
    for (let index = 0; index < count; index++) {
      const row = served({
        projectId,
        family: `tag:${index % 3}`,
        servedModel: MODELS[index % 3] ?? "",
        latencyMs: 100 + ((index * 37) % 50),
        costNanos: 1000 * (1 + (index % 3)),
      });
      const createdAt = new Date();
      const values = [said(row, index % 2 === 0, { createdAt }), said(row, (index * 7) % 11, { createdAt, name: "n" })];
      const feedback = index % 4 === 3 ? [] : values;
      await writeBatch(databases.store, { inferences: [write(row)], feedback });
    }
  }

  it("comes to what was learned while it happened", async () => {
    const key = { projectId: newId(), model: "base" };
    await fill(key.projectId, 60);
    await learnAll();
    const live = await readWorkload(databases.store, key);
    expect(live?.rewards).toBe(45);
    const progress: number[] = [];
    expect(await rebuild(key.projectId, (events) => progress.push(events))).toEqual({ events: 150, workloads: 1 });
    expect(progress).toEqual([150]);
    const rebuilt = await readWorkload(databases.store, key);
    expect(rebuilt?.learned?.policy).toEqual(live?.learned?.policy);
    expect(rebuilt?.learned?.metrics).toEqual(live?.learned?.metrics);
    expect(rebuilt?.learned?.latency).toEqual(live?.learned?.latency);
    expect(rebuilt?.version).toBe((live?.version ?? 0) + 1);
    const [latest] = await readWorkloadHistory(databases.store, key, 10);
    expect(latest).toMatchObject({ kind: "rebuilt", detail: { rewards: 45 } });
  });

  it("leaves the event loop to callers between two parts", async () => {
    const projectId = newId();
    const rows = Array.from({ length: 1500 }, () => served({ projectId }));
    await writeBatch(databases.store, { inferences: rows.map(write), feedback: rows.map((row) => said(row, true)) });
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      turning = setImmediate(turn);
    };
    let turning = setImmediate(turn);
    const turnsBefore: number[] = [];
    await rebuild(projectId, () => turnsBefore.push(turns));
    clearImmediate(turning);
    expect(turnsBefore.length).toBeGreaterThan(2);
    expect(turnsBefore.at(-1)).toBeGreaterThan(turnsBefore[0] ?? 0);
  });

  it("learns from the records again what a version before this one had learned", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    await fill(key.projectId, 60);
    await learnAll();
    const live = await readWorkload(store, key);
    const { policy, ...others } = live?.learned ?? {};
    const snapshot = JSON.stringify({ ...others, policy: { ...policy, policy: "baht-g/1", version: 1 } });
    await store.query().updateTable("LearnedState").set({ snapshot }).where("projectId", "=", key.projectId).execute();
    await rebuild(key.projectId);
    const rebuilt = await readWorkload(store, key);
    expect(rebuilt?.learned?.policy).toEqual(policy);
    expect(rebuilt).toMatchObject({ rewards: 45, version: (live?.version ?? 0) + 1 });
  });

  it("counts what waits once, and leaves what is of others or comes later", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const other = { projectId: newId(), model: "base" };
    const [mine, others, later] = [served(key), served(other), served(key)];
    const early = said(served(key), true);
    await writeBatch(store, {
      inferences: [write(mine), write(others)],
      feedback: [said(mine, true), said(others, false), early],
    });
    let writing: Promise<void> | undefined;
    await rebuild(key.projectId, () => {
      writing ??= writeBatch(store, { inferences: [write(later)], feedback: [said(later, true)] });
    });
    await writing;
    expect(await readWorkload(store, key)).toMatchObject({ version: 1, rewards: 1 });
    await learnAll();
    expect(await readWorkload(store, key)).toMatchObject({ version: 2, rewards: 2 });
    expect(await readWorkload(store, other)).toMatchObject({ version: 1, rewards: 1 });
    // What its inference is still to come for waits on.
    await writeBatch(store, { inferences: [write(served({ ...key, id: early.inferenceId }))], feedback: [] });
    await store
      .query()
      .updateTable("LearningBatch")
      .set({ dueAt: new Date(0) })
      .execute();
    await learnAll();
    expect(await readWorkload(store, key)).toMatchObject({ rewards: 3 });
  });

  it("has nobody learn meanwhile, and has them go on after it, also where it fails", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const row = served(key);
    await writeBatch(store, { inferences: [write(row)], feedback: [] });
    const outcomes: unknown[] = [];
    const failing = rebuild(key.projectId, async () => {
      outcomes.push(await createLearner().learn());
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(outcomes).toEqual(["none"]);
    expect(await createLearner().learn()).toBe("some");
    expect(await readWorkload(store, key)).toMatchObject({ version: 1 });
  });

  it("gives up where another rebuild came between, which may have learned what came later", async () => {
    const key = { projectId: newId(), model: "base" };
    await fill(key.projectId, 4);
    const overtaken = rebuild(key.projectId, async () => {
      await fill(key.projectId, 4);
      await rebuild(key.projectId);
    });
    await expect(overtaken).rejects.toBeInstanceOf(LearningConflict);
    await learnAll();
    expect((await readWorkload(databases.store, key))?.rewards).toBe(6);
  });

  it("begins anew after a reset", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    expect(await resetWorkload(store, key)).toBe(false);
    await fill(key.projectId, 2);
    await learnAll();
    expect(await resetWorkload(store, key)).toBe(true);
    expect(await readWorkload(store, key)).toMatchObject({ version: 2, rewards: 0, learned: undefined });
    await fill(key.projectId, 1);
    await learnAll();
    expect(await readWorkload(store, key)).toMatchObject({ version: 3, rewards: 1 });
  });
});
