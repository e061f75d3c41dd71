import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../../src/store/entities/inference.ts";
import { writeBatch } from "../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";
import { idAt, inferenceRow } from "../../support/rows.ts";
import { type DashboardService, startDashboardService } from "../harness.ts";
import { createPeople } from "../people.ts";

const DAY_MS = 86_400_000;

describe.each(ENGINES)("keys in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
  });

  afterAll(() => service.close());

  it("tell what each was used for in the last thirty days, in their own project", async () => {
    const { byRole, projectId } = await createPeople(service);
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
    const tokens = { inputTokens: 10, cacheReadTokens: 200, cacheWriteTokens: 3000, outputTokens: 40_000 };
    const calls: [string, Partial<InferenceRow>][] = [
      [ago(31), { keyId: "used" }],
      [ago(29), { keyId: "used", ...tokens, costNanos: 700 }],
      [ago(0), { keyId: "used", ...tokens, costNanos: 60, status: "failed" }],
      [ago(0), { keyId: "free", inputTokens: null, outputTokens: null, costNanos: null }],
      [ago(0), { keyId: "used", projectId: "00000000-0000-7000-8000-000000000001" }],
    ];
    await writeBatch(service.store, {
      inferences: calls.map(([time, changes], index) => ({
        row: inferenceRow({ projectId, ...changes, id: idAt(time, index), startedAt: new Date(time) }),
        ...{ attempts: [], request: undefined, response: undefined },
      })),
      feedback: [],
    });
    expect((await byRole.viewer.query("keys.usage", { projectId, publicIds: ["used", "free", "never"] })).data).toEqual(
      {
        days: 30,
        keys: [
          { publicId: "free", calls: 1, tokens: 0, costNanos: null },
          { publicId: "used", calls: 2, tokens: 86_420, costNanos: 760 },
        ],
      },
    );
  });

  it("are searched, put in order and read by the page, those that ended on demand", async () => {
    const { byRole, projectId } = await createPeople(service);
    const create = async (name: string) =>
      (await service.dashboard.keys.create(projectId, { name, expiresAt: undefined })).info;
    const [b, a, other] = [await create("Team b"), await create("team a"), await create("50%_off")];
    await service.dashboard.keys.revoke(projectId, other.id);
    const list = async (input: object) => {
      const { data } = await byRole.viewer.query("keys.list", { projectId, ...input });
      const { keys, ...counts } = data as { keys: { name: string }[] };
      return { names: keys.map(({ name }) => name), ...counts };
    };
    expect(await list({})).toEqual({ names: ["team a", "Team b"], total: 2, ended: 1 });
    expect(await list({ order: "name", limit: 1, offset: 1 })).toEqual({ names: ["Team b"], total: 2, ended: 1 });
    expect(await list({ text: "TEAM B" })).toMatchObject({ names: ["Team b"], total: 1 });
    expect(await list({ text: a.publicId.slice(2) })).toMatchObject({ names: ["team a"] });
    expect(await list({ text: "%_", withEnded: true })).toMatchObject({ names: ["50%_off"], total: 1 });
    const names = { [b.publicId]: "Team b", [other.publicId]: "50%_off" };
    const publicIds = [b.publicId, other.publicId, "unknown"];
    expect((await byRole.viewer.query("keys.names", { projectId, publicIds })).data).toEqual(names);
    const stranger = await createPeople(service);
    const ofOthers = { projectId: stranger.projectId, publicIds };
    expect((await stranger.byRole.viewer.query("keys.names", ofOthers)).data).toEqual({});
  });

  it.each([
    [{ limit: 101 }, "limit: must be 100 or less"],
    [{ offset: -1 }, "offset: must not be negative"],
    [{ order: "cost" }, "order: must be one of created, name, lastUsed"],
  ])("refuse %j", async (input, message) => {
    const { byRole, projectId } = await createPeople(service);
    expect((await byRole.viewer.query("keys.list", { projectId, ...input })).error?.message).toBe(message);
  });
});
