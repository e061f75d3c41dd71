import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_PROJECT } from "../../../../src/store/entities/project.ts";
import { deleteProject } from "../../../../src/store/project-deletion/delete-project.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { type FakeOidcProvider, OIDC_CLIENT, startFakeOidcProvider } from "../../../support/fake-oidc-provider.ts";
import { startScriptedUpstream, wholeAnswer } from "../../../support/scripted-upstream.ts";
import { Caller, PASSWORD } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, signedIn } from "../../people.ts";

const HOUR_MS = 3_600_000;

describe.each(ENGINES)("signing in through a provider, on %s", (engine) => {
  const databases = useDatabases(engine);
  let provider: FakeOidcProvider;
  let service: DashboardService;
  let person = 0;

  beforeAll(async () => {
    provider = await startFakeOidcProvider();
    service = await startDashboardService({ databaseUrl: databases.url, configText: configOf(provider, {}) });
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });
  beforeEach(() => {
    person += 1;
    provider.claims = {
      sub: `person-${person}`,
      email: `person-${person}@example.com`,
      email_verified: true,
      sid: `s-${person}`,
      groups: ["platform"],
    };
  });
  afterEach(() => {
    provider.answerToken = undefined;
    provider.grants.length = 0;
  });

  const accountOf = () => service.dashboard.accounts.findByEmail(`person-${person}@example.com`);
  const auditOf = async (targetId: string | undefined) =>
    await service.store
      .query()
      .selectFrom("AuditEntry")
      .selectAll()
      .where("targetId", "=", targetId ?? "")
      .orderBy("sequence")
      .execute();

  it("makes the account of a verified address, with the roles of its groups, and notes it", async () => {
    const { status, caller, page } = await signIn(service, provider, { to: "/dashboard/projects/1/history?key=a" });
    expect(status).toBe(200);
    expect(page).toContain('content="0;url=/dashboard/projects/1/history?key=a"');
    expect((await caller.query("session.current")).data).toMatchObject({
      user: { email: `person-${person}@example.com` },
      projects: [{ id: DEFAULT_PROJECT.id, role: "admin" }],
    });
    const entries = await auditOf((await accountOf())?.id);
    expect(entries.map(({ action }) => action).sort()).toEqual(["accounts.create", "members.add", "session.begin"]);
    expect(entries.find(({ action }) => action === "members.add")).toMatchObject({
      actorKind: "configuration",
      actorId: "company",
      projectId: DEFAULT_PROJECT.id,
    });
  });

  it("knows the person again, whatever their address is by then", async () => {
    await signIn(service, provider);
    const first = await accountOf();
    provider.claims["email"] = "another@example.com";
    const { caller } = await signIn(service, provider);
    expect((await caller.query("session.current")).data).toMatchObject({ user: { id: first?.id } });
  });

  describe("with groups that stand elsewhere, as those of Entra ID beyond 200", () => {
    const roleOf = async (caller: Caller) =>
      ((await caller.query("session.current")).data as { projects: { role: string }[] }).projects[0]?.role;

    async function signInElsewhere(claims: object) {
      delete provider.claims["groups"];
      Object.assign(provider.claims, claims);
      return (await signIn(service, provider)).caller;
    }

    it.each([
      [
        "a place that cannot be asked",
        { _claim_names: { groups: "s" }, _claim_sources: { s: { endpoint: "http://127.0.0.1:1/" } } },
      ],
      ["no place", { hasgroups: true }],
      ["a claim of another form", { groups: { platform: "yes" } }],
      ["a list of what has no names", { groups: [{ id: "platform" }] }],
      ["an empty list beside the place", { groups: [], _claim_names: { groups: "s" } }],
      ["some groups beside the place", { groups: ["other"], _claim_names: { groups: "s" } }],
    ])("keeps the role that they gave before, with %s", async (_of, claims) => {
      expect(await roleOf((await signIn(service, provider)).caller)).toBe("admin");
      expect(await roleOf(await signInElsewhere(claims))).toBe("admin");
    });

    it("reads them there where that place answers", async () => {
      const place = await startScriptedUpstream();
      place.answer(wholeAnswer(JSON.stringify({ value: ["finance"] })));
      await signIn(service, provider);
      const source = { endpoint: `${place.url}/me/getMemberObjects` };
      const caller = await signInElsewhere({ _claim_names: { groups: "s" }, _claim_sources: { s: source } });
      expect(await roleOf(caller)).toBe("billing");
      expect(place.received[0]).toMatchObject({ body: '{"securityEnabledOnly":false}' });
      expect(place.received[0]?.headers.authorization).toMatch(/^Bearer /);
      await place.close();
    });

    it("keeps a role where that place has more pages than one", async () => {
      const place = await startScriptedUpstream();
      const page = { value: ["finance"], "@odata.nextLink": `${place.url}/me/getMemberObjects?$skiptoken=1` };
      place.answer(wholeAnswer(JSON.stringify(page)));
      expect(await roleOf((await signIn(service, provider)).caller)).toBe("admin");
      const source = { endpoint: `${place.url}/me/getMemberObjects` };
      const caller = await signInElsewhere({ _claim_names: { groups: "s" }, _claim_sources: { s: source } });
      expect(await roleOf(caller)).toBe("admin");
      await place.close();
    });
  });

  it.each([
    ["an address that is not verified", { email_verified: false }],
    ["no address", { email: undefined }],
  ])("lets nobody in with %s", async (_of, claims) => {
    Object.assign(provider.claims, claims);
    const { status, page, caller } = await signIn(service, provider);
    expect([status, caller.cookie]).toEqual([403, undefined]);
    expect(page).toContain("say that your email address is verified");
    expect(await accountOf()).toBeUndefined();
  });

  it("gives nobody the account of a password with the same address, unless linking is allowed", async () => {
    const { byRole } = await createPeople(service);
    const { user } = (await byRole.owner.query("session.current")).data as { user: { id: string; email: string } };
    provider.claims["email"] = user.email.toUpperCase();
    const refused = await signIn(service, provider);
    expect([refused.status, refused.caller.cookie]).toEqual([403, undefined]);
    expect(refused.page).toContain("An account with your email address exists");
    const linking = await startDashboardService({
      databaseUrl: databases.url,
      configText: configOf(provider, { linkAccounts: true }),
    });
    try {
      provider.claims["email_verified"] = false;
      expect((await signIn(linking, provider)).status).toBe(403);
      provider.claims["email_verified"] = true;
      const { caller } = await signIn(linking, provider);
      expect((await caller.query("session.current")).data).toMatchObject({ user: { id: user.id } });
      expect((await auditOf(user.id)).map(({ action }) => action)).toContain("accounts.link");
    } finally {
      await linking.close();
    }
  });

  it("accepts the invitations to a verified address, and no others", async () => {
    const { invitations, projects, memberships } = service.dashboard;
    const newProject = async () => (await projects.create(randomUUID()))?.id ?? "";
    const [invited, deleted, other] = [await newProject(), await newProject(), await newProject()];
    const email = `person-${person}@example.com`;
    await invitations.create({ projectId: invited, email: email.toUpperCase(), role: "viewer" });
    await invitations.create({ projectId: DEFAULT_PROJECT.id, email, role: "billing" });
    await invitations.create({ projectId: deleted, email, role: "viewer" });
    await invitations.create({ projectId: other, email: "somebody@example.com", role: "viewer" });
    await deleteProject(service.store, deleted);
    const { caller } = await signIn(service, provider);
    const { user, projects: own } = (await caller.query("session.current")).data as {
      user: { id: string };
      projects: readonly { id: string; role: string }[];
    };
    expect(own.map(({ id, role }) => [id, role]).sort()).toEqual(
      [
        // The weaker role waits for the day on which groups give less.
        [DEFAULT_PROJECT.id, "admin"],
        [invited, "viewer"],
      ].sort(),
    );
    expect(await invitations.list(invited)).toEqual([]);
    expect(await invitations.list(DEFAULT_PROJECT.id)).toMatchObject([{ email, role: "billing" }]);
    expect(await invitations.list(other)).toHaveLength(1);
    const entries = await service.store
      .query()
      .selectFrom("AuditEntry")
      .selectAll()
      .where("projectId", "=", invited)
      .execute();
    expect(entries.at(-1)).toMatchObject({ action: "invitations.accept", actorKind: "person", actorId: user.id });
    expect(await memberships.listMembers(invited)).toMatchObject([{ email, role: "viewer", isByGroups: false }]);
  });

  it("gives nobody the invitation of another account, whose address they have at the provider by then", async () => {
    const { invitations, projects } = service.dashboard;
    const projectId = (await projects.create(randomUUID()))?.id ?? "";
    const { byRole } = await createPeople(service);
    const { user } = (await byRole.viewer.query("session.current")).data as { user: { email: string } };
    await signIn(service, provider);
    await invitations.create({ projectId, email: user.email, role: "admin" });
    provider.claims["email"] = user.email;
    const { caller } = await signIn(service, provider);
    const { projects: own } = (await caller.query("session.current")).data as { projects: readonly { id: string }[] };
    expect(own.map(({ id }) => id)).not.toContain(projectId);
    expect(await invitations.list(projectId)).toHaveLength(1);
  });

  it("lets an invitation to own a project wait for who owns as many as they may", async () => {
    const { invitations, projects } = service.dashboard;
    const projectId = (await projects.create(randomUUID()))?.id ?? "";
    await invitations.create({ projectId, email: `person-${person}@example.com`, role: "owner" });
    const { quotas } = service.store;
    service.store.setQuotas({ ...quotas, projectsPerPerson: 0 });
    expect((await signIn(service, provider)).status).toBe(200);
    expect(await invitations.list(projectId)).toHaveLength(1);
    service.store.setQuotas(quotas);
    await signIn(service, provider);
    expect(await invitations.list(projectId)).toEqual([]);
  });

  describe("fails with a page that says so, and leaks nothing,", () => {
    const seconds = () => Math.floor(Date.now() / 1000);
    it.each<[string, () => Record<string, unknown>]>([
      ["another nonce", () => ({ nonce: "another" })],
      ["no nonce", () => ({ nonce: undefined })],
      ["another issuer", () => ({ iss: "https://elsewhere.example.com" })],
      ["another client", () => ({ aud: "another" })],
      ["an expired token", () => ({ exp: seconds() - 600, iat: seconds() - 900 })],
    ])("for %s", async (_of, claims) => {
      Object.assign(provider.claims, claims());
      const { status, page, caller } = await signIn(service, provider);
      expect([status, caller.cookie]).toEqual([400, undefined]);
      expect(page).toContain("The sign-in provider's answer isn't valid: sign in again.");
      for (const secret of [OIDC_CLIENT.secret, "access_token", "eyJ", "another", "elsewhere"]) {
        expect(page).not.toContain(secret);
      }
    });

    it.each(["sub", "email", "sid"])("for the character U+0000 in %s", async (claim) => {
      Object.assign(provider.claims, { [claim]: `person\0${person}` });
      const { status, caller } = await signIn(service, provider);
      expect([status, caller.cookie]).toEqual([403, undefined]);
    });

    it.each([
      ["leads to another host", { target: "//evil.example.com" }],
      ["leads to another page", { target: "/dashboard/projects/2/keys" }],
      ["is good for longer", { expiresAt: Date.now() + 10 * HOUR_MS }],
    ])("for a cookie that %s", async (_, changes) => {
      const begun = await begin(service, provider);
      const [name = "", value = ""] = begun.cookie.split("=");
      const [payload = "", signature = ""] = value.split(".");
      const flow = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
      const forged = Buffer.from(JSON.stringify({ ...flow, ...changes })).toString("base64url");
      for (const written of [forged, `${forged}.`, `${forged}.${signature}`, payload]) {
        const answer = await fetch(begun.back, { headers: { cookie: `${name}=${written}` } });
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain("started in another browser");
      }
    });

    it("for another state", async () => {
      const change = (back: URL) => back.searchParams.set("state", "another");
      const { status, caller } = await signIn(service, provider, { change });
      expect([status, caller.cookie, provider.grants]).toEqual([400, undefined, []]);
    });

    it("for a browser that has not begun it, and for a second time", async () => {
      const begun = await begin(service, provider);
      const stranger = await fetch(begun.back);
      expect([stranger.status, stranger.headers.getSetCookie()]).toEqual([400, []]);
      expect(await stranger.text()).toContain("started in another browser");
      const first = await fetch(begun.back, { headers: { cookie: begun.cookie } });
      expect(first.status).toBe(200);
      const cleared = first.headers.getSetCookie().find((line) => line.startsWith("attune_sign_in="));
      expect(cleared).toMatch(/^attune_sign_in=;/);
      expect((await fetch(begun.back, { headers: { cookie: begun.cookie } })).status).toBe(403);
    });

    it("for who says no at the provider", async () => {
      const change = (back: URL) => {
        back.searchParams.delete("code");
        back.searchParams.set("error", "access_denied");
      };
      const { status, page } = await signIn(service, provider, { change });
      expect([status, page.includes("The sign-in provider did not let you in.")]).toEqual([403, true]);
    });

    it("for a provider that breaks", async () => {
      provider.answerToken = () => ({ status: 500, body: { error: "server_error" } });
      const { status, page } = await signIn(service, provider);
      expect([status, page.includes("be reached right now")]).toEqual([503, true]);
    });

    it("for a provider that is away or that nobody configured", async () => {
      const away = await fetch(`${service.url}/dashboard/api/sign-in/away/start`, { redirect: "manual" });
      expect([away.status, (await away.text()).includes("be reached right now")]).toEqual([503, true]);
      const unknown = await fetch(`${service.url}/dashboard/api/sign-in/unknown/start`, { redirect: "manual" });
      expect(unknown.status).toBe(404);
    });
  });

  it.each(["https://evil.example.com/", "//evil.example.com", "/dashboard/\\evil", '/dashboard/"><script>'])(
    "leads to no other place than the dashboard: %s",
    async (to) => {
      const { page } = await signIn(service, provider, { to });
      expect(page).toContain('content="0;url=/dashboard/"');
    },
  );

  describe("the session", () => {
    const rolesOf = async (caller: Caller) => {
      const { data } = await caller.query("session.current");
      const { projects } = data as { projects?: { role: string }[] };
      return projects?.map(({ role }) => role);
    };
    /** Makes the provider's last word older, as time would. */
    const age = async (ms: number) => {
      await service.store
        .query()
        .updateTable("DashboardSession")
        .set({ checkedAt: new Date(Date.now() - ms) })
        .where("subject", "=", `person-${person}`)
        .execute();
    };

    it("loses the roles of groups that are taken away, and gets those that are given", async () => {
      const { caller } = await signIn(service, provider);
      provider.claims["groups"] = [];
      expect(await rolesOf(caller)).toEqual(["admin"]);
      expect(provider.grants).toEqual(["authorization_code"]);
      await age(400_000);
      expect(await rolesOf(caller)).toEqual([]);
      provider.claims["groups"] = ["finance"];
      await age(400_000);
      expect(await rolesOf(caller)).toEqual(["billing"]);
      const entries = await auditOf((await accountOf())?.id);
      const changes = entries.filter(({ action }) => action.startsWith("members."));
      expect(changes.map(({ action }) => action)).toEqual(["members.add", "members.remove", "members.add"]);
    });

    it.each([
      ["brings no ID token", { id: false, scope: undefined }],
      ["denies the scope of the groups", { id: true, scope: "openid email" }],
    ])("keeps the roles of groups where a refresh %s", async (_of, { id, scope }) => {
      const { caller } = await signIn(service, provider);
      const { groups: _groups, ...claims } = provider.claims;
      const now = Math.floor(Date.now() / 1000);
      const token = provider.signToken({
        iss: provider.issuer,
        aud: OIDC_CLIENT.id,
        iat: now,
        exp: now + 300,
        ...claims,
      });
      const body = { access_token: "a", token_type: "Bearer", ...(id && { id_token: token }), ...(scope && { scope }) };
      provider.answerToken = (grant) => (grant === "refresh_token" ? { status: 200, body } : undefined);
      await age(400_000);
      expect(await rolesOf(caller)).toEqual(["admin"]);
      expect(provider.grants).toEqual(["authorization_code", "refresh_token"]);
    });

    it("keeps the role of an invitation when the groups that gave it too are taken away", async () => {
      const first = await signIn(service, provider);
      expect(await rolesOf(first.caller)).toEqual(["admin"]);
      const email = `person-${person}@example.com`;
      await service.dashboard.invitations.create({ projectId: DEFAULT_PROJECT.id, email, role: "admin" });
      const { caller } = await signIn(service, provider);
      expect(await rolesOf(caller)).toEqual(["admin"]);
      provider.claims["groups"] = [];
      await age(400_000);
      expect(await rolesOf(caller)).toEqual(["admin"]);
      const account = await accountOf();
      const members = await service.dashboard.memberships.listMembers(DEFAULT_PROJECT.id);
      expect(members.find(({ userId }) => userId === account?.id)).toMatchObject({ role: "admin", isByGroups: false });
      const accepted = (await auditOf(account?.id)).filter(({ action }) => action.startsWith("members."));
      expect(accepted.map(({ action }) => action)).toEqual(["members.add"]);
    });

    it("gets the role of an invitation with the sign-in that loses the groups", async () => {
      await signIn(service, provider);
      const email = `person-${person}@example.com`;
      await service.dashboard.invitations.create({ projectId: DEFAULT_PROJECT.id, email, role: "viewer" });
      expect(await rolesOf((await signIn(service, provider)).caller)).toEqual(["admin"]);
      provider.claims["groups"] = [];
      const { caller } = await signIn(service, provider);
      expect(await rolesOf(caller)).toEqual(["viewer"]);
    });

    it("is refreshed once by requests that come together", async () => {
      const { caller } = await signIn(service, provider);
      await age(400_000);
      const roles = await Promise.all(Array.from({ length: 5 }, () => rolesOf(caller)));
      expect(roles).toEqual(Array(5).fill(["admin"]));
      expect(provider.grants).toEqual(["authorization_code", "refresh_token"]);
    });

    it("ends when the provider refuses to refresh it", async () => {
      const { caller } = await signIn(service, provider);
      provider.answerToken = () => ({ status: 400, body: { error: "invalid_grant" } });
      await age(400_000);
      expect(await rolesOf(caller)).toBeUndefined();
      provider.answerToken = undefined;
      expect(await rolesOf(caller)).toBeUndefined();
    });

    it("goes on for a while when the provider is away, and is there again after it", async () => {
      const { caller } = await signIn(service, provider);
      provider.answerToken = () => ({ status: 503, body: {} });
      await age(400_000);
      expect(await rolesOf(caller)).toEqual(["admin"]);
    });

    it("ends within the hour where the provider gives no refresh token", async () => {
      const { caller } = await signIn(service, provider);
      await service.store
        .query()
        .updateTable("DashboardSession")
        .set({ refreshToken: null })
        .where("subject", "=", `person-${person}`)
        .execute();
      await age(HOUR_MS - 60_000);
      expect(await rolesOf(caller)).toEqual(["admin"]);
      await age(HOUR_MS);
      expect(await rolesOf(caller)).toBeUndefined();
    });

    it("ends when the provider says so over the back channel", async () => {
      const { caller } = await signIn(service, provider);
      const other = await signIn(service, provider);
      const iat = Math.floor(Date.now() / 1000);
      const claims = {
        iss: provider.issuer,
        aud: OIDC_CLIENT.id,
        iat,
        jti: "one",
        sub: `person-${person}`,
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      };
      const logOut = async (token: string) => {
        const body = new URLSearchParams({ logout_token: token });
        return (await fetch(`${service.url}/dashboard/api/sign-in/company/logout`, { method: "POST", body })).status;
      };
      expect(await logOut("nonsense")).toBe(400);
      expect(await logOut(provider.signToken({ ...claims, events: {} }))).toBe(400);
      expect(await logOut(provider.signToken({ ...claims, nonce: "n" }))).toBe(400);
      expect(await logOut(provider.signToken({ ...claims, aud: "another" }))).toBe(400);
      expect(await logOut(provider.signToken({ ...claims, iat: iat - 3600 }))).toBe(400);
      expect(await rolesOf(caller)).toEqual(["admin"]);
      expect(await logOut(provider.signToken(claims))).toBe(200);
      expect([await rolesOf(caller), await rolesOf(other.caller)]).toEqual([undefined, undefined]);
      const ended = (await auditOf((await accountOf())?.id)).filter(({ action }) => action === "session.end");
      expect(ended).toHaveLength(2);
    });

    it("keeps a role that groups give from being changed by people", async () => {
      await signIn(service, provider);
      const account = await accountOf();
      const member = { projectId: DEFAULT_PROJECT.id, userId: account?.id ?? "" };
      expect(await service.dashboard.memberships.setRole(member, "owner")).toBe("by-groups");
      expect(await service.dashboard.memberships.remove(member)).toBe("by-groups");
    });
  });

  it("keeps a refresh token only as the browser's secret opens it", async () => {
    await signIn(service, provider);
    const rows = await service.store
      .query()
      .selectFrom("DashboardSession")
      .selectAll()
      .where("subject", "=", `person-${person}`)
      .execute();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.refreshToken).toMatch(/^[\w-]{60,}$/);
    expect(rows[0]?.refreshToken).not.toMatch(/^[0-9a-f]{8}-/);
  });
});

