import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { InferenceRow } from "../../../../src/store/entities/inference.ts";
import { createKey, revokeKey } from "../../../../src/store/keys/key-repository.ts";
import { writeBatch } from "../../../../src/store/write/recorder/write-batch.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { idAt, inferenceRow } from "../../../support/rows.ts";
import type { Caller } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople } from "../../people.ts";

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
        attempts: [],
        request: undefined,
        response: undefined,
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
    const create = async (name: string) => (await createKey(service.store, { projectId, name })).info;
    const [b, a, other] = [await create("Team b"), await create("team a"), await create("50%_off")];
    await revokeKey(service.store, other.publicId);
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
    await create("Cafe\u0301 d’E\u0301te\u0301");
    for (const text of ["caf\u00e9", "cafe\u0301 D’\u00c9", "\u00c9T\u00c9"])
      expect(await list({ text })).toMatchObject({ names: ["Cafe\u0301 d’E\u0301te\u0301"], total: 1 });
    const names = { [b.publicId]: "Team b", [other.publicId]: "50%_off" };
    const publicIds = [b.publicId, other.publicId, "unknown"];
    expect((await byRole.viewer.query("keys.names", { projectId, publicIds })).data).toEqual(names);
    const stranger = await createPeople(service);
    const ofOthers = { projectId: stranger.projectId, publicIds };
    expect((await stranger.byRole.viewer.query("keys.names", ofOthers)).data).toEqual({});
  });

  it("get a new secret from who made them, and from owners and admins", async () => {
    const { byRole, projectId } = await createPeople(service);
    const { info } = await createKey(service.store, { projectId, name: "ci" });
    const rotate = async (role: "owner" | "developer", overlapHours = 1) =>
      await byRole[role].mutate("keys.rotate", { projectId, publicId: info.publicId, overlapHours });
    expect((await rotate("developer")).error?.message).toContain("somebody else created this key");
    expect((await rotate("owner", 721)).error?.message).toMatch(/^overlapHours: must be /);
    const { key } = (await rotate("owner")).data as { readonly key: string };
    expect(key).toMatch(new RegExp(`^att_${info.publicId}_`));
    await revokeKey(service.store, info.publicId);
    expect((await rotate("owner")).error?.message).toContain("is of a key that is revoked: create another one");
  });

  it("are paused and resumed by who made them, and by owners and admins, but for those of playgrounds", async () => {
    const { byRole, projectId } = await createPeople(service);
    const { info } = await createKey(service.store, { projectId, name: "ci" });
    const pause = async (role: "owner" | "developer", paused: boolean, publicId = info.publicId) =>
      (await byRole[role].mutate("keys.update", { projectId, publicId, paused })).error?.message;
    const states = async () => {
      const { data } = await byRole.viewer.query("keys.list", { projectId });
      return (data as { keys: { state: string }[] }).keys.map(({ state }) => state);
    };
    expect(await pause("developer", true)).toMatch(/^somebody else created/);
    expect([await pause("owner", true), await states()]).toEqual([undefined, ["paused"]]);
    expect([await pause("owner", false), await states()]).toEqual([undefined, ["active"]]);
    const entries = await service.store.query().selectFrom("AuditEntry").selectAll().orderBy("sequence").execute();
    const actions = entries.filter((entry) => entry.projectId === projectId).map(({ action }) => action);
    expect(actions.slice(-2)).toEqual(["keys.pause", "keys.resume"]);
    const own = { projectId, userId: randomUUID(), email: "ada@example.com" };
    const { keyId } = await service.dashboard.playground.findOrCreateKey(own);
    expect(await pause("owner", true, keyId)).toContain("is of a person's playground");
  });

  it("have tags, which those who may change a key change, and by which keys are found", async () => {
    const { byRole, projectId } = await createPeople(service);
    const create = async (name: string, tags: readonly object[]) => {
      const { data } = await byRole.developer.mutate("keys.create", { projectId, name, tags });
      return data as { publicId: string };
    };
    const tagged = await create("tagged", [
      { name: "team", value: "Search" },
      { name: "a=b", value: '"c"' },
    ]);
    await create("plain", []);
    const names = async (text: string) => {
      const { data } = await byRole.viewer.query("keys.list", { projectId, text });
      return (data as { keys: { name: string }[] }).keys.map(({ name }) => name);
    };
    expect(await names("TEAM=sea")).toEqual(["tagged"]);
    expect([await names('b="C'), await names("{"), await names(":")]).toEqual([["tagged"], [], []]);
    const setTags = async (caller: Caller, ...tags: readonly object[]) =>
      (await caller.mutate("keys.update", { projectId, publicId: tagged.publicId, tags })).error?.message;
    expect(await setTags(byRole.admin, { name: "team", value: "ads" })).toBeUndefined();
    expect([await names("team=search"), await names("team=ads")]).toEqual([[], ["tagged"]]);
    expect(await setTags(byRole.developer)).toBeUndefined();
    expect(await names("team")).toEqual([]);
    const ofAdmin = await createKey(service.store, { projectId, name: "of nobody" });
    const other = { projectId, publicId: ofAdmin.info.publicId, tags: [] };
    expect((await byRole.developer.mutate("keys.update", other)).error?.message).toMatch(/^somebody else created/);
    await revokeKey(service.store, tagged.publicId);
    expect(await setTags(byRole.owner)).toBe("publicId: is of a key that was revoked: create another one");
    const stranger = await createPeople(service);
    const ofOthers = { ...other, projectId: stranger.projectId };
    expect((await stranger.byRole.owner.mutate("keys.update", ofOthers)).error?.message).toBe(
      "publicId: there is no such key",
    );
  });

  it("get another name and expiry, or none, each without touching the rest", async () => {
    const { byRole, projectId } = await createPeople(service);
    const tags = [{ name: "team", value: "search" }];
    const made = (await byRole.owner.mutate("keys.create", { projectId, name: "ci", tags })).data;
    const { publicId } = made as { readonly publicId: string };
    const update = async (change: object) => {
      expect((await byRole.owner.mutate("keys.update", { projectId, publicId, ...change })).error).toBeUndefined();
      const { data } = await byRole.owner.query("keys.list", { projectId, text: publicId });
      return (data as { keys: readonly object[] }).keys[0];
    };
    const expiresAt = new Date(Date.now() + DAY_MS).toISOString();
    const rest = { tags: { team: "search" } };
    expect(await update({ name: " nightly " })).toMatchObject({ ...rest, name: "nightly", expiresAt: null });
    expect(await update({ expiresAt })).toMatchObject({ ...rest, name: "nightly", expiresAt });
    expect(await update({ tags: [] })).toMatchObject({ tags: {}, name: "nightly", expiresAt });
    expect(await update({ expiresAt: null })).toMatchObject({ name: "nightly", expiresAt: null });
  });

  it.each([
    [{}, expect.stringMatching(/^updateMask: must name what changes/)],
    [{ name: " " }, "name: must have 1 to 100 characters"],
    [
      { expiresAt: "2026-01-31T00:00:00.000Z" },
      "expiresAt: must be in the future: revoke the key to end it immediately",
    ],
    [{ expiresAt: "tomorrow" }, "expiresAt: must be a time such as 2027-01-31T00:00:00.000Z"],
  ])("refuse the change %j", async (change, message) => {
    const { byRole, projectId } = await createPeople(service);
    const { info } = await createKey(service.store, { projectId, name: "ci" });
    const answer = await byRole.owner.mutate("keys.update", { projectId, publicId: info.publicId, ...change });
    expect(answer.error?.message).toEqual(message);
  });

  it.each([
    [[{ name: "team", value: "" }], "tags.0: must have a value of 1 to 200 characters"],
    [
      [
        { name: "team", value: "a" },
        { name: "team", value: "b" },
      ],
      "tags.1: has the name of another tag",
    ],
    [[{ name: "__proto__", value: "a" }], "tags.0: must not be named __proto__"],
    [Array.from({ length: 17 }, (_, at) => ({ name: `t${at}`, value: "a" })), "tags: must have at most 16"],
  ])("refuse the tags %j", async (tags, message) => {
    const { byRole, projectId } = await createPeople(service);
    const answer = await byRole.owner.mutate("keys.create", { projectId, name: "tagged", tags });
    expect(answer.error?.message).toBe(message);
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
