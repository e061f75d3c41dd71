import { describe, expect, it } from "vitest";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { newId } from "../../../src/lib/ids.ts";
import { offerImprovement } from "../../../src/store/learning/offer-improvement.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { shadowRecord } from "../../support/shadow-record.ts";
import { MODELS, served, write } from "./fill.ts";

const TEXT = new Uint8Array([1]);
const RESERVATION = { day: 0, budget: "", nanos: 0 };
/** A grade costs a hundredth of a cent, a call of the new model two cents. */
const PRICES: Readonly<Record<string, number>> = { judge: 100_000, good: 1_000_000, other: 3_000_000, new: 20_000_000 };

describe.each(ENGINES)("offerImprovement() on %s", (engine) => {
  const databases = useDatabases(engine);

  const controls = { ...CONTROLS, shadow: { ...CONTROLS.shadow, judge: "judge" } };
  const offerOf = async (key: { projectId: string; model: string }, models: readonly string[], priced = PRICES) => {
    const options = { controls, alternativesOf: () => ["base", ...models], priceOf: (name: string) => priced[name] };
    return await offerImprovement(databases.store, key, options);
  };

  /** A workload with recorded requests and rated answers that the judge grades right or by chance, and some trials. */
  async function begin({ isRight = true, tried = [] as readonly string[] } = {}) {
    const { store } = databases;
    const shadow = createShadowStore(store);
    const key = { projectId: newId(), model: "base" };
    const rows = Array.from({ length: 150 }, () => served({ ...key, inputTokens: 100, outputTokens: 10 }));
    await writeBatch(store, {
      inferences: rows.map((row) => ({ ...write(row), request: TEXT, response: TEXT })),
      feedback: [],
    });
    for (const [at, { id: inferenceId }] of rows.slice(0, 60).entries()) {
      const reward = at % 2;
      const servedGood = isRight ? reward === 1 : at % 4 < 2;
      const facts = { ...key, inferenceId, kind: "check", trialModel: null, trialGood: null, reward } as const;
      await shadow.write(shadowRecord({ ...facts, servedGood }), RESERVATION);
    }
    for (const trialModel of tried) await shadow.write(shadowRecord({ ...key, trialModel }), RESERVATION);
    const batches = store.query().updateTable("LearningBatch");
    await batches.set({ dueAt: new Date(0) }).execute();
    const shape = { arms: MODELS, priors: {}, controlsOf: () => CONTROLS };
    const learner = new Learner({ store: createLearnerStore(store), ...shape, pollMs: 1000, log: { warn: () => {} } });
    while ((await learner.learn()) === "some");
    return key;
  }

  it("offers a model that is new, and one that nobody has tried, for as much as they cost at most", async () => {
    const key = await begin({ tried: ["good"] });
    // 100 requests, each with two grades.
    expect(await offerOf(key, ["good", "new"])).toEqual({ models: ["new"], calls: 100, mostNanos: 2_020_000_000 });
    // All requests on record for two models.
    const mostNanos = 150 * 20_000_000 + 300 * 100_000;
    expect(await offerOf(key, ["good", "other", "new"])).toEqual({ models: ["other", "new"], calls: 150, mostNanos });
  });

  it("offers nothing once all were tried, before any was, or where a price is not known", async () => {
    const key = await begin({ tried: ["good", "other"] });
    expect(await offerOf(key, ["good", "other"])).toBeUndefined();
    expect(await offerOf(key, ["good", "other", "unpriced"])).toBeUndefined();
    expect(await offerOf(await begin(), ["good", "new"])).toBeUndefined();
    expect(await offerOf({ projectId: newId(), model: "base" }, ["good", "new"])).toBeUndefined();
  });

  it("offers nothing that a judge of no use would have to grade", async () => {
    expect(await offerOf(await begin({ isRight: false, tried: ["good"] }), ["good", "new"])).toBeUndefined();
  });
});
