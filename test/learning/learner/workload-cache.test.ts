import { describe, expect, it } from "vitest";
import { learn } from "../../../src/learning/bandit/learn.ts";
import { ControlTable } from "../../../src/learning/controls.ts";
import { createShape } from "../../../src/learning/learner/state-shape.ts";
import { type BookStore, WorkloadCache } from "../../../src/learning/learner/workload-cache.ts";
import { WorkloadModel } from "../../../src/learning/learner/workload-model.ts";
import type { StoredState } from "../../../src/learning/ports.ts";
import { NO_CONTROLS } from "../../../src/vocabulary/control-fields.ts";
import { usedBytes } from "../../support/used-bytes.ts";

const ARMS = ["base", "good"];
const key = { projectId: "p", model: "base" };

/** A cache on a database that answers when it is told to. */
function start(mode: "on" | "off" = "on") {
  const read = Promise.withResolvers<StoredState[]>();
  const store: BookStore = {
    readVersions: async () => new Map(),
    readStates: () => read.promise,
    readLatest: async () => [],
  };
  const controls = new ControlTable({ mode });
  return { store, cache: new WorkloadCache({ store, controls, arms: ARMS, priors: { good: 0.3 } }), controls, ...read };
}

/** A workload with one reward, as it is stored. */
function stored(): StoredState {
  const memory = WorkloadModel.begin(
    key,
    createShape(key, { arms: ARMS }, new ControlTable({ mode: "on" }).of(key)),
    {},
  );
  learn(memory.state, { kind: "rewarded", family: "tag:a", arm: 0, reward: 1 });
  return { key, version: 7, snapshot: memory.toSnapshot() };
}

describe("WorkloadCache", () => {
  it("takes a workload for a new one until it is read", async () => {
    const { cache, resolve } = start();
    const unread = cache.find(key);
    expect(unread).toMatchObject({ key, version: 0, isUnread: true, state: { arms: ARMS, rewards: 0 } });
    expect(cache.find(key)).toBe(unread);
    resolve([stored()]);
    await expect.poll(() => cache.find(key)?.version).toBe(7);
    expect(cache.find(key)).not.toHaveProperty("isUnread");
    expect(cache.find(key)?.state.rewards).toBe(1);
  });

  it("takes it for a new one while it cannot be read, by what operators say now", async () => {
    const { cache, controls, reject } = start();
    cache.find(key);
    reject(new Error("no database"));
    await Promise.resolve();
    controls.replace([{ ...NO_CONTROLS, key, excluded: ["good"], objective: "cost" }]);
    expect(cache.find(key)).toMatchObject({
      isUnread: true,
      controls: { excluded: ["good"] },
      state: { objective: "cost" },
    });
  });

  it("keeps few of those that cannot be read, whatever their number", () => {
    const arms = Array.from({ length: 100 }, (_none, at) => `model-${at}`);
    const controls = new ControlTable({ mode: "on" });
    const { store } = start();
    const cache = new WorkloadCache({ store, controls, arms, priors: {} });
    const find = (project: number, model: number) =>
      cache.find({ projectId: `p${project}`, model: `model-${model}` })?.isUnread;
    find(0, 0);
    const before = usedBytes().all;
    for (let at = 0; at < 2000; at++) expect(find(Math.floor(at / 100), at % 100)).toBe(true);
    expect(usedBytes().all - before).toBeLessThan(48 * 2 ** 20);
    expect(find(0, 0)).toBe(true);
  });

  it("knows nothing where learning is off, and of models that the catalog does not have", () => {
    expect(start("off").cache.find(key)).toBeUndefined();
    expect(start().cache.find({ ...key, model: "gone" })).toBeUndefined();
  });
});
