import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput, type HubInit } from "../../../src/hub/input.ts";
import { encodeRequest } from "../../../src/hub/request-bytes.ts";
import { Learner } from "../../../src/learning/learner/learner.ts";
import type { RewardedAnswer } from "../../../src/learning/ports.ts";
import { newId } from "../../../src/lib/ids.ts";
import { createLearnerStore } from "../../../src/store/learning/open-learning.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import { readWorkload } from "../../../src/store/learning/workload-reads.ts";
import { readShadowUsage } from "../../../src/store/usage/read-shadow-usage.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { CONTROLS } from "../../support/controls.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { rebuildNow } from "../../support/rebuild.ts";
import { feedbackRow } from "../../support/rows.ts";
import { shadowRecord } from "../../support/shadow-record.ts";
import { MODELS, said, served, write } from "./fill.ts";

const SHAPE = { arms: MODELS, priors: {}, controlsOf: () => CONTROLS };
const DAY_MS = 86_400_000;

interface Rated {
  readonly note?: string;
  readonly isStored?: boolean;
  readonly family?: string;
}

let days = 20_000;
/** A store of a day that no other test has. */
const someDay = () => {
  const nowMs = days++ * DAY_MS + 1;
  return () => nowMs;
};

describe.each(ENGINES)("createShadowStore() on %s", (engine) => {
  const databases = useDatabases(engine);
  const spentOn = async (day: number | undefined) => {
    const rows = databases.store
      .query()
      .selectFrom("ShadowDay")
      .select("spentNanos")
      .where("day", "=", day ?? -1);
    return (await rows.executeTakeFirst())?.spentNanos;
  };
  const learnAll = async (onRewarded?: (rewarded: readonly RewardedAnswer[]) => void) => {
    const log = { warn: () => {} };
    const learner = new Learner({
      store: createLearnerStore(databases.store),
      ...SHAPE,
      pollMs: 1000,
      log,
      onRewarded,
    });
    while ((await learner.learn()) === "some");
  };
  const learnedOf = async (key: { projectId: string; model: string }) =>
    (await readWorkload(databases.store, key))?.learned?.policy;

  it("sets money aside while the day has some, for all processes together", async () => {
    const now = someDay();
    const processes = [createShadowStore(databases.store, now), createShadowStore(databases.store, now)];
    const reserved = await Promise.all(
      Array.from(
        { length: 10 },
        (_, at) => processes[at % 2]?.reserve({ budget: "", mostNanos: 1000 }, 300) ?? undefined,
      ),
    );
    const taken = reserved.filter((reservation) => reservation !== undefined);
    expect(taken).toHaveLength(3);
    expect(await spentOn(taken[0]?.day)).toBe(900);
    const [first] = taken;
    if (first !== undefined) await processes[0]?.release(first);
    expect(await processes[1]?.reserve({ budget: "", mostNanos: 1000 }, 400)).toMatchObject({ nanos: 400 });
    expect(
      await createShadowStore(databases.store, someDay()).reserve({ budget: "", mostNanos: 1000 }, 1001),
    ).toBeUndefined();
    // Each budget has its own money of a day.
    const [other, more] = [
      await processes[0]?.reserve({ budget: "p", mostNanos: 1000 }, 900),
      await processes[0]?.reserve({ budget: "p", mostNanos: 1000 }, 200),
    ];
    expect([other?.budget, more]).toEqual(["p", undefined]);
    if (other !== undefined) await processes[1]?.release(other);
    expect(await processes[0]?.reserve({ budget: "p", mostNanos: 1000 }, 1000)).toMatchObject({ budget: "p" });
  });

  it("writes a record once, with what it cost in the place of what was set aside, and has it learned", async () => {
    const projectId = newId();
    const shadow = createShadowStore(databases.store, someDay());
    const [one, other] = [
      await shadow.reserve({ budget: "", mostNanos: 1e6 }, 5000),
      await shadow.reserve({ budget: "", mostNanos: 1e6 }, 5000),
    ];
    if (one === undefined || other === undefined) throw new Error("there was money");
    const record = shadowRecord({ projectId });
    await shadow.write(record, one);
    // A commit whose answer was lost: it is written again, and counted once.
    await shadow.write(record, one);
    expect(await spentOn(one.day)).toBe(5600);
    const free = shadowRecord({ projectId, costNanos: null, servedGood: null, trialGood: null, outcome: "ungraded" });
    await shadow.write(free, other);
    expect(await spentOn(one.day)).toBe(600);
    await databases.store
      .query()
      .updateTable("LearningBatch")
      .set({ dueAt: new Date(0) })
      .execute();
    await learnAll();
    const policy = await learnedOf({ projectId, model: "base" });
    expect(policy?.byFamilyAndArm["gradeCounts"]).toEqual([0, 0, 0, 1, 1, 0]);
    expect(policy?.byFamilyAndArm["gradeGoods"]).toEqual([0, 0, 0, 0, 1, 0]);
    const rows = databases.store.query().selectFrom("ShadowTrial").selectAll().where("projectId", "=", projectId);
    expect(await rows.orderBy("id").execute()).toEqual([record, free]);
  });

  it("has a rebuild learn grades and checks again, and forget none of them", async () => {
    const key = { projectId: newId(), model: "base" };
    const shadow = createShadowStore(databases.store);
    const rewarded: RewardedAnswer[] = [];
    for (let count = 0; count < 12; count++) {
      const row = served(key);
      await writeBatch(databases.store, { inferences: [write(row)], feedback: [said(row, count % 2 === 0)] });
      await learnAll((learned) => rewarded.push(...learned));
      const facts = { ...key, inferenceId: row.id };
      const reservation = (await shadow.reserve({ budget: "", mostNanos: 1e9 }, 1)) ?? { day: 0, budget: "", nanos: 0 };
      await shadow.write(shadowRecord({ ...facts, servedGood: count % 3 === 0 }), reservation);
      const check = { kind: "check", trialModel: null, trialGood: null, reward: rewarded.at(-1)?.reward ?? 0 } as const;
      await shadow.write(shadowRecord({ ...facts, ...check, servedGood: count % 2 === 0 }), reservation);
      const silent = { kind: "silent", trialModel: null, trialGood: null } as const;
      await shadow.write(shadowRecord({ ...facts, ...silent, servedGood: null, outcome: "ungraded" }), reservation);
      await learnAll();
    }
    expect(rewarded).toHaveLength(12);
    expect(rewarded[1]).toMatchObject({ key, servedModel: "base", family: "tag:a", reward: 0 });
    const live = await learnedOf(key);
    expect(live?.totals).toMatchObject({ praised: 6, praisedGood: 6, rejected: 6, rejectedGood: 0, silent: 0 });
    const rebuilt = await rebuildNow(databases.store, {
      ...SHAPE,
      databaseUrl: databases.url,
      projectId: key.projectId,
    });
    expect(rebuilt).toEqual({ events: 48, workloads: 1 });
    expect(await learnedOf(key)).toEqual(live);
  });

  it("reads an answer with its conversation where all of it is stored", async () => {
    const { store } = databases;
    const shadow = createShadowStore(store);
    const response = create(GenerateResponseSchema, { content: [{ kind: { case: "text", value: { text: "42" } } }] });
    const writeWith = async (init: HubInit, isStored = true) => {
      const row = served({ projectId: newId() });
      const bodies = {
        request: encodeRequest(createHubInput(init)),
        response: toBinary(GenerateResponseSchema, response),
      };
      await writeBatch(store, { inferences: [{ ...write(row), ...(isStored && bodies) }], feedback: [] });
      return row;
    };
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "6 x 7?" } } } as const] }];
    const { id, projectId } = await writeWith({ messages });
    const answered = await shadow.readAnswer(id, projectId);
    expect(answered?.response.content).toEqual(response.content);
    expect(answered?.input.messages[0]?.content[0]?.kind).toMatchObject({ case: "text", value: { text: "6 x 7?" } });
    expect(await shadow.readAnswer(id, newId())).toBeUndefined();
    for (const row of [await writeWith({ messages, previousId: id }), await writeWith({ messages }, false)]) {
      expect(await shadow.readAnswer(row.id, row.projectId)).toBeUndefined();
    }
  });

  it("reads liked and disliked answers of a family that are stored whole, those with notes first", async () => {
    const { store } = databases;
    const shadow = createShadowStore(store);
    const key = { projectId: newId(), model: "base" };
    const messages = [{ role: Role.USER, content: [{ kind: { case: "text", value: { text: "?" } } } as const] }];
    const rate = async (reward: number, { note, isStored = true, family = "tag:a" }: Rated = {}) => {
      const row = served(key);
      const content = [{ kind: { case: "text", value: { text: `reward ${reward}` } } } as const];
      const bodies = {
        request: encodeRequest(createHubInput({ messages })),
        response: toBinary(GenerateResponseSchema, create(GenerateResponseSchema, { content })),
      };
      const on = { projectId: key.projectId, inferenceId: row.id, name: "why", floatValue: null };
      const feedback = note === undefined ? [] : [feedbackRow({ ...on, kind: "note", textValue: note })];
      await writeBatch(store, { inferences: [{ ...write(row), ...(isStored && bodies) }], feedback });
      const check = { kind: "check", trialModel: null, trialGood: null, reward, family } as const;
      const reservation = (await shadow.reserve({ budget: "", mostNanos: 1e9 }, 1)) ?? { day: 0, budget: "", nanos: 0 };
      await shadow.write(shadowRecord({ ...key, inferenceId: row.id, ...check }), reservation);
      return row.id;
    };
    const noted = await rate(0, { note: "too long" });
    const ids = [await rate(1), await rate(0), await rate(0.9), await rate(0.1)];
    await rate(0.5);
    await rate(1, { isStored: false });
    await rate(1, { family: "tag:b" });
    const rated = await shadow.readRated({ ...key, family: "tag:a" }, 2);
    expect(rated.map(({ inferenceId, isLiked, notes }) => [inferenceId, isLiked, notes])).toEqual([
      [ids[2], true, []],
      [ids[0], true, []],
      [noted, false, ["too long"]],
      [ids[3], false, []],
    ]);
    expect(rated[0]?.response.content[0]?.kind).toMatchObject({ value: { text: "reward 0.9" } });
    expect(await shadow.readRated({ ...key, projectId: newId(), family: "tag:a" }, 2)).toEqual([]);
  });

  it("adds up what trials and checks of a time cost", async () => {
    const projectId = newId();
    const shadow = createShadowStore(databases.store);
    const reservation = (await shadow.reserve({ budget: "", mostNanos: 1e9 }, 0)) ?? { day: 0, budget: "", nanos: 0 };
    const check = { kind: "check", trialModel: null, trialGood: null, reward: 1 } as const;
    const hour = { from: new Date(), to: new Date(Date.now() + 3_600_000) };
    expect(await readShadowUsage(databases.store, { projectId, ...hour })).toBeUndefined();
    await shadow.write(shadowRecord({ projectId, costNanos: null }), reservation);
    expect(await readShadowUsage(databases.store, { projectId, ...hour })).toMatchObject({ costNanos: null });
    await shadow.write(shadowRecord({ projectId, costNanos: 4e9 }), reservation);
    await shadow.write(shadowRecord({ projectId, ...check, costNanos: 5e9, model: "other" }), reservation);
    const read = (more: object) => readShadowUsage(databases.store, { projectId, ...hour, ...more });
    expect(await read({})).toEqual({ trials: 2, checks: 1, costNanos: 9e9 });
    expect(await read({ model: "other" })).toEqual({ trials: 0, checks: 1, costNanos: 5e9 });
    const before = { from: new Date(0), to: new Date(Date.now() - 2 * 3_600_000) };
    expect(await read(before)).toBeUndefined();
  });
});