describe("a dashboard that requires a provider", () => {
  const databases = useDatabases("sqlite");
  let provider: FakeOidcProvider;
  let service: DashboardService;

  beforeAll(async () => {
    provider = await startFakeOidcProvider();
    const signIn = { required: true, providers: { company: providerOf(provider, {}) } };
    const configText = JSON.stringify({ dashboard: { signIn } });
    service = await startDashboardService({ databaseUrl: databases.url, configText });
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });

  it("lets the first owner in by password, and nobody else", async () => {
    const [, token = ""] = (await service.setupLink()).split("#token=");
    const owner = new Caller(service.url);
    const first = { email: "first@example.com", password: PASSWORD };
    expect((await owner.mutate("setup.createOwner", { token, ...first })).status).toBe(200);
    const again = new Caller(service.url);
    expect((await again.mutate("session.signIn", first)).status).toBe(200);
    expect((await again.query("session.current")).data).toMatchObject({ user: { email: first.email } });
    const other = await signedIn(service);
    expect((await other.caller.query("session.current")).data).toEqual({
      user: null,
      ownerCommand: null,
      isPasswordOff: true,
      providers: [{ name: "company", label: "Example Inc." }],
    });
    const refused = await other.caller.mutate("session.signIn", { email: other.email, password: PASSWORD });
    expect([refused.status, refused.error?.message]).toEqual([401, "the e-mail address or the password is wrong"]);
  });

  it("opens no way by links", async () => {
    const off = "passwords are off: sign in through the provider, whose groups say where you belong";
    const { resets, invitations } = service.dashboard;
    const { userId } = await signedIn(service);
    const reset = await resets.createForAccount(userId);
    const nobody = new Caller(service.url);
    const redeemed = await nobody.mutate("resets.redeem", { token: reset.secret, password: PASSWORD });
    expect([redeemed.status, redeemed.error?.message, nobody.cookie]).toEqual([403, off, undefined]);
    const invitation = { projectId: DEFAULT_PROJECT.id, email: "new@example.com", role: "owner" } as const;
    const { secret } = await invitations.create(invitation);
    const accepted = await nobody.mutate("invitations.accept", { token: secret, password: PASSWORD });
    expect([accepted.status, accepted.error?.message, nobody.cookie]).toEqual([403, off, undefined]);
  });

  it("lets people in through the provider", async () => {
    provider.claims = { sub: "ada", email: "ada@example.com", email_verified: true, groups: ["finance"] };
    const { caller } = await signIn(service, provider);
    expect((await caller.query("session.current")).data).toMatchObject({ projects: [{ role: "billing" }] });
  });
});

