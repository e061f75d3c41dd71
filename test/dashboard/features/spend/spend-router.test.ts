import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { splitIntoChunks } from "../../../../src/lib/split-into-chunks.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow } from "../../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const RANGE = { range: "custom", from: "2026-11-10T00:00:00Z", to: "2026-11-11T00:00:00Z" };

describe.each(ENGINES)("spend in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let written = 0;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });
  afterAll(() => service.close());

  const write = async (projectId: string, calls: readonly [string, Partial<InferenceRow>][]) => {
    const rows = calls.map(([time, changes]) => {
      written += 1;
      return inferenceRow({ projectId, id: idAt(time, written), startedAt: new Date(time), ...changes });
    });
    const inferences = rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined }));
    await writeBatch(service.store, { inferences, feedback: [] });
  };

  it("is ranked by key, user, session and tag, with the change against the period before", async () => {
    const { byRole, projectId } = await createPeople(service);
    const whose = { sessionId: "run", endUserId: "ada", tags: { team: "search" } };
    await write(projectId, [
      ["2026-11-10T10:00:00Z", { keyId: "a", costNanos: 600, ...whose }],
      ["2026-11-10T11:00:00Z", { keyId: "a", costNanos: 300, ...whose }],
      ["2026-11-10T12:00:00Z", { keyId: "b", costNanos: 100 }],
      ["2026-11-09T12:00:00Z", { keyId: "b", costNanos: 400 }],
    ]);
    const rank = async (by: string) => (await byRole.viewer.query("spend.ranking", { projectId, ...RANGE, by })).data;
    expect(await rank("key")).toMatchObject({
      rows: [
        { value: "a", calls: 2, tokens: 60, costNanos: 900, share: 0.9, endedNanos: 900, beforeNanos: 0 },
        { value: "b", calls: 1, costNanos: 100, share: 0.1, beforeNanos: 400 },
      ],
      rowCount: 2,
      total: { calls: 3, costNanos: 1000 },
      compared: { now: { calls: 3, costNanos: 1000 }, before: { calls: 1, costNanos: 400 } },
      unpricedCalls: 0,
      isTooLong: false,
      shadowNanos: null,
    });
    for (const [by, value] of [
      ["session", "run"],
      ["end_user", "ada"],
      ["tag", "team=search"],
    ] as const) {
      expect(await rank(by)).toMatchObject({ rows: [{ value, calls: 2, costNanos: 900 }] });
    }
    const ofDay = { range: "custom", from: "2026-11-12T00:00:00Z", to: "2026-11-13T00:00:00Z", by: "key" };
    await write(projectId, [["2026-11-12T10:00:00Z", { keyId: "a", costNanos: null }]]);
    const unpriced = (await byRole.viewer.query("spend.ranking", { projectId, ...ofDay })).data;
    expect(unpriced).toMatchObject({ rows: [{ value: "a", isPriced: false }], total: { calls: 1, costNanos: null } });
    // Of a part of a day, the whole day before is the period before.
    const part = { ...RANGE, from: "2026-11-10T10:00:00Z", to: "2026-11-10T12:00:00Z", by: "end_user" };
    const ofPart = (await byRole.viewer.query("spend.ranking", { projectId, ...part })).data;
    expect(ofPart).toMatchObject({
      rows: [{ value: "ada", costNanos: 900, beforeNanos: 0 }],
      compared: { before: { costNanos: 400 } },
    });
    const { error } = await byRole.viewer.query("spend.ranking", { projectId, ...RANGE, by: "moon" });
    expect(error?.message).toBe("by: must be one of key, model, workload, session, end_user, tag");
  });

  it("tells what is left of budgets, the scarcest first, and which are reached", async () => {
    const { byRole, projectId } = await createPeople(service);
    const now = new Date().toISOString();
    await write(projectId, [[now, { keyId: "a", costNanos: 900, endUserId: "ada", tags: { team: "search" } }]]);
    const set = (kind: string, name: string, settings: object) =>
      byRole.owner.mutate("quotas.set", { projectId, owner: { kind, name }, settings });
    await set("endUser", "ada", { costNanosPerDay: 900, requestsPerMinute: 5 });
    await set("tag", "team=search", { costNanosTotal: 3600 });
    expect((await byRole.viewer.query("spend.budgets", { projectId })).data).toMatchObject({
      budgets: [
        { kind: "endUser", name: "ada", rule: "costNanosPerDay", limit: 900, spent: 900, leftNanos: 0 },
        { kind: "tag", name: "team=search", rule: "costNanosTotal", spent: 900, leftNanos: 2700, resetsAtMs: null },
      ],
    });
  });

  it("lists the scarcest budgets of more than it shows, whoever's they are and wherever their names stand", async () => {
    const { byRole, projectId } = await createPeople(service);
    const now = new Date().toISOString();
    await write(projectId, [[now, { keyId: "a", costNanos: 900, tags: { team: "search" } }]]);
    const settings = JSON.stringify({ costNanosPerDay: 1000 });
    const quotas = Array.from({ length: 1200 }, (_, at) => ({
      kind: "endUser",
      projectId,
      name: `user-${at}`,
      settings,
      updatedAt: new Date(at),
    }));
    await service.store.query().insertInto("Quota").values(quotas).execute();
    const set = (kind: string, name: string, settings: object) =>
      byRole.owner.mutate("quotas.set", { projectId, owner: { kind, name }, settings });
    await set("tag", "team=search", { costNanosPerDay: 1000 });
    await set("tag", "team=blocked", { costNanosPerDay: 0 });
    const { data } = await byRole.viewer.query("spend.budgets", { projectId });
    expect(data).toMatchObject({ budgetCount: 1202 });
    expect((data as { budgets: object[] }).budgets).toHaveLength(200);
    expect((data as { budgets: object[] }).budgets.slice(0, 3)).toMatchObject([
      { kind: "tag", name: "team=blocked", limit: 0, leftNanos: 0 },
      { kind: "tag", name: "team=search", spent: 900, leftNanos: 100 },
      { kind: "endUser", spent: 0, leftNanos: 1000 },
    ]);
  });

  it("tells what is spent by end users and tags that are too many for figures", async () => {
    const { byRole, projectId } = await createPeople(service);
    const now = new Date().toISOString();
    const set = (kind: string, name: string) =>
      byRole.owner.mutate("quotas.set", { projectId, owner: { kind, name }, settings: { costNanosPerDay: 1000 } });
    const names = Array.from({ length: 2000 }, (_, at) => `user-${at}`);
    const rows = names.map((name) => ({ projectId, kind: "end_user", name }));
    for (const some of splitIntoChunks(rows, 500)) {
      await service.store.query().insertInto("RollupName").values(some).execute();
    }
    const tags = Array.from({ length: 200 }, (_, at) => ({ projectId, kind: "tag", name: `run=${at}` }));
    await service.store.query().insertInto("RollupName").values(tags).execute();
    await write(projectId, [
      [now, { costNanos: 300, endUserId: "late", tags: { team: "a=b" } }],
      [now, { costNanos: 400, endUserId: "late", tags: { team: "a=b" } }],
      [now, { costNanos: 50, endUserId: "user-7" }],
    ]);
    for (const name of ["late", "user-7", "silent"]) await set("endUser", name);
    await set("tag", "team=a=b");
    const { data } = await byRole.viewer.query("spend.budgets", { projectId });
    expect(
      (data as { budgets: { name: string; spent: number }[] }).budgets.map(({ name, spent }) => [name, spent]),
    ).toEqual(
      expect.arrayContaining([
        ["late", 700],
        ["team=a=b", 700],
        ["user-7", 50],
        ["silent", 0],
      ]),
    );
  });
});
