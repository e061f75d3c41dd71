import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import { Learner } from "../../../src/learning/learner/learner.ts";
import { newId } from "../../../src/lib/ids.ts";
import { judgePair } from "../../../src/store/learning/judge-pair.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { readPair } from "../../../src/store/learning/read-pair.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { readWorkload } from "../../../src/store/learning/workload-reads.ts";
import { readShadowUsage } from "../../../src/store/usage/read-shadow-usage.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { rebuildNow } from "../../support/rebuild.ts";
import { shadowRecord } from "../../support/shadow-record.ts";
import { MODELS, served, write } from "./fill.ts";

const SHAPE = { arms: MODELS, priors: {}, controlsOf: () => CONTROLS };
const text = (said: string) => ({ kind: { case: "text", value: { text: said } } }) as const;
const saying = (said: string) => create(GenerateResponseSchema, { content: [text(said)] });

describe.each(ENGINES)("pairs on %s", (engine) => {
  const databases = useDatabases(engine);

  /** A project with an answer and trials of it: the given answer is "given", that of each trial "tried N". */
  async function begin(trials: number, { isStored = true } = {}) {
    const { store } = databases;
    const shadow = createShadowStore(store);
    const key = { projectId: newId(), model: "base" };
    const row = served(key);
    const messages = [{ role: Role.USER, content: [text("6 x 7?")] }];
    const bodies = {
      request: encodeRequest(createHubInput({ messages })),
      response: toBinary(GenerateResponseSchema, saying("given")),
    };
    await writeBatch(store, { inferences: [{ ...write(row), ...(isStored && bodies) }], feedback: [] });
    const ids: string[] = [];
    for (let at = 0; at < trials; at++) {
      const record = shadowRecord({ ...key, inferenceId: row.id });
      const reservation = (await shadow.reserve({ budget: "", mostNanos: 1e9 }, 1)) ?? { day: 0, budget: "", nanos: 0 };
      await shadow.write(record, reservation, saying(`tried ${at}`));
      ids.push(record.id);
    }
    return { store, key, inferenceId: row.id, ids };
  }

  const makeDue = async () => {
    const batches = databases.store.query().updateTable("LearningBatch");
    await batches.set({ dueAt: new Date(0) }).execute();
  };
  const learnAll = async () => {
    const log = { warn: () => {} };
    const learner = new Learner({ store: createLearnerStore(databases.store), ...SHAPE, pollMs: 1000, log });
    while ((await learner.learn()) === "some");
  };
  const totalsOf = async (key: { projectId: string; model: string }) =>
    (await readWorkload(databases.store, key))?.learned?.policy.totals;

  it("shows both answers of a trial in an order of chance, the latest pair first", async () => {
    const { store, key, ids } = await begin(12);
    const orders = new Set<number>();
    let beforeId: string | undefined;
    for (const [at, id] of [...ids.entries()].reverse()) {
      const pair = await readPair(store, key, { beforeId });
      expect(pair).toMatchObject({ id, model: "base", conversation: [{ role: "user", text: "6 x 7?" }] });
      expect([...(pair?.answers ?? [])].sort()).toEqual(["given", `tried ${at}`]);
      expect((await readPair(store, key, { beforeId }))?.answers).toEqual(pair?.answers);
      orders.add(pair?.answers.indexOf("given") ?? -1);
      beforeId = id;
    }
    // The same order twelve times is a chance of one in two thousand, and ids are new in each run: both come in most.
    expect([...orders].every((order) => order === 0 || order === 1)).toBe(true);
    expect(await readPair(store, key, { beforeId })).toBeUndefined();
    const [first = "", ...others] = ids;
    expect(await readPair(store, key, { skippedIds: others.map((id) => id.toUpperCase()) })).toMatchObject({
      id: first,
    });
    expect(await readPair(store, { ...key, projectId: newId() })).toBeUndefined();
  });

  it("shows a pair of the model first that a verdict is worth the most of", async () => {
    const { store, key, inferenceId, ids } = await begin(1);
    const shadow = createShadowStore(store);
    const reserved = { day: 0, budget: "", nanos: 0 };
    const record = (changes: object) => shadowRecord({ ...key, inferenceId, ...changes });
    for (let at = 0; at < 40; at++) {
      const isLiked = at % 2 === 0;
      const isGood = isLiked !== (at % 10 === 1);
      const check = { kind: "check", trialModel: null, trialGood: null, servedGood: isGood } as const;
      await shadow.write(record({ ...check, reward: isLiked ? 1 : 0 }), reserved);
      await shadow.write(record({ servedGood: isLiked, trialGood: at % 4 > 0 }), reserved);
    }
    const poor = record({ trialModel: "poor", trialGood: false });
    await shadow.write(poor, reserved, saying("tried poor"));
    expect((await readPair(store, key))?.id).toBe(poor.id);
    await makeDue();
    await learnAll();
    expect((await readPair(store, key))?.id).toBe(ids[0]);
    expect((await readPair(store, key, { skippedIds: ids }))?.id).toBe(poor.id);
  });

  it("keeps what people judged beside the latest 200 others", async () => {
    const { store, key, inferenceId, ids } = await begin(2);
    const [oldest = "", judged = ""] = ids;
    await judgePair(store, {
      projectId: key.projectId,
      id: judged,
      keyId: "pg_1",
      verdict: { first: true, second: true },
    });
    const shadow = createShadowStore(store);
    const reserved = { day: 0, budget: "", nanos: 0 };
    for (let at = 0; at < 200; at++)
      await shadow.write(shadowRecord({ ...key, inferenceId }), reserved, saying("later"));
    const pairs = store
      .query()
      .selectFrom("ShadowPair")
      .select("id")
      .where("projectId", "=", key.projectId)
      .orderBy("id");
    const kept = (await pairs.execute()).map(({ id }) => id);
    expect(kept).toHaveLength(201);
    expect(kept[0]).toBe(judged);
    expect(kept).not.toContain(oldest);
  });

  it("shows no pair whose conversation is not stored", async () => {
    const { store, key } = await begin(1, { isStored: false });
    expect(await readPair(store, key)).toBeUndefined();
  });

  it("writes a verdict once, as feedback on the given answer and a record on the trial's, and has both learned", async () => {
    const { store, key, inferenceId, ids } = await begin(2);
    const pair = await readPair(store, key);
    const isFirstGiven = pair?.answers[0] === "given";
    const judgement = {
      projectId: key.projectId,
      id: pair?.id ?? "",
      keyId: "pg_1",
      verdict: { first: !isFirstGiven, second: isFirstGiven },
    };
    expect(await judgePair(store, { ...judgement, projectId: newId() })).toBeUndefined();
    expect(await judgePair(store, judgement)).toEqual({
      inferenceId,
      servedModel: "base",
      models: isFirstGiven ? ["base", "good"] : ["good", "base"],
    });
    expect(await judgePair(store, judgement)).toBeUndefined();
    const left = store.query().selectFrom("ShadowPair").select(["id", "servedVerdict", "trialVerdict"]);
    expect(await left.where("projectId", "=", key.projectId).orderBy("id").execute()).toEqual([
      { id: ids[0], servedVerdict: null, trialVerdict: null },
      { id: ids[1], servedVerdict: false, trialVerdict: true },
    ]);
    expect((await readPair(store, key))?.id).toBe(ids[0]);
    const entries = store.query().selectFrom("FeedbackEntry").selectAll().where("inferenceId", "=", inferenceId);
    expect(await entries.execute()).toMatchObject([
      { name: "satisfactory", kind: "boolean", booleanValue: false, keyId: "pg_1", tags: { source: "blind pair" } },
    ]);
    const verdicts = store.query().selectFrom("ShadowTrial").selectAll().where("kind", "=", "verdict");
    expect(await verdicts.where("projectId", "=", key.projectId).execute()).toMatchObject([
      { inferenceId, servedModel: "good", servedGood: true, reward: 1, costNanos: null },
    ]);
    const audited = store.query().selectFrom("AuditEntry").select(["action", "after"]);
    const [entry] = await audited.where("projectId", "=", key.projectId).execute();
    expect(entry?.action).toBe("learning.judgePair");
    expect(JSON.parse(entry?.after ?? "")).toEqual({ inferenceId, base: false, good: true });
    await makeDue();
    await learnAll();
    const totals = await totalsOf(key);
    // The given answer's feedback is a reward; the trial's tells of the judge and its model, not of what users said.
    expect(totals).toMatchObject({ rewards: 1, praised: 1, praisedGood: 1, rejected: 0 });
    const { projectId } = key;
    await rebuildNow(store, { ...SHAPE, databaseUrl: databases.url, projectId });
    expect(await totalsOf(key)).toEqual(totals);
    const hour = { from: new Date(), to: new Date(Date.now() + 3_600_000) };
    expect(await readShadowUsage(store, { projectId, ...hour })).toMatchObject({ trials: 2, checks: 0 });
  });

  it("learns the grades of a second judge, of trials and of verdicts on them, and again in a rebuild", async () => {
    const { store } = databases;
    const shadow = createShadowStore(store);
    const key = { projectId: newId(), model: "base" };
    const row = served(key);
    await writeBatch(store, { inferences: [write(row)], feedback: [] });
    const record = shadowRecord({ ...key, inferenceId: row.id, servedGoodSecond: true, trialGoodSecond: false });
    await shadow.write(record, { day: 0, budget: "", nanos: 0 }, saying("tried"));
    const check = { kind: "check", trialModel: null, trialGood: null, reward: 1, servedGoodSecond: true } as const;
    await shadow.write(shadowRecord({ ...key, inferenceId: row.id, ...check }), { day: 0, budget: "", nanos: 0 });
    await judgePair(store, {
      projectId: key.projectId,
      id: record.id,
      keyId: "",
      verdict: { first: true, second: true },
    });
    const secondOf = async () => {
      await makeDue();
      await learnAll();
      const policy = (await readWorkload(store, key))?.learned?.policy;
      const [totals, byArm] = [{ ...policy?.totals }, { ...policy?.byArm }];
      const names = ["praised", "praisedGood", "second.praised", "second.praisedGood", "agreed.praisedGood"] as const;
      return [names.map((name) => totals[name]), byArm["secondPairGoods"]?.slice(0, 2)];
    };
    // The check: bad by the first, good by the second. The verdict: good by the first, bad by the second.
    const expected = [
      [2, 1, 2, 1, 0],
      [1, 0],
    ];
    expect(await secondOf()).toEqual(expected);
    await rebuildNow(store, { ...SHAPE, databaseUrl: databases.url, projectId: key.projectId });
    expect(await secondOf()).toEqual(expected);
  });
});
