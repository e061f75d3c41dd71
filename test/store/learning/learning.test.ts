import { describe, expect, it, onTestFinished } from "vitest";
import { restoreSnapshot } from "../../../src/learning/bandit/snapshot.ts";
import { Learner } from "../../../src/learning/learner/learner.ts";
import type { MemorySnapshot } from "../../../src/learning/learner/workload-model.ts";
import { LearningConflict } from "../../../src/learning/ports.ts";
import type { WorkloadControls, WorkloadKey } from "../../../src/learning/workload.ts";
import { IdSource, idTimeMs, newId } from "../../../src/lib/ids.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import type { FeedbackEntryRow } from "../../../src/store/entities/feedback-entry.ts";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { rebuildNow } from "../../support/rebuild.ts";
import { MODELS, said, served, write } from "./fill.ts";

function createLearner(store: Store, options: Partial<ConstructorParameters<typeof Learner>[0]> = {}) {
  return new Learner({
    store: createLearnerStore(store),
    arms: MODELS,
    priors: {},
    controlsOf: () => CONTROLS,
    pollMs: 1000,
    log: { warn: () => {} },
    ...options,
  });
}

async function learnAll(learner: Learner): Promise<void> {
  while ((await learner.learn()) === "some");
}

async function snapshotOf(store: Store, { projectId, model }: WorkloadKey) {
  const row = await store
    .query()
    .selectFrom("LearnedState")
    .selectAll()
    .where("projectId", "=", projectId)
    .where("model", "=", model)
    .executeTakeFirst();
  if (row?.snapshot == null) throw new Error("nothing was learned");
  return { ...row, ...(JSON.parse(row.snapshot) as MemorySnapshot) };
}

/** Requests, rewards and their sums of each model, over all families. */
async function totalsOf(store: Store, key: WorkloadKey) {
  const { policy } = await snapshotOf(store, key);
  const sum = (values: readonly number[] = []) => values.reduce((all, value) => all + value, 0);
  return {
    requests: sum(policy.byFamily.requests),
    rewards: policy.totals.rewards,
    counts: policy.byArm.armCounts,
    sums: policy.byArm.armSums,
  };
}

