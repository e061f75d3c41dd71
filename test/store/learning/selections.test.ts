import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../../src/hub/decision-record.ts";
import { Learner, type LearnerOptions } from "../../../src/learning/learner/learner.ts";
import type { MemorySnapshot } from "../../../src/learning/learner/workload-model.ts";
import type { WorkloadKey } from "../../../src/learning/workload.ts";
import { newId } from "../../../src/lib/ids.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import type { InferenceWrite } from "../../../src/store/types/record-batch.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { rebuildNow } from "../../support/rebuild.ts";
import { attemptRow } from "../../support/rows.ts";
import { MODELS, said, served, several, write } from "./fill.ts";

const OPTIONS = { arms: MODELS, priors: {}, controlsOf: () => CONTROLS };
const LENGTH = 1;

describe.each(ENGINES)("what is said of the best of several on %s", (engine) => {
  const databases = useDatabases(engine);
  const put = (inferences: InferenceWrite[], feedback: Parameters<typeof writeBatch>[1]["feedback"]) =>
    writeBatch(databases.store, { inferences, feedback });
  const learnAll = async (options: Partial<typeof OPTIONS> & Pick<LearnerOptions, "severalOf"> = {}) => {
    const store = createLearnerStore(databases.store);
    const learner = new Learner({ ...OPTIONS, ...options, store, pollMs: 1000, log: { warn: () => {} } });
    while ((await learner.learn()) === "some");
  };
  const learned = async ({ projectId, model }: WorkloadKey) => {
    const query = databases.store.query().selectFrom("LearnedState").selectAll();
    const row = await query.where("projectId", "=", projectId).where("model", "=", model).executeTakeFirst();
    return row?.snapshot == null ? undefined : (JSON.parse(row.snapshot) as MemorySnapshot);
  };
  const weightsOf = async (key: WorkloadKey) => (await learned(key))?.selection?.ranker.weights ?? [];

  /** Short answers are good, long ones are not. */
  async function teach(key: WorkloadKey, count: number): Promise<InferenceRow[]> {
    const writes = Array.from({ length: count }, (_, at) => several(key, at % 2 === 0 ? "short" : "long"));
    const feedback = writes.map(({ row }, at) => said(row, at % 2 === 0));
    await put(writes, feedback);
    await put(writes, feedback);
    await learnAll();
    return writes.map(({ row }) => row);
  }

  it("is learned once of what the answers were like, and leaves what is known of models as it is", async () => {
    const key = { projectId: newId(), model: "base" };
    const row = served(key);
    await put([write(row)], [said(row, 5)]);
    await learnAll();
    const { voices: _, ...before } = (await learned(key)) ?? {};
    await teach(key, 30);
    const { selection, voices: __, ...after } = (await learned(key)) ?? {};
    expect(after).toEqual(before);
    expect(selection?.rewards).toBe(30);
    expect(selection?.usual.count).toBe(60);
    expect(selection?.ranker.weights[LENGTH + 1]).toBeLessThan(-1);
    expect((selection?.accuracy.preferredSum ?? 0) + (selection?.accuracy.otherSum ?? 0)).toBeGreaterThan(14);
    expect(await databases.store.query().selectFrom("LearningBatch").selectAll().execute()).toEqual([]);
  });

  it("is learned of the arm too where the policy asked for several, and tells it how well the best is chosen", async () => {
    const key = { projectId: newId(), model: "base" };
    const severalOf = () => ["best,best", "best,second"];
    const decided = (returned: "long" | "short"): InferenceWrite => {
      const write = several(key, returned);
      const decision = { several: "best,second" } as DecisionRecord;
      return { ...write, row: { ...write.row, family: "tag:a", decision } };
    };
    const writes = Array.from({ length: 60 }, (_, at) => decided(at % 2 === 0 ? "short" : "long"));
    await put(
      writes,
      writes.map(({ row }, at) => said(row, at % 2 === 0)),
    );
    await learnAll({ severalOf });
    const { policy, selection } = (await learned(key)) ?? {};
    expect(policy?.arms).toEqual([...MODELS, "best,best", "best,second"]);
    expect(policy?.byArm["armCounts"]).toEqual([0, 0, 0, 0, 60]);
    expect(policy?.byArm["armSums"]).toEqual([0, 0, 0, 0, 30]);
    expect(selection?.rewards).toBe(60);
    expect(policy?.totals["accuracy"]).toBeGreaterThan(0.75);
    // What is said of an answer that was not returned teaches the selector alone.
    await put([], [said(writes[0]?.row ?? served(), false, { attempt: 1 })]);
    await learnAll({ severalOf });
    const after = await learned(key);
    expect(after?.policy.byArm["armCounts"]).toEqual([0, 0, 0, 0, 60]);
    expect(after?.selection?.accuracy.pairs).toBe(1);
    // Whoever is not allowed to ask for several any more keeps what is known of models.
    await put([write(served(key))], []);
    await learnAll();
    expect((await learned(key))?.policy.arms).toEqual(MODELS);
  });

  it("is told of in the history when it becomes good enough to choose, and when it no longer is", async () => {
    const key = { projectId: newId(), model: "base" };
    const told = async () => {
      const query = databases.store.query().selectFrom("WorkloadEvent").select(["kind", "detail"]);
      const rows = await query
        .where("projectId", "=", key.projectId)
        .where("kind", "=", "selector")
        .orderBy("id")
        .execute();
      return rows.map(({ detail }) => detail);
    };
    await teach(key, 20);
    expect(await told()).toEqual([]);
    await teach(key, 60);
    const proven = { isProven: true, rewards: 80, basis: "draws", observations: expect.any(Number) };
    const accuracy = { value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) };
    expect(await told()).toEqual([{ ...proven, ...accuracy }]);
    // Now length says nothing of what is good.
    const writes = Array.from({ length: 300 }, (_, at) => several(key, at % 2 === 0 ? "short" : "long"));
    await put(
      writes,
      writes.map(({ row }, at) => said(row, at % 4 < 2)),
    );
    await learnAll();
    const [, last] = await told();
    expect(last).toMatchObject({ isProven: false, rewards: 380 });
    expect(await told()).toHaveLength(2);
  });

  it("waits for its inference, and then counts", async () => {
    const key = { projectId: newId(), model: "base" };
    const one = several(key, "short", "learned");
    await put([], [said(one.row, true)]);
    await put([one], []);
    await learnAll();
    expect((await learned(key))?.selection).toMatchObject({
      rewards: 1,
      accuracy: { preferredCount: 0, otherCount: 0 },
    });
  });

  it("counts by what operators say of metrics, each metric once", async () => {
    const key = { projectId: newId(), model: "base" };
    const one = several(key, "short");
    await put([one], [said(one.row, true)]);
    await learnAll();
    await put([], [said(one.row, false, { createdAt: new Date(Date.now() + 5000) })]);
    await learnAll();
    expect((await learned(key))?.selection?.rewards).toBe(1);
  });

  it("counts on candidates that were not given too, and compares where both have their say", async () => {
    const key = { projectId: newId(), model: "base" };
    const [one, other, chosen] = [several(key, "long"), several(key, "short"), several(key, "long", "learned")];
    const on = ({ row }: InferenceWrite, attempt: number | null, value: boolean | number, name = "ok") =>
      said(row, value, { attempt, name });
    await put(
      [one, other, chosen],
      [
        ...[on(one, null, false), on(one, 2, true)],
        // A second word on the same answer, and one on an answer that failed a check.
        ...[on(one, 2, false), on(one, 0, true)],
        ...[on(other, null, 3, "stars"), on(other, 1, 5, "stars")],
        ...[on(chosen, null, false), on(chosen, 2, true)],
      ],
    );
    await learnAll();
    const { rewards, accuracy, usual } = (await learned(key))?.selection ?? {};
    // Of each inference the returned answer and the other one.
    expect(rewards).toBe(6);
    expect(usual?.count).toBe(6);
    // The short one was expected to be better: it was in the first, and was not in the second, by its number. Of the
    // third it is not known, since it was not drawn.
    expect(accuracy?.pairs).toBeCloseTo(2, 1);
    expect(accuracy?.rightPairs).toBeCloseTo(1, 1);
    expect((accuracy?.preferredCount ?? 0) + (accuracy?.otherCount ?? 0)).toBeCloseTo(2, 1);
    const before = await learned(key);
    await rebuildNow(databases.store, { ...OPTIONS, databaseUrl: databases.url, projectId: key.projectId });
    expect((await learned(key))?.selection).toEqual(before?.selection);
  });

  it("is not learned where nothing was recorded to learn from", async () => {
    const key = { projectId: newId(), model: "base" };
    const row = served({ ...key, family: "", deviation: "best_of_n" });
    const attempts = [attemptRow({ id: row.id, role: "candidate", candidateReason: "only_answer" })];
    await put([{ ...write(row), attempts }], [said(row, true)]);
    expect(await databases.store.query().selectFrom("LearningBatch").selectAll().execute()).toEqual([]);
    await learnAll();
    expect(await learned(key)).toBeUndefined();
  });

  it("is what a new workload of the project begins with", async () => {
    const projectId = newId();
    await teach({ projectId, model: "base" }, 60);
    const [, , known = 0] = await weightsOf({ projectId, model: "base" });
    const key = { projectId, model: "good" };
    const one = several(key, "long", "highest_score");
    await put([one], [said(one.row, 1, { kind: "note", floatValue: null, textValue: "well" }), said(one.row, 0.5)]);
    await learnAll();
    const [, , begun = 0] = await weightsOf(key);
    expect(begun).toBeLessThan(known / 4);
    expect((await weightsOf({ projectId: newId(), model: "good" })).length).toBe(0);
  });

  it("is learned anew by a rebuild, to the same", async () => {
    const key = { projectId: newId(), model: "base" };
    await teach(key, 24);
    const before = await learned(key);
    await rebuildNow(databases.store, { ...OPTIONS, databaseUrl: databases.url, projectId: key.projectId });
    const after = await learned(key);
    expect(after?.selection?.rewards).toBe(24);
    expect(after?.selection).toEqual(before?.selection);
  });
});
