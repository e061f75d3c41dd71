import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createProjects } from "../../../src/store/dashboard/projects.ts";
import { WorkloadRebuild } from "../../../src/store/entities/workload-rebuild.ts";
import { withLearningPause } from "../../../src/store/learning/learning-pause.ts";
import {
  cancelRebuild,
  RebuildTooSoon,
  readRebuild,
  requestRebuild,
} from "../../../src/store/learning/rebuild-requests.ts";
import { type RunRebuildOptions, runNextRebuild } from "../../../src/store/learning/run-rebuild.ts";
import { readWorkload } from "../../../src/store/learning/workload-reads.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { MODELS, said, served, write } from "./fill.ts";

const BOUNDED = { isBounded: true };
const HOUR_MS = 3_600_000;

describe.each(ENGINES)("runNextRebuild() on %s", (engine) => {
  const databases = useDatabases(engine);
  const settings: RunRebuildOptions["settings"] = async () => ({
    databaseUrl: databases.url,
    arms: MODELS,
    priors: {},
    controlsOf: () => CONTROLS,
  });
  const runNext = (options: Partial<RunRebuildOptions> = {}) =>
    runNextRebuild(databases.store, { settings, ...options });
  const createProject = async () => (await createProjects(databases.store).create(newId()))?.id ?? "";
  const change = (projectId: string, changes: object) =>
    databases.store.fork().nativeUpdate(WorkloadRebuild, { projectId }, changes);
  const stateOf = async (projectId: string) => (await readRebuild(databases.store, projectId))?.state;

  async function fill(projectId: string) {
    const rows = [served({ projectId }), served({ projectId })];
    await writeBatch(databases.store, { inferences: rows.map(write), feedback: rows.map((row) => said(row, true)) });
  }

  it("rebuilds what was asked for, and says what came of it", async () => {
    const projectId = await createProject();
    await fill(projectId);
    expect(await readRebuild(databases.store, projectId)).toBeUndefined();
    await requestRebuild(databases.store, projectId, BOUNDED);
    expect(await readRebuild(databases.store, projectId)).toMatchObject({ state: "waiting", endedAt: null });
    expect(await runNext()).toBe(true);
    expect(await readRebuild(databases.store, projectId)).toMatchObject({
      state: "done",
      startedAt: expect.any(Date),
      endedAt: expect.any(Date),
      workloads: 1,
      events: 4,
    });
    expect(await readWorkload(databases.store, { projectId, model: "base" })).toMatchObject({ rewards: 2 });
    expect(await runNext()).toBe(false);
  });

  it("has many who ask for a project at once share one rebuild", async () => {
    const projectId = await createProject();
    const asked = Array.from({ length: 10 }, () => requestRebuild(databases.store, projectId, BOUNDED));
    const times = new Set((await Promise.all(asked)).map(({ requestedAt }) => requestedAt.getTime()));
    expect(times.size).toBe(1);
    expect(await runNext()).toBe(true);
    expect(await runNext()).toBe(false);
  });

  it("has a project rest nine times as long as its last rebuild took, at least a minute, at most a day", async () => {
    const projectId = await createProject();
    await requestRebuild(databases.store, projectId, BOUNDED);
    await runNext();
    const took = async (ms: number, endedMsAgo: number) => {
      const endedAt = new Date(Date.now() - endedMsAgo);
      await change(projectId, { state: "done", startedAt: new Date(endedAt.getTime() - ms), endedAt });
      const refused: unknown = await requestRebuild(databases.store, projectId, BOUNDED).catch((thrown) => thrown);
      return refused instanceof RebuildTooSoon ? refused.next.getTime() - endedAt.getTime() : undefined;
    };
    expect(await took(10, 0)).toBe(60_000);
    expect(await took(HOUR_MS, 0)).toBe(9 * HOUR_MS);
    expect(await took(5 * HOUR_MS, 0)).toBe(24 * HOUR_MS);
    expect(await took(HOUR_MS, 9 * HOUR_MS)).toBeUndefined();
    await runNext();
    // A command on the database itself may do everything to it anyway.
    await requestRebuild(databases.store, projectId, { isBounded: false });
    expect(await stateOf(projectId)).toBe("waiting");
    await runNext();
  });

  it("serves projects in the order in which they asked, one at a time", async () => {
    const [first, second] = [await createProject(), await createProject()];
    await requestRebuild(databases.store, first, BOUNDED);
    await requestRebuild(databases.store, second, BOUNDED);
    await change(second, { requestedAt: new Date(Date.now() + 1000) });
    // Another process is at it.
    await withLearningPause(databases.store, async () => expect(await runNext()).toBe(false));
    expect(await Promise.all([runNext(), runNext()])).toContain(true);
    expect(await stateOf(first)).toBe("done");
    while (await runNext());
    expect(await stateOf(second)).toBe("done");
  });

  it("lets what waits to be learned have its turn between two rebuilds", async () => {
    const [first, second, other] = [await createProject(), await createProject(), await createProject()];
    await requestRebuild(databases.store, first, BOUNDED);
    expect(await runNext({ rests: true })).toBe(true);
    await requestRebuild(databases.store, second, BOUNDED);
    await fill(other);
    const endedAt = new Date(Date.now() + HOUR_MS);
    await change(first, { endedAt });
    expect(await runNext({ rests: true })).toBe(false);
    await databases.store.query().deleteFrom("LearningBatch").execute();
    expect(await runNext({ rests: true })).toBe(true);
  });

  it("says of one that was cut off that it was, and has one that is stopped wait again", async () => {
    const [dead, stopped] = [await createProject(), await createProject()];
    await requestRebuild(databases.store, dead, BOUNDED);
    await change(dead, { state: "running", startedAt: new Date(Date.now() - 1000) });
    await fill(stopped);
    await requestRebuild(databases.store, stopped, BOUNDED);
    expect(await runNext({ signal: AbortSignal.abort() })).toBe(true);
    expect(await readRebuild(databases.store, dead)).toMatchObject({
      state: "failed",
      endedAt: expect.any(Date),
      problem: expect.stringContaining("cut off"),
    });
    expect(await readRebuild(databases.store, stopped)).toMatchObject({ state: "waiting", startedAt: null });
    expect(await readWorkload(databases.store, { projectId: stopped, model: "base" })).toBeUndefined();
    expect(await runNext()).toBe(true);
    expect(await stateOf(stopped)).toBe("done");
  });

  it("does not begin one that was canceled while it waited, which may be asked for again at once", async () => {
    const projectId = await createProject();
    expect(await cancelRebuild(databases.store, projectId)).toBeUndefined();
    await requestRebuild(databases.store, projectId, BOUNDED);
    expect(await cancelRebuild(databases.store, projectId)).toMatchObject({ state: "canceled", startedAt: null });
    expect(await runNext()).toBe(false);
    await requestRebuild(databases.store, projectId, BOUNDED);
    expect(await runNext()).toBe(true);
    expect(await cancelRebuild(databases.store, projectId)).toMatchObject({ state: "done" });
  });

  it("ends one that is canceled while it runs, which replaces nothing, and has its project rest", async () => {
    const projectId = await createProject();
    await fill(projectId);
    await requestRebuild(databases.store, projectId, BOUNDED);
    const failures: unknown[] = [];
    const canceling: RunRebuildOptions["settings"] = async (store) => {
      expect(await cancelRebuild(databases.store, projectId)).toMatchObject({ state: "canceled" });
      return await settings(store);
    };
    expect(await runNext({ settings: canceling, onFailure: (error) => failures.push(error) })).toBe(true);
    expect(failures).toEqual([]);
    expect(await readRebuild(databases.store, projectId)).toMatchObject({
      state: "canceled",
      startedAt: expect.any(Date),
      endedAt: expect.any(Date),
      workloads: 0,
      problem: "",
    });
    expect(await readWorkload(databases.store, { projectId, model: "base" })).toBeUndefined();
    await expect(requestRebuild(databases.store, projectId, BOUNDED)).rejects.toThrow(RebuildTooSoon);
    await requestRebuild(databases.store, projectId, { isBounded: false });
    expect(await runNext()).toBe(true);
    expect(await readWorkload(databases.store, { projectId, model: "base" })).toMatchObject({ rewards: 2 });
  });

  it("tells a defect to the log, and the one who asked that there was one", async () => {
    const projectId = await createProject();
    await requestRebuild(databases.store, projectId, BOUNDED);
    const failures: unknown[] = [];
    const broken = new Error("a secret of the database");
    await runNext({ settings: () => Promise.reject(broken), onFailure: (error) => failures.push(error) });
    expect(failures).toEqual([broken]);
    expect(await readRebuild(databases.store, projectId)).toMatchObject({
      state: "failed",
      problem: "it failed; the log of the service says why",
    });
  });
});
