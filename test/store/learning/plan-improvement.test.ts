import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { planImprovement } from "../../../src/store/learning/plan-improvement.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { served, write } from "./fill.ts";

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
});