interface Options {
  readonly to?: string;
  /** Changes the way back. */
  readonly change?: (back: URL) => void;
}

/** Goes to the provider and signs in there; returns the way back, and the cookie of the browser. */
async function begin(service: DashboardService, provider: FakeOidcProvider, { to, change }: Options = {}) {
  const query = to === undefined ? "" : `?${new URLSearchParams({ to })}`;
  const start = await fetch(`${service.url}/dashboard/api/sign-in/company/start${query}`, { redirect: "manual" });
  const back = provider.authorize(start.headers.get("location") ?? "");
  change?.(back);
  const [cookie = ""] = (start.headers.getSetCookie()[0] ?? "").split(";");
  return { back, cookie };
}

/** Signs in, as a browser does. */
async function signIn(service: DashboardService, provider: FakeOidcProvider, options: Options = {}) {
  const { back, cookie } = await begin(service, provider, options);
  const answer = await fetch(back, { headers: { cookie, "sec-fetch-site": "cross-site" } });
  const caller = new Caller(service.url);
  const session = answer.headers.getSetCookie().find((line) => line.startsWith("attune_session="));
  caller.cookie = session?.split(";")[0];
  return { status: answer.status, page: await answer.text(), caller };
}

function configOf(provider: FakeOidcProvider, more: Readonly<Record<string, unknown>>): string {
  // A port that nothing listens on.
  const away = { issuer: "http://127.0.0.1:1", clientId: "attune" };
  return JSON.stringify({ dashboard: { signIn: { providers: { company: providerOf(provider, more), away } } } });
}

function providerOf({ issuer }: FakeOidcProvider, more: Readonly<Record<string, unknown>>) {
  return {
    label: "Example Inc.",
    issuer,
    clientId: OIDC_CLIENT.id,
    clientSecret: OIDC_CLIENT.secret,
    scopes: ["openid", "email", "groups"],
    groups: [
      { group: "platform", project: "default", role: "admin" },
      { group: "finance", project: DEFAULT_PROJECT.id, role: "billing" },
      { group: "platform", project: "a project that is not there", role: "owner" },
    ],
    ...more,
  };
}
