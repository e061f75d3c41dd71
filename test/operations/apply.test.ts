import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ApplyProjectsRequestSchema, ExportProjectsRequestSchema } from "../../gen/attune/admin/v1/admin_pb.ts";
import { ChangeAction, ItemKind } from "../../gen/attune/admin/v1/document_pb.ts";
import { MemberRole } from "../../gen/attune/admin/v1/member_pb.ts";
import { BodyPolicy } from "../../gen/attune/admin/v1/project_pb.ts";
import { Hold, LearningMode, Objective } from "../../gen/attune/workload/v1/workload_pb.ts";
import { createOperations, type Operations } from "../../src/operations/create-operations.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { createMemberships } from "../../src/store/dashboard/memberships.ts";
import { readProjectSettings } from "../../src/store/dashboard/project-settings.ts";
import { createProjects } from "../../src/store/dashboard/projects.ts";
import { generateKey, hashKey } from "../../src/store/keys/key-format.ts";
import { createKey, findKey, listProjectKeys, revokeKey, updateKey } from "../../src/store/keys/key-repository.ts";
import { deleteProject, restoreProject } from "../../src/store/project-deletion/delete-project.ts";
import type { Store } from "../../src/store/types/store.ts";
import { ADMIN_SCOPES, type Administrator } from "../../src/vocabulary/administrator.ts";
import { ADMIN_PORTS } from "../support/admin-ports.ts";
import { ENGINES, useDatabases } from "../support/database.ts";

type Applied = MessageInitShape<typeof ApplyProjectsRequestSchema>;
type Document = NonNullable<Applied["document"]>;

const { CREATE, UPDATE, ADOPT, REMOVE, RELEASE } = ChangeAction;
const actor: Administrator = { kind: "admin-key", id: "abcdefghijkl", label: "terraform", scopes: ADMIN_SCOPES };
const origin = {
  actor: { kind: "admin-key" as const, id: actor.id, label: actor.label },
  via: "rpc" as const,
  requestId: "0190a0b0-0000-7000-8000-000000000001",
};

