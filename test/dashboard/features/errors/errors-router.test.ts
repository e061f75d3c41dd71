import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { noteConfiguration } from "../../../../src/store/audit/note-configuration.ts";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { createKey, revokeKey } from "../../../../src/store/keys/key-repository.ts";
import { writeQuota } from "../../../../src/store/quotas/write-quota.ts";
import { writeRefusals } from "../../../../src/store/refusals/write-refusals.ts";
import { writeSettings } from "../../../../src/store/settings/write-settings.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow, refusedAt } from "../../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const RANGE = { range: "custom", from: "2026-11-10T10:00:00Z", to: "2026-11-10T13:00:00Z" };
const HOUR = Date.parse(RANGE.from) / 3_600_000;

describe.each(ENGINES)("errors in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });
  afterAll(() => service.close());

  it("are counted by reason, upstream, model and key, with the words of upstreams and who was affected", async () => {
    const { byRole, projectId } = await createPeople(service);
    const overloaded = {
      status: "failed",
      errorReason: "upstream_overloaded",
      errorUpstreamStatus: 529,
      errorUpstreamCode: "busy",
      model: "base",
      servedModel: "small",
      upstream: "anthropic",
    };
    const calls: [string, Partial<InferenceRow>][] = [
      ["10:10", { ...overloaded, errorMessage: "overloaded, request 1", sessionId: "s", endUserId: "ada" }],
      ["12:20", { ...overloaded, errorMessage: "overloaded, request 22", sessionId: "s", endUserId: "bob" }],
      ["12:30", { ...overloaded, errorReason: "timeout", errorMessage: "too slow", upstream: "openai", keyId: "k2" }],
      ["12:40", { status: "completed" }],
      ["09:59", overloaded],
    ];
    const rows = calls.map(([time, changes], index) =>
      inferenceRow({ projectId, ...changes, id: idAt(`2026-11-10T${time}:00Z`, index + 1) }),
    );
    await writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    });
    const at = new Date("2026-11-10T11:05:00Z");
    await writeRefusals(service.store, {
      counts: [{ reason: "limit", projectId, keyId: "k2", ...refusedAt(at.getTime()), calls: 7 }],
      samples: [{ reason: "limit", projectId, keyId: "k2", id: newId(), at, call: "POST /v1/messages", message: "no" }],
    });
    const { data, error } = await byRole.viewer.query("errors.summary", { projectId, ...RANGE });
    expect(error).toBeUndefined();
    const common = { upstream: "anthropic", reason: "upstream_overloaded" };
    expect(data).toMatchObject({
      calls: 4,
      failed: 3,
      refused: 7,
      read: 3,
      series: [
        { isRefused: false, reason: "upstream_overloaded", calls: [1, 0, 1] },
        { isRefused: false, reason: "timeout", calls: [0, 0, 1] },
        { isRefused: true, reason: "limit", calls: [0, 7, 0] },
      ],
      words: [
        {
          ...common,
          upstreamStatus: 529,
          upstreamCode: "busy",
          message: "overloaded, request 22",
          calls: 2,
          sessions: 1,
          users: 2,
          latestId: rows[1]?.id,
          firstMs: Date.parse("2026-11-10T10:10:00Z"),
          lastMs: Date.parse("2026-11-10T12:20:00Z"),
        },
        { reason: "timeout", message: "too slow", sessions: 0, users: 0 },
      ],
      sessions: [{ id: "s", calls: 2 }],
      users: [
        { id: "bob", calls: 1 },
        { id: "ada", calls: 1 },
      ],
    });
  });

  it("are grouped by what is asked for, refused ones by reason and key, and by end user from their rows", async () => {
    const { byRole, projectId } = await createPeople(service);
    const timeout = { status: "failed", errorReason: "timeout", servedModel: "small", upstream: "openai" };
    const calls: [string, Partial<InferenceRow>][] = [
      ["10:10", { ...timeout, endUserId: "ada" }],
      ["12:20", { ...timeout, endUserId: "ada", keyId: "k2" }],
      ["12:30", { ...timeout, endUserId: "bob", servedModel: "large" }],
      ["12:40", { ...timeout, endUserId: null }],
      ["12:50", { endUserId: "ada" }],
      ["13:00", { ...timeout, endUserId: "ada" }],
    ];
    const rows = calls.map(([time, changes], index) =>
      inferenceRow({ projectId, ...changes, id: idAt(`2026-11-10T${time}:00Z`, index + 11) }),
    );
    await writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    });
    const hour = (at: number) => Math.round((HOUR + at) * 3_600_000);
    const counts = [
      { reason: "limit" as const, projectId, keyId: "k2", calls: 7, ...refusedAt(hour(0.2)) },
      { reason: "limit" as const, projectId, keyId: "k3", calls: 2, ...refusedAt(hour(2.4)) },
      { reason: "limit" as const, projectId, keyId: "k3", calls: 50, ...refusedAt(hour(3)) },
    ];
    await writeRefusals(service.store, { counts, samples: [] });
    const groups = async (by: readonly string[]) => {
      const { data, error } = await byRole.viewer.query("errors.groups", { projectId, ...RANGE, by });
      expect(error).toBeUndefined();
      return data as { groups: object[]; groupCount: number; latestCalls: number | null };
    };
    const failed = { isRefused: false };
    const ofSmall = { ...failed, values: { reason: "timeout", model: "small" }, calls: 3 };
    expect(await groups(["reason", "model"])).toMatchObject({
      groupCount: 3,
      latestCalls: null,
      fromMs: hour(0),
      toMs: hour(3),
      groups: [
        { isRefused: true, values: { reason: "limit" }, calls: 9, firstMs: hour(0.2), lastMs: hour(2.4) },
        // 10:10 and 12:40, to the minute; 12:30.
        {
          ...ofSmall,
          firstMs: hour(1 / 6),
          lastMs: hour(2 + 2 / 3),
          firstStepMs: 0,
          lastStepMs: 0,
          latestId: rows[3]?.id,
        },
        { ...failed, values: { reason: "timeout", model: "large" }, calls: 1, firstMs: hour(2.5), lastMs: hour(2.5) },
      ],
    });
    expect((await groups(["reason", "key"])).groups).toMatchObject([
      { isRefused: true, values: { reason: "limit", key: "k2" }, calls: 7, firstMs: hour(0.2), lastMs: hour(0.2) },
      { isRefused: false, values: { reason: "timeout", key: "abcdefghijkl" }, calls: 3 },
      { isRefused: true, values: { reason: "limit", key: "k3" }, calls: 2 },
      { isRefused: false, values: { reason: "timeout", key: "k2" }, calls: 1 },
    ]);
    const byUser = await groups(["model", "user"]);
    expect(byUser).toMatchObject({ groupCount: 3, latestCalls: null });
    const ofAda = {
      isRefused: false,
      values: { model: "small", user: "ada" },
      calls: 2,
      latestId: rows[1]?.id,
      firstStepMs: 0,
      lastStepMs: 0,
      firstMs: Date.parse("2026-11-10T10:10:00Z"),
      lastMs: Date.parse("2026-11-10T12:20:00Z"),
    };
    expect(byUser.groups).toEqual(
      expect.arrayContaining([
        ofAda,
        expect.objectContaining({ values: { model: "large", user: "bob" }, calls: 1 }),
        expect.objectContaining({ values: { model: "small", user: "" }, calls: 1 }),
      ]),
    );
    // Without all rows of an hour, nobody knows when in it the last call was.
    await service.store
      .query()
      .deleteFrom("Inference")
      .where("id", "=", rows[1]?.id ?? "")
      .execute();
    expect((await groups(["model"])).groups).toMatchObject([
      { calls: 3, firstMs: hour(1 / 6), firstStepMs: 0, lastMs: hour(2), lastStepMs: 3_600_000 },
      { calls: 1, firstStepMs: 0, lastStepMs: 0 },
    ]);
  });

  it("stand beside what changed at that time", async () => {
    const { byRole, projectId } = await createPeople(service);
    const { info } = await createKey(service.store, { projectId, name: "backend" });
    await revokeKey(service.store, info.publicId);
    const owner = { kind: "endUser", projectId, name: "ada" } as const;
    await writeQuota(service.store, { owner, change: { requestsPerMinute: 3 } });
    await writeSettings(service.store, projectId, { aliases: { fast: "claude-haiku-5-5" } });
    const begun = { id: newId(), projectId, model: "small", at: new Date(), kind: "begun", detail: {} };
    await service.store.query().insertInto("WorkloadEvent").values(begun).execute();
    await noteConfiguration(service.store, { version: "0.3.0", sections: { models: [] } });
    const { data } = await byRole.viewer.query("errors.summary", { projectId, range: "24h" });
    expect(data).toMatchObject({ calls: 0, failed: 0, refused: 0, series: [], words: [] });
    const { changes } = data as { readonly changes: readonly { kind: string; name: string; detail: object }[] };
    expect(changes.map(({ kind, name, detail }) => [kind, name, detail]).sort()).toEqual([
      ["configuration.serve", "", { version: "0.3.0", changed: [] }],
      ["key-created", "backend", {}],
      ["key-revoked", "backend", {}],
      ["projectSettings.set", "", {}],
      ["quotas.set", "end user ada", {}],
    ]);
  });

  it("can be listed by reason, upstream and the model that failed", async () => {
    const { byRole, projectId } = await createPeople(service);
    const failed = { projectId, status: "failed", errorReason: "timeout", servedModel: "small", upstream: "openai" };
    const rows = [failed, { ...failed, upstream: "azure" }, { ...failed, servedModel: "large" }, { projectId }].map(
      (changes, index) => inferenceRow({ ...changes, id: idAt("2026-11-11T10:00:00Z", index + 1) }),
    );
    await writeBatch(service.store, {
      inferences: rows.map((row) => ({ row, attempts: [], request: undefined, response: undefined })),
      feedback: [],
    });
    const list = async (filter: object) => {
      const { data } = await byRole.viewer.query("history.list", { projectId, filter });
      return (data as { rows: { id: string }[] }).rows.map(({ id }) => rows.findIndex((row) => row.id === id));
    };
    expect(await list({ errorReason: "timeout" })).toEqual([2, 1, 0]);
    expect(await list({ errorReason: "timeout", upstream: "openai", servedModel: "small" })).toEqual([0]);
  });
});
