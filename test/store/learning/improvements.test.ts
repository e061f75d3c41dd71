import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { createImproveStore } from "../../../src/store/learning/improve-store.ts";
import {
  beatImprovement,
  cancelImprovement,
  endImprovement,
  readImprovement,
  requestImprovement,
  takeImprovement,
} from "../../../src/store/learning/improvements.ts";
import { createShadowStore } from "../../../src/store/learning/shadow-store.ts";
import type { ImprovementEnd } from "../../../src/vocabulary/improvement.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { feedbackRow, inferenceRow } from "../../support/rows.ts";
import { shadowRecord } from "../../support/shadow-record.ts";

describe.each(ENGINES)("improvements on %s", (engine) => {
  const databases = useDatabases(engine);
  const asked = { models: ["good"], mostNanos: 2e9, mostCalls: 300 };
  let key: { readonly projectId: string; readonly model: string };

  beforeEach(() => {
    key = { projectId: newId(), model: "base" };
  });
  afterEach(() => databases.store.query().deleteFrom("WorkloadImprovement").execute());

  const request = () => requestImprovement(databases.store, { key, ...asked });

  it("are asked for once, and taken by one process", async () => {
    const { id } = await request();
    expect((await request()).id).toBe(id);
    const holders = [newId(), newId()];
    const taken = await Promise.all(holders.map((holder) => takeImprovement(databases.store, holder)));
    expect(taken.filter((one) => one !== undefined)).toEqual([
      { id, key, ...asked, requestedAtMs: expect.any(Number), calls: 0 },
    ]);
    const [first = "", second = ""] = taken[0] === undefined ? holders.toReversed() : holders;
    expect(await beatImprovement(databases.store, id, first)).toBe(true);
    expect(await beatImprovement(databases.store, id, second)).toBe(false);
    expect(await takeImprovement(databases.store, second)).toBeUndefined();
  });

  it("are taken over from a process that is silent, which then writes nothing of them", async () => {
    const { id } = await request();
    const [dead, next] = [newId(), newId()];
    await takeImprovement(databases.store, dead);
    await databases.store
      .query()
      .updateTable("WorkloadImprovement")
      .set({ beatAt: new Date(0) })
      .execute();
    expect(await takeImprovement(databases.store, next)).toMatchObject({ id });
    await endImprovement(databases.store, { id, holder: dead }, "settled");
    expect(await readImprovement(databases.store, key)).toMatchObject({ state: "running", endedAt: null });
    await endImprovement(databases.store, { id, holder: next }, undefined);
    expect(await readImprovement(databases.store, key)).toMatchObject({
      state: "waiting",
      startedAt: expect.any(Date),
    });
  });

  it("tell what their trials have cost, also once these are deleted", async () => {
    const { id } = await request();
    const holder = newId();
    await takeImprovement(databases.store, holder);
    const shadow = createShadowStore(databases.store);
    const facts = { projectId: key.projectId, improvementId: id };
    const reservation = { day: 0, budget: "", nanos: 0 };
    await shadow.write(shadowRecord({ ...facts, costNanos: 700 }), reservation);
    await shadow.write(shadowRecord({ ...facts, kind: "check", trialModel: null, costNanos: 30 }), reservation);
    await shadow.write(shadowRecord({ projectId: key.projectId }), reservation);
    const counted = { calls: 1, checks: 1, spentNanos: 730 };
    expect(await readImprovement(databases.store, key)).toMatchObject(counted);
    expect((await takeAgain(id))?.calls).toBe(1);
    const end: ImprovementEnd = "calls";
    await endImprovement(databases.store, { id, holder: LATER }, end);
    await databases.store.query().deleteFrom("ShadowTrial").where("improvementId", "=", id).execute();
    expect(await readImprovement(databases.store, key)).toMatchObject({ ...counted, state: "done", ending: end });
  });

  const LATER = newId();
  async function takeAgain(id: string) {
    await databases.store
      .query()
      .updateTable("WorkloadImprovement")
      .set({ beatAt: new Date(0) })
      .where("id", "=", id)
      .execute();
    return await takeImprovement(databases.store, LATER);
  }

  it("are canceled while they wait or run, and no later", async () => {
    expect(await cancelImprovement(databases.store, key)).toBeUndefined();
    const { id } = await request();
    const holder = newId();
    await takeImprovement(databases.store, holder);
    expect(await cancelImprovement(databases.store, key)).toMatchObject({ id, state: "canceled" });
    expect(await beatImprovement(databases.store, id, holder)).toBe(false);
    expect((await request()).id).not.toBe(id);
  });

  it("read recorded answers of base that nobody was tried on, and what people said of those that nobody graded", async () => {
    const { store } = databases;
    const improve = createImproveStore(store);
    const row = (changes: Parameters<typeof inferenceRow>[0] = {}) =>
      inferenceRow({ projectId: key.projectId, model: key.model, family: "tag:a", ...changes });
    const [plain, tried, graded, rated] = [row(), row(), row(), row()];
    const others = [
      row({ projectId: newId() }),
      row({ model: "other" }),
      row({ servedModel: "good" }),
      row({ status: "failed" }),
      row({ family: "" }),
      // PostgreSQL has no partition for what is too old.
      ...(engine === "sqlite" ? [row({ id: "00000000-0000-7000-8000-000000000001" })] : []),
    ];
    const unkept = row();
    const all = [plain, tried, graded, rated, ...others];
    await store
      .query()
      .insertInto("Inference")
      .values([...all, unkept])
      .execute();
    const body = { request: Buffer.alloc(0), response: Buffer.alloc(0), prompt: "", answer: "" };
    await store
      .query()
      .insertInto("InferenceBody")
      .values(all.map(({ id, projectId }) => ({ id, projectId, ...body })) as never)
      .execute();
    const shadow = createShadowStore(store);
    const reservation = { day: 0, budget: "", nanos: 0 };
    const of = ({ id }: { readonly id: string }) => ({ projectId: key.projectId, inferenceId: id });
    await shadow.write(shadowRecord(of(tried)), reservation);
    await shadow.write(shadowRecord({ ...of(graded), kind: "check", trialModel: null }), reservation);
    const said = (inferenceId: string, changes: Parameters<typeof feedbackRow>[0] = {}) =>
      feedbackRow({ projectId: key.projectId, inferenceId, ...changes });
    await store
      .query()
      .insertInto("FeedbackEntry")
      .values([
        said(graded.id),
        said(rated.id, { name: "liked", kind: "boolean", booleanValue: true, floatValue: null }),
        said(rated.id, { name: "liked", kind: "boolean", booleanValue: false, floatValue: null }),
        said(rated.id, { name: "stars", floatValue: 4, optimize: null }),
        said(rated.id, { name: "note", kind: "note", textValue: "good", floatValue: null }),
        said(plain.id, { name: "whole", sessionId: "s" }),
      ])
      .execute();
    const ids = (calls: readonly { readonly inferenceId: string }[]) => calls.map(({ inferenceId }) => inferenceId);
    expect(ids(await improve.readRecorded(key, 10))).toEqual([rated.id, graded.id, plain.id]);
    expect(ids(await improve.readRecorded(key, 2))).toEqual([rated.id, graded.id]);
    expect(await improve.readUngraded(key, 10)).toEqual([
      {
        inferenceId: rated.id,
        family: "tag:a",
        values: [
          { name: "liked", value: true, optimize: "max" },
          { name: "stars", value: 4, optimize: null },
        ],
      },
    ]);
    expect(ids(await improve.readSilent(key, 10))).toEqual([tried.id]);
  });
});
