import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeQuota } from "../../../../src/store/quotas/write-quota.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

const NOWHERE = { kind: "key", name: "2b7c0d1e9f3a" };

describe.each(ENGINES)("quotas in the dashboard on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    const configText = "quotas: { eachKey: { requestsPerMinute: 600 } }";
    service = await startDashboardService({ databaseUrl: databases.url, configText });
  });

  afterAll(() => service.close());

  async function begin() {
    const { byRole, projectId } = await createPeople(service);
    const set = (owner: object, settings: object) => byRole.owner.mutate("quotas.set", { projectId, owner, settings });
    const list = async () => (await byRole.viewer.query("quotas.list", { projectId })).data;
    return { byRole, projectId, set, list };
  }

  it("are set as a whole, listed with the defaults of the configuration and of the operator, and removed", async () => {
    const { projectId, set, list } = await begin();
    const everyUser = { kind: "endUser", projectId: "", name: "" } as const;
    await writeQuota(service.store, { owner: everyUser, change: { concurrentCalls: 9 } });
    const owner = { kind: "endUser", name: "ada" };
    expect((await set(owner, { requestsPerMinute: 1, models: ["gpt-6-astra"] })).error).toBeUndefined();
    expect((await set(owner, { costNanosPerDay: 1_500_000_000 })).error).toBeUndefined();
    const project = { kind: "project", projectId, name: "" } as const;
    await writeQuota(service.store, { owner: project, change: { concurrentCalls: 0 } });
    expect(await list()).toEqual({
      quotas: [
        { ...owner, settings: { costNanosPerDay: 1_500_000_000 } },
        { kind: "project", name: "", settings: { concurrentCalls: 0 } },
      ],
      hasMore: false,
      defaults: { project: {}, key: { requestsPerMinute: 600 }, endUser: { concurrentCalls: 9 } },
      models: ["gpt-6-astra", "claude-fable-5-2", "claude-sonnet-5-5", "claude-haiku-5-5"],
    });
    await set(owner, {});
    expect(await list()).toMatchObject({ quotas: [{ kind: "project" }] });
  });

  it("of a key come with it, where an owner sets them", async () => {
    const { byRole, projectId, set, list } = await begin();
    const create = (role: "owner" | "developer") =>
      byRole[role].mutate("keys.create", { projectId, name: "limited", limits: { requestsPerMinute: 5 } });
    expect((await create("developer")).error).toMatchObject({ code: -32003, data: { code: "FORBIDDEN" } });
    const { publicId } = (await create("owner")).data as { publicId: string };
    const owner = { kind: "key", name: publicId };
    expect(await list()).toMatchObject({ quotas: [{ ...owner, settings: { requestsPerMinute: 5 } }] });
    await set(owner, { requestsPerMinute: 6 });
    expect((await byRole.viewer.query("keys.list", { projectId })).data).toMatchObject({
      keys: [{ publicId, limits: { requestsPerMinute: 6 } }],
    });
    const stranger = await begin();
    expect((await stranger.set(owner, { requestsPerMinute: 7 })).error).toMatchObject({
      message: "owner.name: there is no such key",
    });
  });

  it.each([
    [NOWHERE, {}, "owner.name: there is no such key"],
    [{ kind: "installation", name: "" }, {}, "owner.kind: must be key, endUser, tag"],
    [{ kind: "project", name: "" }, {}, "owner.kind: must be key, endUser, tag"],
    [{ kind: "tag", name: "" }, {}, "owner.name: must be a name and a value, such as team=search"],
    [{ kind: "endUser", name: "x".repeat(257) }, {}, "owner.name: must have 1 to 256 characters"],
    [
      { kind: "key", name: "" },
      { models: ["gpt"] },
      "settings.models[0]: names 'gpt', which isn't in the catalog: GET /v1/models lists them",
    ],
    [{ kind: "key", name: "" }, { models: [] }, "settings.models: must have at least one model"],
    [
      { kind: "key", name: "" },
      { requestsPerMinute: 1.5 },
      "settings.requestsPerMinute: must be a whole number from 0 to 1000000000000",
    ],
    [
      { kind: "key", name: "" },
      { costNanosTotal: 1_000_000_000_000_001 },
      "settings.costNanosTotal: must be from 0 to 1000000",
    ],
  ])("of %j cannot be %j", async (owner, settings, message) => {
    const { set } = await begin();
    expect((await set(owner, settings)).error).toMatchObject({ message });
  });
});
