import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { planImprovement } from "../../../src/store/learning/plan-improvement.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { shadowRecord } from "../../support/shadow-record.ts";
import { served, write } from "./fill.ts";

const RESERVATION = { day: 0, budget: "", nanos: 0 };
const TEXT = new Uint8Array([1]);

describe.each(ENGINES)("planImprovement() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("prices whole tokens where the mean of the recorded requests is not whole", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const tokens = [
      { inputTokens: 100, outputTokens: 10 },
      { inputTokens: 100, outputTokens: 10 },
      { inputTokens: 101, outputTokens: 11 },
    ];
    const inferences = tokens.map((counts) => ({
      ...write(served({ ...key, ...counts })),
      request: TEXT,
      response: TEXT,
    }));
    await writeBatch(store, { inferences, feedback: [] });
    const controls = { ...CONTROLS, shadow: { ...CONTROLS.shadow, judge: "judge" } };
    const asked = new Map<string, unknown>();
    const priceOf = (name: string, counts: object) => {
      asked.set(name, counts);
      return 1000;
    };
    const plan = await planImprovement(store, key, { controls, alternativesOf: () => ["base", "good"], priceOf });
    expect(plan).toMatchObject({ recorded: 3, judge: "judge", models: ["good"] });
    expect(asked.get("good")).toEqual({ input: 101, output: 11 });
  });

  it("has the price of the flex tier beside the ordinary one, unless the project switched the tier off", async () => {
    const { store } = databases;
    const { id: projectId } = DEFAULT_PROJECT;
    const key = { projectId, model: "flexible" };
    const row = {
      ...write(served({ ...key, servedModel: "flexible", inputTokens: 100, outputTokens: 10 })),
      request: TEXT,
      response: TEXT,
    };
    await writeBatch(store, { inferences: [row], feedback: [] });
    const controls = { ...CONTROLS, shadow: { ...CONTROLS.shadow, judge: "judge" } };
    const priceOf = (name: string, _: object, tier?: "flex") => (name === "good" && tier === "flex" ? 500 : 1000);
    const options = { controls, alternativesOf: () => ["flexible", "good"], priceOf };
    // Two grades and a call.
    expect(await planImprovement(store, key, options)).toMatchObject({ nanos: { mean: 3000 }, flexNanos: 2500 });
    await store
      .query()
      .insertInto("ProjectSettings")
      .values({ project: projectId, bodies: "full", optimizationsOff: ["flexTier"], updatedAt: new Date() })
      .execute();
    expect((await planImprovement(store, key, options)).flexNanos).toBeUndefined();
  });

  it("has one judge grade 300 of 1,000 requests until people have judged 20 pairs of the workload", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const shadow = { ...CONTROLS.shadow, judge: "judge" };
    const most = async (secondJudge?: string) => {
      const controls = { ...CONTROLS, shadow: secondJudge === undefined ? shadow : { ...shadow, secondJudge } };
      const options = { controls, alternativesOf: () => ["base", "good"], priceOf: () => 1 };
      return (await planImprovement(store, key, { ...options, mostCalls: 1000 })).mostCalls;
    };
    const judged = async (count: number, model: string) => {
      for (let number = 0; number < count; number++) {
        const verdict = { kind: "verdict", trialModel: null, trialGood: null, reward: 1 } as const;
        await createShadowStore(store).write(shadowRecord({ ...key, ...verdict, model }), RESERVATION);
      }
    };
    expect(await most()).toBe(300);
    expect(await most("other")).toBe(1000);
    // The same judge twice is one.
    expect(await most("judge")).toBe(300);
    await judged(19, key.model);
    await judged(1, "another");
    expect(await most()).toBe(300);
    await judged(1, key.model);
    expect(await most()).toBe(1000);
  });
});
