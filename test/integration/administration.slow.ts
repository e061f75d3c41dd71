import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "../../gen/attune/admin/v1/admin_pb.ts";
import { KeyState } from "../../gen/attune/admin/v1/key_pb.ts";
import { MemberRole } from "../../gen/attune/admin/v1/member_pb.ts";
import { ModelService } from "../../gen/attune/model/v1/model_pb.ts";
import { QuotaKind } from "../../gen/attune/quota/v1/quota_pb.ts";
import { Dimension } from "../../gen/attune/usage/v1/usage_pb.ts";
import { Hold, LearningMode, Objective } from "../../gen/attune/workload/v1/workload_pb.ts";
import { createAdminKey, revokeAdminKey } from "../../src/store/admin-keys/admin-key-repository.ts";
import { newAccount } from "../../src/store/dashboard/accounts.ts";
import { createInvitations } from "../../src/store/dashboard/invitations.ts";
import { ADMIN_SCOPES, type AdminScope } from "../../src/vocabulary/administrator.ts";
import { ENGINES, useDatabases } from "../support/database.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe.each(ENGINES)("attune.admin.v1 on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: TestService;
  let admin: Client<typeof AdminService>;

  beforeAll(async () => {
    service = await startTestService({ databaseUrl: databases.url });
    admin = clientOf(await newAdminKey(ADMIN_SCOPES));
  });
  afterAll(() => service.close());

  async function newAdminKey(scopes: readonly AdminScope[], projectId?: string): Promise<string> {
    const settings = { name: scopes.join(" "), scopes, projectId, expiresAt: null };
    return (await createAdminKey(service.store, settings)).key;
  }

  function transportOf(key: string) {
    return createGrpcTransport({
      baseUrl: service.url,
      interceptors: [
        (next) => (request) => {
          request.header.set("authorization", `Bearer ${key}`);
          return next(request);
        },
      ],
    });
  }

  const clientOf = (key: string) => createClient(AdminService, transportOf(key));
  const statusOf = async (key: string) =>
    (await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;

  async function newProject(name: string): Promise<string> {
    return (await admin.createProject({ project: { name } })).project?.id ?? "";
  }

  async function failureOf(call: Promise<unknown>): Promise<string> {
    const thrown = await call.then(
      () => new Error("it was answered"),
      (error: unknown) => error,
    );
    return thrown instanceof ConnectError ? `${Code[thrown.code]}: ${thrown.rawMessage}` : String(thrown);
  }

  it("creates a project once: what has the same name and limits is no error, and others are", async () => {
    const project = { name: "search", limits: { requestsPerMinute: 60n, usdPerDay: 1.5, models: ["gpt-6-astra"] } };
    const first = await admin.createProject({ project });
    expect(first).toMatchObject({ created: true, project });
    expect(await admin.createProject({ project })).toMatchObject({ created: false, project: first.project });
    const other = admin.createProject({ project: { name: "search", limits: { usdPerDay: 2 } } });
    expect(await failureOf(other)).toMatch(/^AlreadyExists: project\.name: is the name of a project with other limits/);
    expect((await admin.getProject({ project: "search" })).project).toEqual(first.project);
  });

  it("changes what a mask names, for who has seen the latest state", async () => {
    const project = await newProject("masked");
    const { project: seen } = await admin.getProject({ project });
    const limited = await admin.updateProject({
      project,
      etag: seen?.etag ?? "",
      updateMask: { paths: ["limits.usd_per_month", "limits.models"] },
      update: { limits: { usdPerMonth: 0.000000001, models: ["attune/gpt-6-astra"] } },
    });
    expect(limited.project?.limits).toMatchObject({ usdPerMonth: 1e-9, models: ["gpt-6-astra"] });
    const late = { project, etag: seen?.etag ?? "", update: { name: "late" }, updateMask: { paths: ["name"] } };
    expect(await failureOf(admin.updateProject(late))).toMatch(/^FailedPrecondition: etag: is out of date/);
    const renamed = await admin.updateProject({ ...late, etag: limited.project?.etag ?? "" });
    expect(renamed.project).toMatchObject({ name: "late", limits: { usdPerMonth: 1e-9 } });
    const taken = admin.updateProject({ project, update: { name: "default" }, updateMask: { paths: ["name"] } });
    expect(await failureOf(taken)).toBe("AlreadyExists: update.name: is the name of another project");
    const cleared = await admin.updateProject({ project, update: {}, updateMask: { paths: ["limits"] } });
    expect(cleared.project?.limits).toEqual(expect.objectContaining({ models: [] }));
    expect(cleared.project?.limits?.usdPerMonth).toBeUndefined();
  });

  it.each([
    [{ paths: [] }, { name: "x" }, /update_mask: must name what changes/],
    [{ paths: ["id"] }, {}, /update_mask: names 'id', and can name name, limits, limits\.requests_per_minute/],
    [{ paths: ["limits.usd_total"] }, { name: "x" }, /update\.name: is set, and update_mask does not name it/],
    [{ paths: ["limits.usd_total"] }, { limits: { usdPerDay: 1 } }, /update\.limits\.usd_per_day: is set/],
    [{ paths: ["name"] }, { name: " " }, /update\.name: must have 1 to 100 characters/],
    [{ paths: ["limits"] }, { limits: { usdPerDay: 1e-10 } }, /update\.limits\.usd_per_day: must be an amount in USD/],
    [{ paths: ["limits"] }, { limits: { models: ["none"] } }, /update\.limits\.models\[0\]: names 'none', which isn't/],
    [{ paths: ["limits"] }, { limits: { usdTotal: -1 } }, /update\.limits\.usd_total: /],
  ])("refuses an update with the mask %j and the values %j", async (updateMask, update, problem) => {
    const failure = await failureOf(admin.updateProject({ project: "default", update, updateMask } as never));
    expect(failure).toMatch(/^InvalidArgument: /);
    expect(failure).toMatch(problem);
  });

  it("lists projects and keys in pages", async () => {
    const project = await newProject("paged");
    for (const name of ["a", "b", "c"]) await admin.createKey({ project, key: { name } });
    const first = await admin.listKeys({ project, pageSize: 2 });
    const second = await admin.listKeys({ project, pageSize: 2, pageToken: first.nextPageToken });
    const names = [...first.keys, ...second.keys].map(({ name }) => name);
    expect({ names, last: second.nextPageToken }).toEqual({ names: ["c", "b", "a"], last: "" });
    expect((await admin.listKeys({ project: "paged", name: "b" })).keys).toMatchObject([{ name: "b" }]);
    expect((await admin.listKeys({ project, state: KeyState.REVOKED })).keys).toEqual([]);
    const { projects, nextPageToken } = await admin.listProjects({ pageSize: 1 });
    expect(projects).toMatchObject([{ name: "default" }]);
    const rest = await admin.listProjects({ pageToken: nextPageToken });
    expect(rest.projects.map(({ name }) => name)).toContain("paged");
    expect(rest.projects.map(({ name }) => name)).not.toContain("default");
  });

  it("creates a key once for a name, and shows its secret that once", async () => {
    const project = await newProject("keys");
    const key = { name: "ci", permissions: ["read:project"], limits: { concurrentCalls: 3n } };
    const first = await admin.createKey({ project, key });
    expect(first).toMatchObject({ created: true, key: { ...key, state: KeyState.ACTIVE } });
    expect(first.secret).toMatch(new RegExp(`^att_${first.key?.id}_[0-9A-Za-z]{43}$`));
    expect(await statusOf(first.secret)).toBe(200);
    const again = await admin.createKey({ project, key });
    expect(again).toMatchObject({ created: false, secret: "", key: { id: first.key?.id } });
    expect(await failureOf(admin.createKey({ project, key: { name: "ci" } }))).toMatch(/^AlreadyExists: key\.name: /);
    const unnamed = [await admin.createKey({ project, key: {} }), await admin.createKey({ project, key: {} })];
    expect(new Set(unnamed.map(({ key }) => key?.id)).size).toBe(2);
    await admin.revokeKey({ id: first.key?.id ?? "" });
    expect((await admin.createKey({ project, key })).created).toBe(true);
    const far = admin.createKey({ project, key: { permissions: ["all"] } });
    expect(await failureOf(far)).toMatch(/^InvalidArgument: key\.permissions\[0\]: must be one of control-workloads/);
  });

  it("changes a key, also one that has ended", async () => {
    const expiresAt = { seconds: BigInt(Math.floor(Date.now() / 1000)) + 3600n, nanos: 0 };
    const { key, secret } = await admin.createKey({ project: "default", key: { name: "changed", expiresAt } });
    const id = key?.id ?? "";
    const paths = ["name", "permissions", "expires_at", "limits.requests_per_minute"];
    const update = { name: "after", permissions: ["control-workloads"], limits: { requestsPerMinute: 5n } };
    const changed = await admin.updateKey({ id, update, updateMask: { paths }, etag: key?.etag ?? "" });
    expect(changed.key).toMatchObject({ ...update, id });
    expect(changed.key?.expiresAt).toBeUndefined();
    expect((await admin.getKey({ id })).key).toMatchObject(update);
    expect(await statusOf(secret)).toBe(200);
    const past = { id, update: { expiresAt: { seconds: 1n, nanos: 0 } }, updateMask: { paths: ["expires_at"] } };
    expect(await failureOf(admin.updateKey(past))).toMatch(/^InvalidArgument: update\.expires_at: must be in the/);
    const revoked = await admin.revokeKey({ id });
    expect(revoked.key).toMatchObject({ state: KeyState.REVOKED });
    expect((await admin.revokeKey({ id })).key).toEqual(revoked.key);
    expect(await failureOf(admin.rotateKey({ id }))).toMatch(/^FailedPrecondition: id: is of a key that is revoked/);
  });

  it("rotates a key: both secrets work until the overlap ends, and its id stays", async () => {
    const { key, secret } = await admin.createKey({ project: "default", key: { name: "rotated" } });
    const id = key?.id ?? "";
    expect(await statusOf(secret)).toBe(200);
    const rotated = await admin.rotateKey({ id, overlap: { seconds: 3600n, nanos: 0 } });
    expect(rotated.secret).toMatch(new RegExp(`^att_${id}_`));
    const ends = rotated.key?.previousSecretExpiresAt;
    expect(ends && timestampDate(ends).getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    expect([await statusOf(secret), await statusOf(rotated.secret)]).toEqual([200, 200]);
    const last = await admin.rotateKey({ id, overlap: { seconds: 0n, nanos: 0 } });
    expect(last.key?.previousSecretExpiresAt).toBeUndefined();
    await expect.poll(() => statusOf(secret)).toBe(401);
    await expect.poll(() => statusOf(rotated.secret)).toBe(401);
    expect(await statusOf(last.secret)).toBe(200);
  });

  it("sets, lists and removes limits of every kind of owner", async () => {
    const project = await newProject("limited");
    const { key } = await admin.createKey({ project, key: { limits: { usdTotal: 5 } } });
    const endUser = { kind: QuotaKind.END_USER, project: "limited", name: "ada" };
    const limits = { requestsPerMinute: 60n, usdPerDay: 1 };
    expect((await admin.setQuota({ ...endUser, limits })).quota).toMatchObject({ projectId: project, limits });
    const change = { limits: { usdPerDay: 2 }, updateMask: { paths: ["limits.usd_per_day"] } };
    const changed = await admin.setQuota({ ...endUser, ...change });
    expect(changed.quota?.limits).toMatchObject({ requestsPerMinute: 60n, usdPerDay: 2 });
    await admin.setQuota({ kind: QuotaKind.TAG, project, name: "team=search", limits });
    await admin.setQuota({ kind: QuotaKind.KEY, project, limits });
    const first = await admin.listQuotas({ project, pageSize: 3 });
    const rest = await admin.listQuotas({ project, pageSize: 3, pageToken: first.nextPageToken });
    const owners = [...first.quotas, ...rest.quotas].map(({ kind, name }) => `${kind} ${name}`);
    expect(owners).toEqual(["4 ada", "3 ", `3 ${key?.id}`, "5 team=search"]);
    expect((await admin.getQuota({ kind: QuotaKind.KEY, name: key?.id ?? "" })).quota?.limits?.usdTotal).toBe(5);
    const { endUsers, nextPageToken } = await admin.listEndUsers({ project });
    expect([endUsers, nextPageToken]).toMatchObject([[{ id: "ada", limits: { usdPerDay: 2 } }], ""]);
    await admin.removeQuota(endUser);
    expect((await admin.listQuotas({ project, kind: QuotaKind.END_USER })).quotas).toEqual([]);
    const wrong = admin.setQuota({ kind: QuotaKind.TAG, project, name: "search", limits });
    expect(await failureOf(wrong)).toMatch(/^InvalidArgument: name: must be a name and a value, such as team=search/);
    const own = clientOf(await newAdminKey(ADMIN_SCOPES, project));
    const every = own.setQuota({ kind: QuotaKind.KEY, limits });
    expect(await failureOf(every)).toMatch(/^PermissionDenied: project: the admin key .* is bound to one project/);
    expect(await failureOf(own.listQuotas({ pageToken: "x" }))).toMatch(/^InvalidArgument: page_token: /);
  });

  it("tells the usage of a project", async () => {
    const { total, groups } = await admin.getUsage({ project: "default", groupBy: [Dimension.KEY] });
    expect({ calls: total?.calls, groups }).toEqual({ calls: 0n, groups: [] });
    const late = { seconds: 9_000_000_000n, nanos: 0 };
    const wrong = admin.getUsage({ project: "default", from: late });
    expect(await failureOf(wrong)).toBe("InvalidArgument: from: must be before 'to'");
  });

  it("shows workloads and changes their controls, of one and of all of a project", async () => {
    const project = await newProject("steered");
    const pinned = { hold: Hold.PINNED, pinnedModel: "attune/claude-fable-5-2", objective: Objective.COST };
    const one = { project, target: { case: "model", value: "gpt-6-astra" } } as const;
    const updateMask = { paths: ["hold", "pinned_model", "objective"] };
    const dry = await admin.updateControls({ ...one, controls: pinned, updateMask, dryRun: true });
    expect(dry.controls).toMatchObject(pinned);
    const readOne = async () => (await admin.getWorkload({ project, model: "attune/gpt-6-astra" })).workload;
    expect(await readOne()).toMatchObject({ version: 0n, arms: [], workloadControls: { hold: Hold.UNSPECIFIED } });
    await admin.updateControls({ ...one, controls: pinned, updateMask });
    const all = { project: "steered", target: { case: "allWorkloads", value: true } } as const;
    await admin.updateControls({ ...all, controls: { mode: LearningMode.OFF }, updateMask: { paths: ["mode"] } });
    expect(await readOne()).toMatchObject({
      model: "attune/gpt-6-astra",
      controls: { ...pinned, mode: LearningMode.OFF },
      workloadControls: pinned,
      projectControls: { mode: LearningMode.OFF },
    });
    expect(await admin.listWorkloads({ project })).toMatchObject({ workloads: [], nextPageToken: "" });
    const unnamed = admin.updateControls({ ...one, controls: pinned, updateMask: { paths: ["hold"] } });
    expect(await failureOf(unnamed)).toMatch(/^InvalidArgument: controls\.objective: is set, and update_mask does not/);
    const unknown = admin.updateControls({ ...all, target: { case: "model", value: "none" }, updateMask });
    expect(await failureOf(unknown)).toBe("NotFound: the model 'none' does not exist");
    const bound = clientOf(await newAdminKey(ADMIN_SCOPES, await newProject("unsteered")));
    const foreign = bound.updateControls({ ...all, updateMask: { paths: ["mode"] } });
    expect(await failureOf(foreign)).toBe("NotFound: project: there is no such project");
  });

  it("invites to a project, and changes and removes its members, of whom one stays owner", async () => {
    const owner = newAccount("Owner@example.com", "hash");
    const accounts = [owner, newAccount("ada@example.com", "hash")];
    await service.store.query().insertInto("UserAccount").values(accounts).execute();
    const created = await admin.createProject({ project: { name: "people" }, owner: "owner@EXAMPLE.com" });
    const project = created.project?.id ?? "";
    expect((await admin.listMembers({ project })).members).toMatchObject([
      { id: owner.id, email: "owner@example.com", role: MemberRole.OWNER },
    ]);
    const ada = { project, email: "Ada@example.com", role: MemberRole.DEVELOPER };
    expect(await admin.createInvitation({ ...ada, dryRun: true })).toMatchObject({ created: true, token: "" });
    const { invitation, token, ...first } = await admin.createInvitation(ada);
    expect([first.created, invitation]).toMatchObject([true, { email: "ada@example.com", role: MemberRole.DEVELOPER }]);
    expect(await admin.createInvitation(ada)).toMatchObject({ created: false, token: "", invitation });
    const other = admin.createInvitation({ ...ada, role: MemberRole.OWNER });
    expect(await failureOf(other)).toMatch(/^AlreadyExists: email: is invited with another role, by /);
    expect((await admin.listInvitations({ project })).invitations).toEqual([invitation]);
    expect(await createInvitations(service.store).accept(token, undefined)).toBe(accounts[1]?.id);
    expect(await failureOf(admin.createInvitation(ada))).toMatch(/^AlreadyExists: email: is of a member already/);
    const page = await admin.listMembers({ project, pageSize: 1 });
    const next = await admin.listMembers({ project, pageSize: 1, pageToken: page.nextPageToken });
    const emails = [...page.members, ...next.members].map(({ email }) => email);
    expect([emails, next.nextPageToken]).toEqual([["owner@example.com", "ada@example.com"], ""]);
    const alone = "FailedPrecondition: member: is the only owner of the project, which keeps one: make someone else";
    expect(await failureOf(admin.removeMember({ project, member: owner.id }))).toContain(alone);
    const raised = await admin.setMemberRole({ project, member: "ada@example.com", role: MemberRole.OWNER });
    expect(raised.member).toMatchObject({ email: "ada@example.com", role: MemberRole.OWNER });
    await admin.removeMember({ project, member: owner.id });
    expect((await admin.listMembers({ project })).members).toMatchObject([{ email: "ada@example.com" }]);
    expect(await failureOf(admin.removeMember({ project, member: owner.id }))).toMatch(/^NotFound: member: /);
    const waiting = await admin.createInvitation({ ...ada, email: "grace@example.com" });
    await admin.revokeInvitation({ project, id: waiting.invitation?.id ?? "" });
    expect((await admin.listInvitations({ project })).invitations).toEqual([]);
    const again = admin.revokeInvitation({ project, id: waiting.invitation?.id ?? "" });
    expect(await failureOf(again)).toBe("NotFound: id: there is no such invitation");
    const wrong = admin.createInvitation({ ...ada, email: "nobody" });
    expect(await failureOf(wrong)).toMatch(/^InvalidArgument: email: /);
    const bound = clientOf(await newAdminKey(ADMIN_SCOPES, await newProject("others")));
    expect(await failureOf(bound.listMembers({ project }))).toBe("NotFound: project: there is no such project");
  });

  it("lists the audit log in pages, by project, actor, action and time", async () => {
    const project = await newProject("audited");
    const { key } = await admin.createKey({ project, key: { name: "seen", limits: { usdTotal: 5 } } });
    await admin.revokeKey({ id: key?.id ?? "" });
    const first = await admin.listAuditEntries({ project, pageSize: 2 });
    const rest = await admin.listAuditEntries({ project, pageSize: 2, pageToken: first.nextPageToken });
    expect(rest.nextPageToken).toBe("");
    const entries = [...first.entries, ...rest.entries];
    expect(entries.map(({ action }) => action)).toEqual(["keys.revoke", "keys.create", "projects.create"]);
    expect(entries[1]).toMatchObject({
      actor: { kind: "admin-key", label: ADMIN_SCOPES.join(" ") },
      via: "rpc",
      projectId: project,
      target: { kind: "key", id: key?.id, name: "seen" },
    });
    expect(entries[1]?.before).toBeUndefined();
    expect(JSON.parse(entries[1]?.after ?? "")).toMatchObject({ name: "seen" });
    const actions = async (filter: object) =>
      (await admin.listAuditEntries({ project: "audited", ...filter })).entries.map(({ action }) => action);
    expect(await actions({ action: "keys" })).toEqual(["keys.revoke", "keys.create"]);
    expect(await actions({ action: "projects.create" })).toEqual(["projects.create"]);
    expect(await actions({ actor: "nobody" })).toEqual([]);
    expect(await actions({ from: { seconds: 9_000_000_000n, nanos: 0 } })).toEqual([]);
    expect(await actions({ to: { seconds: 9_000_000_000n, nanos: 0 } })).toHaveLength(3);
    const bound = clientOf(await newAdminKey(ADMIN_SCOPES, project));
    const seen = (await bound.listAuditEntries({})).entries;
    expect(new Set(seen.map(({ projectId }) => projectId))).toEqual(new Set([project]));
    expect(await failureOf(bound.listAuditEntries({ project: "default" }))).toMatch(/^NotFound: project: /);
    expect(await failureOf(admin.listAuditEntries({ pageToken: "x" }))).toMatch(/^InvalidArgument: page_token: /);
  });

  it("changes nothing in a dry run, which answers as the change would", async () => {
    const dry = await admin.createProject({ project: { name: "dry" }, dryRun: true });
    expect(dry).toMatchObject({ created: true, project: { name: "dry" } });
    expect(await failureOf(admin.getProject({ project: "dry" }))).toBe("NotFound: project: there is no such project");
    const { key, secret } = await admin.createKey({ project: "default", key: { name: "kept" } });
    expect((await admin.createKey({ project: "default", key: { name: "dry" }, dryRun: true })).secret).toBe("");
    const id = key?.id ?? "";
    expect(await admin.rotateKey({ id, dryRun: true })).toMatchObject({ secret: "" });
    expect((await admin.revokeKey({ id, dryRun: true })).key?.state).toBe(KeyState.REVOKED);
    expect((await admin.getKey({ id })).key).toMatchObject({ state: KeyState.ACTIVE, etag: key?.etag });
    expect(await statusOf(secret)).toBe(200);
  });

  it("hides other projects from a key that is bound to one", async () => {
    const [own, other] = [await newProject("own"), await newProject("other")];
    const foreign = (await admin.createKey({ project: other, key: { name: "foreign" } })).key?.id ?? "";
    const bound = clientOf(await newAdminKey(ADMIN_SCOPES, own));
    expect((await bound.listProjects({})).projects).toMatchObject([{ name: "own" }]);
    await bound.createKey({ project: "own", key: { name: "mine" } });
    expect((await bound.listKeys({})).keys).toMatchObject([{ name: "mine", projectId: own }]);
    const noProject = "NotFound: project: there is no such project";
    const noKey = "NotFound: id: there is no such key";
    expect(await failureOf(bound.getProject({ project: "other" }))).toBe(noProject);
    expect(await failureOf(bound.listKeys({ project: other }))).toBe(noProject);
    expect(await failureOf(bound.createKey({ project: other, key: {} }))).toBe(noProject);
    for (const method of ["getKey", "revokeKey", "rotateKey"] as const) {
      expect(await failureOf(bound[method]({ id: foreign }))).toBe(noKey);
    }
    const renaming = { id: foreign, update: { name: "x" }, updateMask: { paths: ["name"] } };
    expect(await failureOf(bound.updateKey(renaming))).toBe(noKey);
    expect(await failureOf(bound.createProject({ project: { name: "more" } }))).toMatch(
      /^PermissionDenied: .*is bound/,
    );
    expect((await admin.getKey({ id: foreign })).key?.state).toBe(KeyState.ACTIVE);
  });

  it("takes admin keys for administration alone, and nothing else for it", async () => {
    const key = await newAdminKey(["keys:read"]);
    const models = createClient(ModelService, transportOf(key));
    expect(await failureOf(models.listModels({}))).toMatch(
      /^PermissionDenied: this is an admin key, which administers/,
    );
    expect(await statusOf(key)).toBe(403);
    const calling = clientOf(service.key);
    expect(await failureOf(calling.listKeys({}))).toMatch(/^PermissionDenied: this isn't an admin key: API keys call/);
    const unknown = clientOf(`${key.slice(0, -1)}-`);
    expect(await failureOf(unknown.listKeys({}))).toMatch(/^Unauthenticated: the admin key is not known/);
  });

  it("takes no admin key that has ended", async () => {
    const settings = { name: "ends", scopes: ADMIN_SCOPES, projectId: undefined };
    const expired = await createAdminKey(service.store, { ...settings, expiresAt: new Date(Date.now() - 1000) });
    const revoked = await createAdminKey(service.store, { ...settings, expiresAt: null });
    expect((await clientOf(revoked.key).listKeys({})).keys).not.toEqual([]);
    await revokeAdminKey(service.store, revoked.info.publicId);
    for (const { key } of [expired, revoked]) {
      expect(await failureOf(clientOf(key).listKeys({}))).toMatch(/^Unauthenticated: /);
    }
  });

  it("leaves the key of the configuration to the configuration", async () => {
    const failure = await failureOf(admin.revokeKey({ id: "bootstrap" }));
    expect(failure).toBe("FailedPrecondition: id: is the bootstrapKey of the configuration: change it there");
  });
});