function administer(store: Store): Operations {
  const modelOf = (name: string) => (name.startsWith("no-") ? undefined : name.replace(/^attune\//, ""));
  return createOperations({
    ...ADMIN_PORTS,
    store,
    modelOf,
    prefix: "attune",
    learning: () => ({ mode: "observe" }),
  });
}

function newHashed() {
  const { key, publicId: id } = generateKey();
  return { id, hash: hashKey(key) };
}

describe.each(ENGINES)("applyProjects on %s", (engine) => {
  const databases = useDatabases(engine);
  let store: Store;
  let operations: Operations;
  let count = 0;
  let name: string;

  beforeAll(() => {
    store = databases.store;
    operations = administer(store);
  });
  beforeEach(async () => {
    count += 1;
    name = `team-${count}`;
    await store.query().deleteFrom("ManagedItem").execute();
  });

  const apply = (document: Document, options: { prune?: true; dryRun?: true; etag?: string } = {}) =>
    operations.applyProjects({ actor, origin }, create(ApplyProjectsRequestSchema, { document, ...options }));
  const exportAll = async (from = operations, options = {}) =>
    (await from.exportProjects({ actor, origin }, create(ExportProjectsRequestSchema, options))).document ?? {};
  const readEntries = async () =>
    await store.query().selectFrom("AuditEntry").selectAll().orderBy("sequence").execute();
  const describeChanges = ({ changes = [] }: Awaited<ReturnType<typeof apply>>) =>
    changes.map(({ action, kind, name: item }) => [action, kind, item]);
  const findId = async () => {
    const found = await store.query().selectFrom("Project").select("id").where("name", "=", name).executeTakeFirst();
    return found?.id ?? "";
  };

  const wholeProject = () => ({
    name,
    limits: { usdPerMonth: 500, models: ["b", "a"] },
    eachEndUser: { usdPerDay: 1 },
    keys: [
      { name: "ci", permissions: ["read:project"], limits: { requestsPerMinute: 60n }, ...newHashed() },
      { name: "app", ...newHashed() },
    ],
    members: [{ email: "Ada@example.com", role: MemberRole.OWNER, invitationHash: hashKey(name) }],
    endUsers: [{ id: "grace", limits: { usdPerDay: 2 } }],
    tags: [{ tag: "team=search", limits: { concurrentCalls: 3n } }],
    learning: { mode: LearningMode.ON, shadow: { share: 0.1 } },
    workloads: [{ model: "attune/gpt-6-astra", learning: { objective: Objective.COST } }],
  });

  it("takes a paused key for that of an entry, changes it, and leaves it paused", async () => {
    const document = { projects: [wholeProject()] };
    await apply(document);
    const [ci] = (await listProjectKeys(store, await findId())).filter((key) => key.name === "ci");
    await updateKey(store, ci?.publicId ?? "", { isPaused: true });
    expect(describeChanges(await apply(document))).toEqual([]);
    expect((await exportAll()).projects?.find((each) => each.name === name)?.keys).toHaveLength(2);
    const [project] = document.projects;
    const changed = { ...project, keys: [{ ...project?.keys[0], name: "ci", permissions: ["control-workloads"] }] };
    expect(describeChanges(await apply({ projects: [changed] }))).toEqual([[UPDATE, ItemKind.KEY, "ci"]]);
    expect(await findKey(store, ci?.publicId ?? "")).toMatchObject({ pausedAt: expect.any(Date) });
  });

  it("creates all that a document has, once, and tells the audit log of each change under one request", async () => {
    const [document, before] = [{ projects: [wholeProject()] }, (await readEntries()).length];
    const planned = await apply(document, { dryRun: true });
    expect((await readEntries()).length).toBe(before);
    const applied = await apply(document, { etag: planned.etag ?? "" });
    expect(applied).toEqual(planned);
    expect(describeChanges(applied)).toEqual([
      [CREATE, ItemKind.PROJECT, name],
      [CREATE, ItemKind.MEMBER, "ada@example.com"],
      [CREATE, ItemKind.KEY, "ci"],
      [CREATE, ItemKind.KEY, "app"],
      [CREATE, ItemKind.LIMITS, "project"],
      [CREATE, ItemKind.LIMITS, "each end user"],
      [CREATE, ItemKind.LIMITS, "end user grace"],
      [CREATE, ItemKind.LIMITS, "tag team=search"],
      [CREATE, ItemKind.LEARNING, ""],
      [CREATE, ItemKind.LEARNING, "gpt-6-astra"],
    ]);
    const entries = (await readEntries()).slice(before);
    expect(entries.map(({ action }) => action)).toEqual([
      ...["projects.create", "invitations.create", "keys.create", "keys.create"],
      ...["quotas.set", "quotas.set", "quotas.set", "quotas.set", "learning.setControls", "learning.setControls"],
    ]);
    expect(new Set(entries.map(({ requestId }) => requestId))).toEqual(new Set([origin.requestId]));
    expect(await apply(document)).toMatchObject({ changes: [], absent: [] });
    expect((await readEntries()).length).toBe(before + entries.length);
  });

  it("sets settings and tags of keys as a document has them, exports them, and prunes settings", async () => {
    const key = { name: "ci", ...newHashed(), tags: { team: "search", env: "prod" } };
    const settings = {
      bodies: BodyPolicy.NONE,
      disabledOptimizations: ["hedging"],
      aliases: { "no-fast": "attune/small", "no-best": "large" },
    };
    const document = { projects: [{ name, keys: [key], settings }] };
    const { changes = [] } = await apply(document);
    expect(changes.find(({ kind }) => kind === ItemKind.SETTINGS)).toMatchObject({
      action: CREATE,
      project: name,
      place: "projects[0].settings",
      fields: [
        { field: "bodies", after: '"none"' },
        { field: "disabledOptimizations", after: '["hedging"]' },
        { field: "aliases.no-best", after: '"large"' },
        { field: "aliases.no-fast", after: '"small"' },
      ],
    });
    expect(await apply(document)).toMatchObject({ changes: [], absent: [] });
    const { projects = [] } = await exportAll();
    expect(projects.find((project) => project.name === name)).toMatchObject({
      keys: [{ tags: key.tags }],
      settings: { ...settings, aliases: { "no-fast": "small", "no-best": "large" } },
    });
    const { tags: _, ...without } = key;
    const changed = { projects: [{ name, keys: [without], settings: { aliases: { "no-best": "small" } } }] };
    expect(describeChanges(await apply(changed))).toEqual([[UPDATE, ItemKind.SETTINGS, ""]]);
    const read = async () => (await readProjectSettings(store, [await findId()])).get(await findId());
    expect(await read()).toMatchObject({
      bodies: "none",
      optimizationsOff: ["hedging"],
      aliases: { "no-best": "small" },
    });
    const cleared = { settings: {}, clearedSettings: ["aliases", "disabled_optimizations"] };
    expect(describeChanges(await apply({ projects: [{ name, ...cleared }] }))).toEqual([
      [UPDATE, ItemKind.SETTINGS, ""],
    ]);
    expect(await read()).toMatchObject({ bodies: "none", optimizationsOff: [], aliases: {} });
    const pruned = await apply({ projects: [{ name, keys: [without] }] }, { prune: true });
    expect(describeChanges(pruned)).toEqual([[REMOVE, ItemKind.SETTINGS, ""]]);
    expect(await read()).toMatchObject({ bodies: "full", aliases: {} });
  });

  it("leaves what a key has and a document does not mention, and takes away what it says is to be empty", async () => {
    const expiresAt = timestampFromDate(new Date("2100-01-01"));
    const key = { name: "ci", ...newHashed(), tags: { team: "search" }, permissions: ["read:project"], expiresAt };
    await apply({ projects: [{ name, keys: [key] }] });
    expect(await apply({ projects: [{ name, keys: [{ name: "ci" }] }] })).toMatchObject({ changes: [] });
    const readKey = async () => (await exportAll()).projects?.find((project) => project.name === name)?.keys?.[0];
    expect(await readKey()).toMatchObject({ tags: key.tags, permissions: key.permissions, expiresAt });
    await apply({ projects: [{ name, keys: [{ name: "ci", cleared: ["permissions", "expires_at", "tags"] }] }] });
    expect(await readKey()).toMatchObject({ tags: {}, permissions: [] });
    expect(await readKey()).not.toHaveProperty("expiresAt");
  });

  it("leaves limits and controls that a document does not mention, tells of them, and takes away what it names", async () => {
    await apply({ projects: [wholeProject()] });
    const part = {
      name,
      limits: { usdPerMonth: 400 },
      learning: { mode: LearningMode.OBSERVE },
      keys: [{ name: "ci", limits: { usdPerDay: 1 } }],
    };
    const applied = await apply({ projects: [part] });
    expect(applied.kept?.map(({ kind, place, fields }) => [kind, place, fields?.map(({ field }) => field)])).toEqual([
      [ItemKind.KEY, "projects[0].keys[0]", ["permissions", "limits.requestsPerMinute"]],
      [ItemKind.LIMITS, "projects[0].limits", ["models"]],
      [ItemKind.LEARNING, "projects[0]", ["shadow.share"]],
    ]);
    const read = async () => (await exportAll()).projects?.find((project) => project.name === name);
    expect(await read()).toMatchObject({
      limits: { usdPerMonth: 400, models: ["b", "a"] },
      learning: { mode: LearningMode.OBSERVE, shadow: { share: 0.1 } },
      keys: expect.arrayContaining([
        expect.objectContaining({ limits: expect.objectContaining({ requestsPerMinute: 60n, usdPerDay: 1 }) }),
      ]),
    });
    const cleared = ["limits.models", "learning.shadow", "keys[0].limits.requests_per_minute"];
    await apply({ projects: [part], cleared: cleared.map((place) => `projects[0].${place}`) });
    const after = await read();
    expect([after?.limits?.models, after?.learning?.shadow]).toEqual([undefined, undefined]);
    expect(after?.keys?.find((key) => key.name === "ci")?.limits?.requestsPerMinute).toBeUndefined();
    await apply({ projects: [{ name, limits: {}, learning: {} }] });
    const emptied = await read();
    expect([emptied?.limits, emptied?.learning]).toEqual([undefined, undefined]);
  });

  it("keeps a pin of a workload, and ends it where the hold or its model is taken away", async () => {
    const learning = { hold: Hold.PINNED, pinnedModel: "small" };
    await apply({ projects: [{ name, learning }] });
    await apply({ projects: [{ name, learning: { mode: LearningMode.ON } }] });
    const read = async () => (await exportAll()).projects?.find((project) => project.name === name)?.learning;
    expect(await read()).toMatchObject({ hold: Hold.PINNED, pinnedModel: "attune/small", mode: LearningMode.ON });
    await apply({ projects: [{ name, learning: {} }], cleared: ["projects[0].learning.pinned_model"] });
    expect(await read()).toMatchObject({ hold: Hold.UNSPECIFIED, pinnedModel: "", mode: LearningMode.ON });
  });

  it.each([
    ["projects[0].limits.usd", "document.projects[0].limits.usd: is none of requests_per_minute,"],
    ["projects[0].limits.usd_per_day", "document.projects[0].limits.usd_per_day: is both set and removed"],
    ["projects[1].limits.usd_per_day", "document.cleared[0]: isn't a limit or a learning setting in the document"],
    ["projects[0].each_key.usd_per_day", "document.cleared[0]: isn't a limit or a learning setting in the document"],
  ])("refuses to take away %s", async (place, problem) => {
    const document = { projects: [{ name, limits: { usdPerDay: 1 } }], cleared: [place] };
    await expect(apply(document)).rejects.toThrow(problem);
  });

  it.each([
    [{ settings: { aliases: { known: "small" } } }, "settings.aliases: has 'known', which is a name that the catalog"],
    [{ settings: { aliases: { "no fast": "small" } } }, "settings.aliases: has 'no fast', which must be a name"],
    [{ settings: { aliases: { "no-fast": "no-such" } } }, "settings.aliases.no-fast: isn't in the catalog"],
    [{ settings: { disabledOptimizations: ["magic"] } }, "settings.disabled_optimizations[0]: must be one of choice"],
    [{ keys: [{ name: "ci", ...newHashed(), tags: { team: "" } }] }, "keys[0].tags: has 'team', which must have a"],
  ])("refuses %j", async (project, problem) => {
    await expect(apply({ projects: [{ name, ...project }] })).rejects.toThrow(`document.projects[0].${problem}`);
  });

  it("has keys whose secret only its maker knows", async () => {
    const { key, publicId: id } = generateKey();
    await apply({ projects: [{ name, keys: [{ name: "ci", id, hash: hashKey(key) }] }] });
    const row = await store.query().selectFrom("ApiKey").select("hash").where("publicId", "=", id).executeTakeFirst();
    expect(row).toEqual({ hash: hashKey(key) });
  });

  it("says in a dry run which secrets it needs, and changes nothing without them", async () => {
    const members = [{ email: "ada@example.com", role: MemberRole.OWNER }];
    const document = { projects: [{ name, keys: [{ name: "ci" }], members }] };
    const { changes = [] } = await apply(document, { dryRun: true });
    expect(changes.map(({ place, needsHash }) => [place, needsHash])).toEqual([
      ["projects[0]", false],
      ["projects[0].members[0]", true],
      ["projects[0].keys[0]", true],
    ]);
    await expect(apply(document)).rejects.toThrow(
      "document.projects[0].members[0].invitation_hash: is required to invite",
    );
    await expect(apply({ projects: [{ name, keys: [{ name: "ci" }] }] })).rejects.toThrow(
      "document.projects[0].keys[0].hash: is required to create a key",
    );
    expect(await findId()).toBe("");
  });

  it("adopts what is there, changes what differs, and leaves the rest", async () => {
    const project = await createProjects(store).create(name);
    const projectId = project?.id ?? "";
    const same = await createKey(store, { projectId, name: "same", quota: { requestsPerMinute: 5 } });
    const other = await createKey(store, { projectId, name: "other", permissions: ["read:project"] });
    await createKey(store, { projectId, name: "unlisted" });
    const before = (await readEntries()).length;
    const document = { projects: [{ name, keys: [{ name: "same" }, { name: "other", limits: { usdPerDay: 1 } }] }] };
    const applied = await apply(document);
    expect(applied.changes).toMatchObject([
      { action: ADOPT, kind: ItemKind.PROJECT },
      { action: ADOPT, kind: ItemKind.KEY, name: "same", fields: [] },
      {
        action: UPDATE,
        kind: ItemKind.KEY,
        name: "other",
        fields: [{ field: "limits.usdPerDay", after: "1" }],
      },
    ]);
    expect((await readEntries()).slice(before).map(({ action }) => action)).toEqual([
      ...["managed.add", "managed.add", "quotas.set"],
    ]);
    expect(await findKey(store, other.info.publicId)).toMatchObject({ permissions: ["read:project"], revokedAt: null });
    expect(await findKey(store, same.info.publicId)).toMatchObject({ revokedAt: null });
    expect(await apply({ projects: [{ name }] }, { prune: true })).toMatchObject({
      changes: [
        { action: REMOVE, kind: ItemKind.KEY },
        { action: REMOVE, kind: ItemKind.KEY },
      ],
    });
    const keys = await listProjectKeys(store, projectId);
    expect(keys.filter(({ revokedAt }) => revokedAt === null).map((key) => key.name)).toEqual(["unlisted"]);
  });

  it("leaves a deleted project as it is, so that it comes back with its keys, still managed", async () => {
    const key = newHashed();
    await apply({ projects: [{ name, keys: [{ name: "ci", ...key }] }] });
    const projectId = await findId();
    await deleteProject(store, projectId);
    expect(await apply({}, { prune: true })).toMatchObject({ changes: [], absent: [] });
    expect(await restoreProject(store, projectId)).toBe("restored");
    expect(await findKey(store, key.id)).toMatchObject({ revokedAt: null });
    const { changes = [] } = await apply({}, { prune: true });
    expect(changes.map(({ action, kind }) => [action, kind])).toEqual([
      [REMOVE, ItemKind.KEY],
      [RELEASE, ItemKind.PROJECT],
    ]);
  });

  it("removes nothing without prune, and then only what it manages", async () => {
    const whole = wholeProject();
    await apply({ projects: [whole] });
    const kept = { projects: [{ name, keys: whole.keys.slice(1) }] };
    const told = await apply(kept);
    expect(told).toMatchObject({ changes: [] });
    expect(told.absent?.map(({ kind }) => kind)).toEqual([
      ...[ItemKind.KEY, ItemKind.LEARNING, ItemKind.LEARNING],
      ...[ItemKind.LIMITS, ItemKind.LIMITS, ItemKind.LIMITS, ItemKind.LIMITS, ItemKind.MEMBER],
    ]);
    const pruned = await apply(kept, { prune: true });
    expect(pruned.changes?.map(({ action }) => action)).toEqual(Array(8).fill(REMOVE));
    expect(pruned.absent).toEqual([]);
    const { projects = [] } = await exportAll(operations, { project: name });
    expect(projects).toMatchObject([{ name, keys: [{ name: "app" }], members: [], tags: [], workloads: [] }]);
    expect(projects[0]?.limits).toBeUndefined();
    expect(await apply(kept, { prune: true })).toMatchObject({ changes: [] });
  });

  it("revokes the keys of a project that it does not have any more, and releases the rest", async () => {
    await apply({ projects: [wholeProject()] });
    const { changes = [] } = await apply({}, { prune: true });
    expect(changes.map(({ action, kind }) => [action, kind])).toEqual([
      [REMOVE, ItemKind.KEY],
      [REMOVE, ItemKind.KEY],
      [RELEASE, ItemKind.PROJECT],
    ]);
    const { projects } = await exportAll(operations, { project: name });
    expect(projects).toMatchObject([{ name, keys: [], members: [{ email: "ada@example.com" }] }]);
    expect(await store.query().selectFrom("ManagedItem").selectAll().execute()).toEqual([]);
  });

  it("makes people with an account members, and keeps an owner", async () => {
    const [ada, bob] = [newAccount(`ada-${name}@example.com`, "hash"), newAccount(`bob-${name}@example.com`, "hash")];
    await store.query().insertInto("UserAccount").values([ada, bob]).execute();
    const member = ({ email }: typeof ada, role: MemberRole) => ({ email, role });
    await apply({ projects: [{ name, members: [member(ada, MemberRole.OWNER)] }] });
    const swapped = [member(ada, MemberRole.VIEWER), member(bob, MemberRole.OWNER)];
    await apply({ projects: [{ name, members: swapped }] });
    const members = await createMemberships(store).listMembers(await findId());
    expect(members.map(({ email, role }) => [email, role])).toEqual([
      [ada.email, "viewer"],
      [bob.email, "owner"],
    ]);
    const none = { projects: [{ name, members: [member(bob, MemberRole.VIEWER)] }] };
    await expect(apply(none)).rejects.toThrow("document.projects[0].members[0].role: is the only owner");
    await expect(apply({ projects: [{ name }] }, { prune: true })).rejects.toThrow("is the only owner of the project");
  });

  it("does all of it or nothing, and names the place of a mistake", async () => {
    const second = { name: `${name}-b`, keys: [{ name: "ci", limits: { models: ["no-such"] } }] };
    await expect(apply({ projects: [wholeProject(), second] })).rejects.toThrow(
      "document.projects[1].keys[0].limits.models[0]: names 'no-such', which isn't in the catalog",
    );
    expect(await findId()).toBe("");
    const twice = [{ name: "ci" }, { name: "ci " }];
    await expect(apply({ projects: [{ name, keys: twice }] })).rejects.toThrow("projects[0].keys[1].name: is here");
    const workloads = [{ model: "no-such", learning: {} }];
    await expect(apply({ projects: [{ name, workloads }] })).rejects.toThrow(
      "projects[0].workloads[0].model: isn't in",
    );
  });

  it("lets one of two who saw the same changes win, and the other see a conflict", async () => {
    const document = { projects: [wholeProject()] };
    const { etag = "" } = await apply(document, { dryRun: true });
    const results = await Promise.allSettled([apply(document, { etag }), apply(document, { etag })]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = results.find((result) => result.status === "rejected");
    expect(String(refused?.reason)).toContain("etag: is of other changes");
    expect(await listProjectKeys(store, await findId())).toHaveLength(2);
  });

  it("makes a key again that somebody revoked, and knows a key that was renamed", async () => {
    const document = { projects: [{ name, keys: [{ name: "ci", ...newHashed() }] }] };
    await apply(document);
    const [first] = await listProjectKeys(store, await findId());
    await revokeKey(store, first?.publicId ?? "");
    await expect(apply(document)).rejects.toThrow("keys[0].id: is of a key that is revoked");
    const again = { projects: [{ name, keys: [{ name: "ci", ...newHashed() }] }] };
    expect(describeChanges(await apply(again))).toEqual([[CREATE, ItemKind.KEY, "ci"]]);
    const renamed = { projects: [{ name, keys: [{ ...again.projects[0]?.keys[0], name: "build" }] }] };
    expect(describeChanges(await apply(renamed))).toEqual([[UPDATE, ItemKind.KEY, "build"]]);
  });
});
