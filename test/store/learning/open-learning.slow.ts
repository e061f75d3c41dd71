import { describe, expect, it, onTestFinished } from "vitest";
import type { WorkloadKey } from "../../../src/learning/workload.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createChangeFeed } from "../../../src/store/changes/create-change-feed.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { setControls } from "../../../src/store/learning/control-store.ts";
import { type LearningOptions, openLearning } from "../../../src/store/learning/open-learning.ts";
import { SILENT_LOG } from "../../../src/store/types/log.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { MODELS, said, served, write } from "./fill.ts";

/** What takes a second may take longer on a machine that is busy with other tests, and stalls. */
const SOON_MS = 10_000;

describe.each(ENGINES)("openLearning() on %s", (engine) => {
  const databases = useDatabases(engine);

  /** A process on the database, with a connection of its own. */
  async function start(options: Partial<LearningOptions> = {}) {
    const store = await openStore(databases.url);
    const changes = createChangeFeed(store, SILENT_LOG);
    const learning = await openLearning(store, { models: MODELS, mode: "on", priors: {}, changes, ...options });
    onTestFinished(async () => {
      await learning.close();
      await changes.close();
      await store.close();
    });
    if (engine === "postgres") await expect.poll(() => changes.isListening).toBe(true);
    return { store, learning, find: (key: WorkloadKey) => learning.cache.find(key) };
  }

  /** Waits until a workload was read, for the first request on it is not waited for. */
  const known = async ({ find }: Awaited<ReturnType<typeof start>>, key: WorkloadKey) => {
    await expect.poll(() => find(key)?.isUnread).toBeUndefined();
    return find(key);
  };

  it("has feedback that one process wrote change what the other one knows, within a second", async () => {
    const [one, other] = [await start(), await start()];
    const key = { projectId: newId(), model: "base" };
    expect(await known(other, key)).toMatchObject({ version: 0, controls: { mode: "on" } });
    const took: number[] = [];
    for (let round = 1; round <= 5; round++) {
      const row = served({ ...key, servedModel: "good" });
      await writeBatch(one.store, { inferences: [write(row)], feedback: [said(row, true)] });
      const began = performance.now();
      await expect.poll(() => other.find(key)?.state.rewards).toBe(round);
      took.push(performance.now() - began);
    }
    expect(other.find(key)?.state.armCounts[1]).toBe(5);
    expect(took.sort((a, b) => a - b)[1]).toBeLessThan(SOON_MS);
  });

  it("hands out states that nobody changes any more", async () => {
    const process = await start();
    const key = { projectId: newId(), model: "base" };
    const before = await known(process, key);
    const row = served(key);
    await writeBatch(process.store, { inferences: [write(row)], feedback: [said(row, true)] });
    await expect.poll(() => process.find(key)?.version).toBe(1);
    expect(before?.state.rewards).toBe(0);
    expect(process.find(key)?.state).toBe(process.find(key)?.state);
  });

  it("goes on counting what was decided on the state before", async () => {
    const process = await start();
    const key = { projectId: newId(), model: "base" };
    const before = await known(process, key);
    before?.pendingDecisions.note({ arm: 1, base: 0 }, 1);
    const row = served(key);
    await writeBatch(process.store, { inferences: [write(row)], feedback: [said(row, true)] });
    await expect.poll(() => process.find(key)?.version).toBe(1);
    expect(process.find(key)?.pendingDecisions).toBe(before?.pendingDecisions);
    // No further state comes that would tell, since nothing else happens.
    await expect.poll(() => before?.pendingDecisions.count, { timeout: SOON_MS }).toBe(0);
    await setControls(process.store, { ...key, model: "" }, { excluded: ["other"] });
    await expect.poll(() => process.find(key)?.controls.excluded).toEqual(["other"]);
    expect(process.find(key)?.pendingDecisions).toBe(before?.pendingDecisions);
  });

  it("has what operators say take effect within a second, the workload's own before the project's", async () => {
    const [one, other] = [await start(), await start()];
    const key = { projectId: newId(), model: "base" };
    await known(other, key);
    const project = { ...key, model: "" };
    await setControls(one.store, project, { mode: "observe", excluded: ["other"], objective: "cost" });
    await expect.poll(() => other.find(key)?.controls.mode).toBe("observe");
    expect(other.find(key)?.controls).toMatchObject({ excluded: ["other"], objective: "cost", hold: undefined });
    await expect.poll(() => other.find(key)?.state.objective).toBe("cost");
    await setControls(one.store, key, { mode: "on", hold: "pinned", pinned: "good" });
    await expect.poll(() => other.find(key)?.controls.mode).toBe("on");
    expect(other.find(key)?.controls).toMatchObject({ hold: { kind: "pinned", model: "good" }, objective: "cost" });
    const began = performance.now();
    await setControls(one.store, key, { mode: "off" });
    await expect.poll(() => other.find(key)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(SOON_MS);
  });

  it("knows nothing of models that the catalog does not have", async () => {
    const process = await start({ models: ["base"] });
    expect(process.find({ projectId: newId(), model: "gone" })).toBeUndefined();
  });

  it("begins with what was learned before it", async () => {
    const key = { projectId: newId(), model: "base" };
    const before = await start();
    const row = served(key);
    await writeBatch(before.store, { inferences: [write(row)], feedback: [said(row, true)] });
    await known(before, key);
    await expect.poll(() => before.find(key)?.version).toBe(1);
    const later = await start();
    expect(later.find(key)).toMatchObject({ version: 1, state: { rewards: 1 } });
  });
});