describe.each(ENGINES)("learning on %s", (engine) => {
  const databases = useDatabases(engine);
  const put = (inferences: InferenceRow[], feedback: FeedbackEntryRow[]) =>
    writeBatch(databases.store, { inferences: inferences.map(write), feedback });
  const waiting = async () => await databases.store.query().selectFrom("LearningBatch").selectAll().execute();

  it("waits while another version learns of a workload, and takes it over ten minutes after its last step", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    await put([served(key)], []);
    await learnAll(createLearner(store));
    const { version, snapshot, ...others } = await snapshotOf(store, key);
    const { policy, ...rest } = JSON.parse(snapshot ?? "") as MemorySnapshot;
    const foreign = JSON.stringify({ ...rest, policy: { ...policy, policy: "baht-g/1", byArm: {} } });
    const change = { version: version + 1, snapshot: foreign };
    await store.query().updateTable("LearnedState").set(change).where("projectId", "=", key.projectId).execute();
    const row = served(key);
    await put([row], [said(row, true)]);
    const [batches] = [await waiting()];
    expect(await createLearner(store).learn()).toBe("other-version");
    expect(await waiting()).toEqual(batches);
    expect(await snapshotOf(store, key)).toMatchObject({ ...change, updatedAt: others.updatedAt });
    await learnAll(createLearner(store, { now: () => others.updatedAt.getTime() + 600_000 }));
    expect(await totalsOf(store, key)).toMatchObject({ requests: 1, rewards: 1 });
    expect(await waiting()).toEqual([]);
  });

  it("learns what was served and what was said of it, once, of whoever writes it again", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const rows = [served(key), served({ ...key, servedModel: "good" }), served({ ...key, family: "tag:b" })];
    const [one, two, three] = rows as [InferenceRow, InferenceRow, InferenceRow];
    const feedback = [said(one, false), said(two, true), said(three, true, { optimize: "min" })];
    await put(rows, feedback);
    await put(rows, feedback);
    await put([served({ ...key, family: "" })], []);
    const learner = createLearner(store);
    await learnAll(learner);
    expect(await totalsOf(store, key)).toEqual({ requests: 3, rewards: 3, counts: [2, 1, 0], sums: [0, 1, 0] });
    await put(rows, feedback);
    await learnAll(learner);
    expect((await totalsOf(store, key)).rewards).toBe(3);
    expect(await waiting()).toEqual([]);
  });

  it("takes a family that was named without the others for the known one that it is nearly", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const [known, near] = ["auto:0123456789abcdef", "auto:0123456789abcdee"];
    const learner = createLearner(store);
    await put([served({ ...key, family: known })], []);
    await learnAll(learner);
    const row = served({ ...key, family: near });
    await put([row], [said(row, true)]);
    await learnAll(learner);
    expect(await totalsOf(store, key)).toMatchObject({ requests: 2, rewards: 1 });
    expect((await snapshotOf(store, key)).policy.families).toEqual([[known, 1]]);
  });

  it("tells of what was learned from feedback, and not of every request", async () => {
    const { store } = databases;
    const row = served({ projectId: newId() });
    let told = 0;
    const learner = createLearner(store, { onLearned: () => void told++ });
    await put([row], []);
    await learnAll(learner);
    expect(told).toBe(0);
    await put([], [said(row, true)]);
    await learnAll(learner);
    expect(told).toBe(1);
  });

  it("takes note of how long it takes to learn of a decision, where that is told at once", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const learnAfter = async (ms: number) => {
      const row = served(key);
      await put([row], [said(row, true)]);
      await learnAll(createLearner(store, { now: () => (idTimeMs(row.id) ?? 0) + ms }));
      return (await snapshotOf(store, key)).delay;
    };
    expect(await learnAfter(86_400_000)).toBeUndefined();
    expect(await learnAfter(320)).toEqual({ meanMs: 320, deviationMs: 160 });
    expect(await learnAfter(640)).toEqual({ meanMs: 330, deviationMs: 165 });
    expect(await learnAfter(86_400_000)).toEqual({ meanMs: 330, deviationMs: 165 });
  });

  it("takes note of how far behind it is, until it has caught up", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const learnAfter = async (ms: number) => {
      const row = served(key);
      await put([row], []);
      await learnAll(createLearner(store, { now: () => (idTimeMs(row.id) ?? 0) + row.latencyMs + ms }));
      return (await snapshotOf(store, key)).behindMs;
    };
    expect(await learnAfter(7_200_000)).toBe(7_200_000);
    expect(await learnAfter(250)).toBe(250);
  });

  it("writes nothing where there is nothing to learn", async () => {
    const { store } = databases;
    const off = served({ family: "" });
    await put([off], [said(off, true), said(off, 1, { kind: "note", floatValue: null, textValue: "well" })]);
    await put([], [said(off, true)]);
    expect(await waiting()).toEqual([]);
    expect(await createLearner(store).learn()).toBe("none");
  });

  it("takes what is said of an answer for one reward, and the first word on each metric", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const row = served(key);
    const createdAt = new Date();
    const together = [said(row, true, { createdAt, name: "a" }), said(row, false, { createdAt, name: "b" })];
    await put([row], together);
    const learner = createLearner(store);
    await learnAll(learner);
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 1, sums: [0.5, 0, 0] });
    const later = { createdAt: new Date(createdAt.getTime() + 5000) };
    await put([], [said(row, true, { ...later, name: "b" }), said(row, true, { ...later, name: "c" })]);
    await learnAll(learner);
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 1, sums: [2 / 3, 0, 0] });
    await put([], [said(row, false, { createdAt: new Date(createdAt.getTime() + 9000), name: "a" })]);
    await learnAll(learner);
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 1, sums: [2 / 3, 0, 0] });
  });

  it("takes the latest value of a name on a session, and the first on its call, for one reward", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const row = served({ ...key, sessionId: "run" });
    const learner = createLearner(store);
    const now = Date.now();
    const say = async (seconds: number, values: readonly FeedbackEntryRow[]) => {
      await put(
        [],
        values.map((entry) => ({ ...entry, createdAt: new Date(now + seconds * 1000) })),
      );
      await learnAll(learner);
      return await totalsOf(store, key);
    };
    const onSession = (name: string, value: boolean) => said(row, value, { name, sessionId: "run" });
    await put([row], []);
    expect(await say(0, [onSession("passed", false)])).toMatchObject({ rewards: 1, sums: [0, 0, 0] });
    expect(await say(1, [onSession("passed", true)])).toMatchObject({ rewards: 1, sums: [1, 0, 0] });
    const both = [onSession("passed", false), onSession("fast", true)];
    expect(await say(2, both)).toMatchObject({ rewards: 1, sums: [0.5, 0, 0] });
    // What is said of the call itself is beside that, and its first value counts.
    expect(await say(3, [said(row, true, { name: "passed" })])).toMatchObject({ sums: [expect.closeTo(2 / 3), 0, 0] });
    expect(await say(4, [said(row, false, { name: "passed" })])).toMatchObject({ sums: [expect.closeTo(2 / 3), 0, 0] });
    expect(await say(5, [onSession("passed", true)])).toMatchObject({ rewards: 1, sums: [expect.closeTo(1), 0, 0] });
  });

  it("averages feedback by id into the reward of its session, whichever came first, by whichever process", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const inSession = { ...key, servedModel: "good", sessionId: "run", sessionSource: "attune-session" };
    const [one, two, three, four, apart] = [
      ...[served(inSession), served(inSession), served(inSession), served(inSession)],
      served({ ...inSession, servedModel: "other" }),
    ] as [InferenceRow, InferenceRow, InferenceRow, InferenceRow, InferenceRow];
    await put([one, two, three, apart], []);
    const begun = Date.now();
    let seconds = 0;
    const say = async (row: InferenceRow, value: boolean, changes: Partial<FeedbackEntryRow> = {}) => {
      seconds += 1;
      await put([], [said(row, value, { createdAt: new Date(begun + seconds * 1000), ...changes })]);
      await learnAll(createLearner(store));
      return await totalsOf(store, key);
    };
    const [whole, mean] = [{ sessionId: "run" }, (sum: number) => expect.closeTo(sum)];
    expect(await say(one, true)).toMatchObject({ rewards: 1, counts: [0, 1, 0], sums: [0, 1, 0] });
    expect(await say(two, false)).toMatchObject({ rewards: 2, counts: [0, 2, 0], sums: [0, 1, 0] });
    expect(await say(three, false, whole)).toMatchObject({ counts: [0, 1, 0], sums: [0, mean(1 / 3), 0] });
    expect(await say(two, true, { name: "liked" })).toMatchObject({ counts: [0, 1, 0], sums: [0, mean(2 / 4), 0] });
    // A call that another model answered has a reward of its own.
    expect(await say(apart, true, { name: "tone" })).toMatchObject({ counts: [0, 1, 1], sums: [0, mean(2 / 4), 1] });
    // So has one that begins after the feedback on its session, until there is feedback on the session again.
    const later = { ...four, id: new IdSource(() => begun + 60_000).next() };
    await put([later], []);
    seconds = 60;
    expect(await say(later, true, { name: "speed" })).toMatchObject({
      counts: [0, 2, 1],
      sums: [0, mean(1 + 2 / 4), 1],
    });
    expect(await say(three, true, whole)).toMatchObject({ rewards: 2, counts: [0, 1, 1], sums: [0, mean(4 / 5), 1] });
    expect(await waiting()).toEqual([]);
    await rebuildNow(store, {
      databaseUrl: databases.url,
      projectId: key.projectId,
      arms: MODELS,
      priors: {},
      controlsOf: () => CONTROLS,
    });
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 2, counts: [0, 1, 1], sums: [0, mean(4 / 5), 1] });
  });

  it("shares feedback on a session among its base models and families", async () => {
    const { store } = databases;
    const projectId = newId();
    const inSession = { projectId, sessionId: "run", sessionSource: "attune-session" };
    const rows = ["base", "base", "good"].map((model) => served({ ...inSession, model, servedModel: "base" }));
    const [first, , last] = rows as [InferenceRow, InferenceRow, InferenceRow];
    await put(rows, []);
    const begun = Date.now();
    const say = async (row: InferenceRow, value: boolean, changes: Partial<FeedbackEntryRow> = {}) => {
      await put([], [said(row, value, { createdAt: new Date(), ...changes })]);
      await learnAll(createLearner(store));
      const totals = ["base", "good"].map(async (model) => await totalsOf(store, { projectId, model }));
      return (await Promise.all(totals)).map(({ counts, sums }) => [counts?.[0], sums?.[0]]);
    };
    expect(await say(first, true, { sessionId: "run", createdAt: new Date(begun + 1000) })).toEqual([
      [0.5, 0.5],
      [0.5, 0.5],
    ]);
    expect(await say(last, false, { createdAt: new Date(begun + 2000) })).toEqual([
      [0.5, 0.5],
      [0.5, 0.25],
    ]);
  });

  it("takes 40 names on one answer, each in an event of its own, for one reward", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const row = served({ ...key, servedModel: "good" });
    const atMs = Date.now();
    await put([row], []);
    for (let at = 0; at < 40; at += 8) {
      const named = (name: number) => said(row, name % 4 !== 0, { name: `n${name}`, createdAt: new Date(atMs + name) });
      await put(
        [],
        Array.from({ length: 8 }, (_, index) => named(at + index)),
      );
      await learnAll(createLearner(store));
    }
    const { counts, rewards, sums } = await totalsOf(store, key);
    expect([counts, rewards]).toEqual([[0, 1, 0], 1]);
    expect(sums?.[1]).toBeCloseTo(0.75);
  });

  it("takes one value that was copied onto the calls of a session for one reward, by whichever process", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const inSession = { ...key, servedModel: "good", sessionId: "run-1", sessionSource: "attune-session" };
    const rows = Array.from({ length: 6 }, () => served(inSession));
    const others = [
      ...[served({ ...inSession, sessionSource: "metadata" }), served({ ...inSession, keyId: "another" })],
      ...[served({ ...inSession, sessionId: "run-2" }), served({ ...key, servedModel: "good" })],
    ];
    await put([...rows, ...others], []);
    for (const row of [...rows, ...others]) {
      await put([], [said(row, true)]);
      await learnAll(createLearner(store));
    }
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 5, counts: [0, 5, 0] });
    // A value that is no copy counts, beside the copy on the same answer.
    const [, row = served()] = rows;
    await put([], [said(row, false, { name: "mine" })]);
    await store.query().updateTable("LearningBatch").set({ dueAt: new Date() }).execute();
    await learnAll(createLearner(store));
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 6, sums: [0, 5, 0] });
    expect(await waiting()).toEqual([]);
  });

  it("learns the second of two equal values in a session once no third can come", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const rows = [1, 2].map(() => served({ ...key, sessionId: "run", sessionSource: "metadata" }));
    const createdAt = new Date();
    const [one, two] = rows.map((row) => said(row, true, { createdAt })) as [FeedbackEntryRow, FeedbackEntryRow];
    await put(rows, [one]);
    await put([], [two]);
    await learnAll(createLearner(store));
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 1 });
    const inTenMinutes = createdAt.getTime() + 605_000;
    expect((await waiting()).map(({ dueAt }) => new Date(dueAt).getTime())).toEqual([inTenMinutes]);
    await store.query().updateTable("LearningBatch").set({ dueAt: new Date() }).execute();
    await learnAll(createLearner(store, { now: () => inTenMinutes }));
    expect(await totalsOf(store, key)).toMatchObject({ rewards: 2 });
    expect(await waiting()).toEqual([]);
  });

  it("holds numbers against those of their metric, and turns those that are to be small", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const learner = createLearner(store);
    const rewards: number[] = [];
    let before = 0;
    for (const [value, optimize] of [
      [10, null],
      [20, "max"],
      [12.5, null],
      [18, "min"],
    ] as const) {
      const row = served(key);
      await put([row], [said(row, value, { optimize })]);
      await learnAll(learner);
      const [sum = 0] = (await totalsOf(store, key)).sums ?? [];
      rewards.push(sum - before);
      before = sum;
    }
    // By rank while all are equal. With the third, all are rated by their places between 10 and 20: 0, 1 and .25 are
    // 1.25 as before. The last one is turned.
    expect(rewards.map((reward) => reward.toFixed(4))).toEqual(["0.5000", "0.7500", "0.0000", "0.2000"]);
  });

  it("waits for the inference of feedback that came before it", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const row = served(key);
    await put([], [said(row, true)]);
    const learner = createLearner(store);
    await learnAll(learner);
    expect(await waiting()).toHaveLength(1);
    await put([row], []);
    await learnAll(learner);
    expect(await totalsOf(store, key)).toMatchObject({ requests: 1, rewards: 0 });
    await store
      .query()
      .updateTable("LearningBatch")
      .set({ dueAt: new Date(Date.now() - 1) })
      .execute();
    await learnAll(learner);
    expect(await totalsOf(store, key)).toMatchObject({ requests: 1, rewards: 1 });
    expect(await waiting()).toEqual([]);
  });

  it("gives up feedback on an inference that does not come within the hour", async () => {
    await put([], [said(served(), true, { createdAt: new Date(Date.now() - 3_700_000) })]);
    await learnAll(createLearner(databases.store));
    expect(await waiting()).toEqual([]);
  });

  it("guards how often models fail and refuse, and how fast they are", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const ofBase = Array.from({ length: 40 }, (_, index) => served({ ...key, latencyMs: 100 + index }));
    await put(
      [
        ...ofBase,
        served({ ...key, servedModel: "good", latencyMs: 600 }),
        served({ ...key, servedModel: "good", latencyMs: 120, finishReason: "refusal" }),
        served({ ...key, status: "failed", servedModel: "good" }),
        served({ ...key, status: "canceled" }),
      ],
      [],
    );
    await learnAll(createLearner(store));
    const { policy } = await snapshotOf(store, key);
    const { "attune.success": success, "attune.answered": answered, "attune.speed": speed } = policy.guarded;
    expect(success?.totals).toMatchObject({ observations: 43, pooledCount: 40, pooledSum: 40 });
    expect(answered?.totals).toMatchObject({ observations: 42, pooledSum: 40 });
    expect(answered?.byFamily.sums).toEqual([0, 1]);
    // The first twenty of base say what is slow: not the ones after them, a little slower each, but what takes far
    // longer.
    expect(speed?.totals).toMatchObject({ observations: 22, pooledCount: 20, pooledSum: 20 });
    expect(speed?.byFamily.sums).toEqual([0, 1]);
  });

  it("writes nothing of a step whose batches another one consumed, and counts all of it once", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const rows = Array.from({ length: 5 }, () => served(key));
    await put(
      rows,
      rows.map((row) => said(row, true)),
    );
    const rival = createLearner(store);
    const inner = createLearnerStore(store);
    let isFirst = true;
    // Another learner comes between what is read and what is written, as where its lock was lost.
    const slow = createLearner(store, {
      store: {
        ...inner,
        step: (work) =>
          inner.step(async (step) => {
            if (engine === "postgres") return await work(step);
            return await work({
              ...step,
              async write(learned) {
                if (isFirst) await learnAll(rival);
                isFirst = false;
                await step.write(learned);
              },
            });
          }),
      },
    });
    if (engine === "sqlite") await expect(slow.learn()).rejects.toThrow(LearningConflict);
    await learnAll(slow);
    expect(await totalsOf(store, key)).toMatchObject({ requests: 5, rewards: 5 });
    const more = served(key);
    await put([more], [said(more, true)]);
    await learnAll(slow);
    const last = served(key);
    await put([last], [said(last, false)]);
    await learnAll(rival);
    expect(await totalsOf(store, key)).toMatchObject({ requests: 7, rewards: 7, sums: [6, 0, 0] });
  });

  it("starts a new workload of a project from what the others have learned", async () => {
    const { store } = databases;
    const projectId = newId();
    const rows = Array.from({ length: 120 }, (_, index) =>
      served({ projectId, model: "base", servedModel: index % 4 === 3 ? "good" : "base" }),
    );
    await put(
      rows,
      rows.map((row, index) => said(row, index % 4 === 3)),
    );
    const learner = createLearner(store, { priors: { other: 0.2 } });
    await learnAll(learner);
    await put([served({ projectId, model: "other", servedModel: "other" })], []);
    await put([served({ projectId, model: "good", servedModel: "good" })], []);
    await learnAll(learner);
    const { policy } = await snapshotOf(store, { projectId, model: "good" });
    const [base = 0, , other = 0] = policy.byArm.armAdvantages ?? [];
    expect(policy.arms).toEqual(MODELS);
    // Thirty observations of what base is worth less than good, which is most of 1; the other is only as configured.
    expect(base / 30).toBeLessThan(-0.6);
    expect(other).toBeCloseTo(30 * 0.2);
    const history = await store
      .query()
      .selectFrom("WorkloadEvent")
      .selectAll()
      .where("projectId", "=", projectId)
      .execute();
    expect(
      history
        .filter(({ kind }) => kind === "begun")
        .map(({ model }) => model)
        .sort(),
    ).toEqual(["base", "good", "other"]);
    expect(history.find(({ kind }) => kind === "switched")).toMatchObject({
      model: "base",
      detail: { family: "tag:a", from: "base", to: "good" },
    });
  });

  it("tells once what the mode on would do, and of no switch to a model that served nobody", async () => {
    const { store } = databases;
    const projectId = newId();
    const key = { projectId, model: "base" };
    const told: object[] = [];
    let controls: WorkloadControls = { ...CONTROLS, mode: "observe" };
    const learner = createLearner(store, { controlsOf: () => controls, onOutlook: (of) => told.push(of) });
    const answer = async (count: number, of: (index: number) => string) => {
      const rows = Array.from({ length: count }, (_, index) => served({ ...key, servedModel: of(index) }));
      await put(
        rows,
        rows.map((row, index) =>
          said(row, row.servedModel === "good" || (row.servedModel === "other" && index % 9 > 1)),
        ),
      );
      await learnAll(learner);
    };
    await answer(300, (index) => (index % 10 === 3 ? "good" : index % 10 === 7 ? "other" : "base"));
    await answer(60, () => "base");
    expect(told).toEqual([key]);
    // Base alone answers from now on: the second best model takes nobody's place.
    controls = { ...CONTROLS, excluded: ["good"] };
    await answer(60, () => "base");
    const events = store.query().selectFrom("WorkloadEvent").select(["kind", "detail"]);
    const history = await events.where("projectId", "=", projectId).execute();
    expect(history.filter(({ kind }) => kind === "outlook")).toHaveLength(1);
    expect(history.find(({ kind }) => kind === "outlook")?.detail).toMatchObject({ gain: expect.any(Number) });
    const switched = history.filter(({ kind }) => kind === "switched").map(({ detail }) => detail["to"]);
    expect(switched).not.toContain("other");
  });

  it("weighs metrics, and guards those that count for nothing", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const metrics = [
      { name: "right", weight: 0.5 },
      { name: "tone", weight: 0, direction: "min" as const },
    ];
    const learner = createLearner(store, { controlsOf: () => ({ ...CONTROLS, metrics }) });
    const rows = [served(key), served({ ...key, servedModel: "good" }), served(key)];
    const [one, two, three] = rows as [InferenceRow, InferenceRow, InferenceRow];
    const together = { createdAt: new Date() };
    await put(rows, [
      ...[said(one, true, { ...together, name: "right" }), said(one, false, { ...together, name: "fast" })],
      said(one, true, { ...together, name: "tone" }),
      said(two, true, { name: "right" }),
      said(three, false, { name: "tone" }),
    ]);
    await learnAll(learner);
    const totals = await totalsOf(store, key);
    // The first: half of right, all of fast; the second counts by half, the third not at all.
    expect(totals).toMatchObject({ requests: 3, rewards: 1.5, counts: [1, 0.5, 0] });
    expect(totals.sums?.[0]).toBeCloseTo(1 / 3);
    expect(totals.sums?.[1]).toBe(0.5);
    const { policy, facts } = await snapshotOf(store, key);
    // Smaller is better: true is worth nothing, false one.
    expect(policy.guarded["metric:tone"]?.totals).toMatchObject({ observations: 2, pooledCount: 2, pooledSum: 1 });
    expect(facts?.["tone"]).toEqual({ kind: "boolean", direction: "min", values: 2, worth: 1, use: 2 });
  });

  it("has a model that breaks a bound answer no more, and tells of it", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    let metrics: WorkloadControls["metrics"] = [{ name: "seconds", weight: 0, atMost: 2 }];
    const learner = createLearner(store, { controlsOf: () => ({ ...CONTROLS, metrics }) });
    const put20 = async (servedModel: string, seconds: number) => {
      const rows = Array.from({ length: 20 }, () => served({ ...key, servedModel }));
      await put(
        rows,
        rows.map((row) => said(row, seconds, { name: "seconds", optimize: "min" })),
      );
      await learnAll(learner);
    };
    await put20("base", 9);
    await put20("other", 2);
    await put20("good", 3);
    const brokenNow = async () => {
      const { policy } = await snapshotOf(store, key);
      return [...restoreSnapshot(policy).broken];
    };
    expect(await brokenNow()).toEqual([0, 1, 0]);
    const rows = await store
      .query()
      .selectFrom("WorkloadEvent")
      .selectAll()
      .where("projectId", "=", key.projectId)
      .execute();
    expect(rows.filter(({ kind }) => kind === "constraint").map(({ detail }) => detail)).toEqual([
      {
        model: "good",
        broken: [{ metric: "seconds", relation: "atMost", bound: 2, values: 20, mean: 3, isBroken: true }],
      },
    ]);
    // What the values were stays; what is asked of them is another.
    metrics = [{ name: "seconds", weight: 0, atMost: 4 }];
    await put20("other", 2);
    expect(await brokenNow()).toEqual([0, 0, 0]);
    expect((await totalsOf(store, key)).rewards).toBe(0);
  });

  it("carries over what it knows of models that are still there, by their names", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const rows = [served(key), served({ ...key, servedModel: "good" }), served({ ...key, servedModel: "other" })];
    await put(
      rows,
      rows.map((row) => said(row, true)),
    );
    await learnAll(createLearner(store));
    const row = served({ ...key, servedModel: "new" });
    await put([row], [said(row, false)]);
    await learnAll(createLearner(store, { arms: ["new", "other", "base"] }));
    const { policy } = await snapshotOf(store, key);
    expect(policy.arms).toEqual(["new", "other", "base"]);
    expect(policy.byArm.armCounts).toEqual([1, 1, 1]);
    expect(policy.byArm.armSums).toEqual([0, 1, 1]);
  });

  it("tells of a model whose skill changed, and keeps a bounded history", async () => {
    const { store } = databases;
    const key = { projectId: newId(), model: "base" };
    const learner = createLearner(store);
    const put100 = async (value: boolean) => {
      const rows = Array.from({ length: 100 }, () => served(key));
      await put(
        rows,
        rows.map((row) => said(row, value)),
      );
      await learnAll(learner);
    };
    await put100(true);
    await put100(false);
    const kinds = async () => {
      const rows = await store
        .query()
        .selectFrom("WorkloadEvent")
        .selectAll()
        .where("projectId", "=", key.projectId)
        .execute();
      return rows.map(({ kind, detail }) => ({ kind, ...detail }));
    };
    expect(await kinds()).toContainEqual({ kind: "drift", model: "base", family: "tag:a" });
    for (let round = 0; round < 3; round++) {
      await createLearnerStore(store).step((step) =>
        step.write({
          consumed: [],
          putBack: [],
          states: [],
          hasNews: false,
          history: Array.from({ length: 150 }, () => ({ key, kind: "drift" as const, detail: {} })),
        }),
      );
    }
    expect(await kinds()).toHaveLength(200);
  });

  it.runIf(engine === "postgres")("leaves it to the one who is at it", async () => {
    const { store, url } = databases;
    const other = await openStore(url);
    onTestFinished(() => other.close());
    const begun = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const busy = createLearnerStore(other).step(async () => {
      begun.resolve();
      await promise;
    });
    await begun.promise;
    expect(await createLearnerStore(store).step(async () => "mine")).toBe("busy");
    resolve();
    await busy;
    expect(await createLearnerStore(store).step(async () => "mine")).toBe("mine");
  });
});
