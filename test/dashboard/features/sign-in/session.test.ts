import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInvitations } from "../../../../src/store/dashboard/invitations.ts";
import { createSessions, deleteEndedSessions } from "../../../../src/store/dashboard/sessions.ts";
import { createSetup } from "../../../../src/store/dashboard/setup.ts";
import { ATTEMPT_WINDOW_MS, createSignInAttempts } from "../../../../src/store/dashboard/sign-in-attempts.ts";
import { openStore } from "../../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../../src/store/entities/project.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { Caller, PASSWORD } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { signedIn } from "../../people.ts";

const HOUR_MS = 3_600_000;

describe.each(ENGINES)("signing in on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url, proxies: 1 });
  });

  afterAll(() => service.close());

  /** A browser at an address of its own, so that the attempts of other tests do not count. */
  let count = 0;
  const newCaller = (headers: Readonly<Record<string, string>> = {}) => {
    count += 1;
    return new Caller(service.url, { "x-forwarded-for": `192.0.2.${count}`, ...headers });
  };

  it("makes the first account with the link, once, and none with another", async () => {
    const token = (await service.setupLink()).split("token=")[1] ?? "";
    const caller = newCaller();
    const before = await caller.query("session.current");
    expect(before.data).toEqual({
      user: null,
      ownerCommand: "npm run -s attune -- users create-owner",
      providers: [],
      isPasswordOff: false,
    });
    const owner = { email: "Owner@Example.com ", password: PASSWORD };
    const forged = await caller.mutate("setup.createOwner", { token: `${token.slice(0, -1)}_`, ...owner });
    expect([forged.status, forged.error?.data.code]).toEqual([403, "FORBIDDEN"]);
    const together = await Promise.all(
      ["a", "b", "c"].map((name) =>
        newCaller().mutate("setup.createOwner", { token, ...owner, email: `${name}@example.com` }),
      ),
    );
    expect(together.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect((await caller.mutate("setup.createOwner", { token, ...owner })).status).toBe(403);
    expect(await service.dashboard.setup.newLink()).toBeUndefined();
    expect((await caller.query("session.current")).data).toMatchObject({ user: null, ownerCommand: null });
  });

  it("takes the right password, whatever the case of the address, and refuses a wrong one and strangers alike", async () => {
    const { email } = await signedIn(service);
    const caller = newCaller();
    const wrong = await caller.mutate("session.signIn", { email, password: "not the words" });
    const unknown = await caller.mutate("session.signIn", { email: "nobody@example.com", password: PASSWORD });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.error?.message).toBe(unknown.error?.message);
    expect(caller.cookie).toBeUndefined();
    expect((await caller.mutate("session.signIn", { email: email.toUpperCase(), password: PASSWORD })).status).toBe(
      200,
    );
    expect((await caller.query("session.current")).data).toMatchObject({ user: { email }, projects: [] });
  });

  it("gives a cookie that scripts cannot read and other sites cannot send; over https only over https", async () => {
    const { email } = await signedIn(service);
    const plain = await newCaller().mutate("session.signIn", { email, password: PASSWORD });
    expect(plain.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^attune_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    const secure = await newCaller({ "x-forwarded-proto": "https" }).mutate("session.signIn", {
      email,
      password: PASSWORD,
    });
    expect(secure.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-attune_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
  });

  it("keeps only the hash of a session's secret", async () => {
    const { caller } = await signedIn(service);
    const secret = caller.cookie?.split("=")[1] ?? "";
    const rows = await service.store.query().selectFrom("DashboardSession").selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it("replaces the session of a browser that signs in again", async () => {
    const { email, caller } = await signedIn(service);
    const before = caller.cookie;
    await caller.mutate("session.signIn", { email, password: PASSWORD });
    expect(caller.cookie).not.toBe(before);
    const old = new Caller(service.url);
    old.cookie = before;
    expect((await old.query("session.list")).status).toBe(401);
  });

  it("signs out here, and everywhere", async () => {
    const { email, caller } = await signedIn(service);
    const other = newCaller();
    await other.mutate("session.signIn", { email, password: PASSWORD });
    expect((await caller.query("session.list")).data).toHaveLength(2);
    await other.mutate("session.signOut");
    expect(other.cookie).toBeUndefined();
    expect((await caller.query("session.list")).data).toHaveLength(1);
    await other.mutate("session.signIn", { email, password: PASSWORD });
    const kept = other.cookie;
    expect((await caller.mutate("session.signOutEverywhere")).data).toEqual({ ended: 2 });
    other.cookie = kept;
    expect((await other.query("session.list")).status).toBe(401);
  });

  it("ends all other sessions when the password changes", async () => {
    const { email, caller } = await signedIn(service);
    const other = newCaller();
    await other.mutate("session.signIn", { email, password: PASSWORD });
    const change = (currentPassword: string, newPassword: string) =>
      caller.mutate("session.changePassword", { currentPassword, newPassword });
    expect((await change("not the words", "other plain words")).error?.message).toBe(
      "currentPassword: is not your password",
    );
    expect((await change(PASSWORD, "short")).error?.data.fields).toEqual({
      newPassword: "must have 12 characters or more",
    });
    expect((await change(PASSWORD, "other plain words")).data).toEqual({ ended: 1 });
    expect((await other.query("session.list")).status).toBe(401);
    expect((await caller.query("session.list")).data).toHaveLength(1);
    expect((await newCaller().mutate("session.signIn", { email, password: PASSWORD })).status).toBe(401);
    expect((await newCaller().mutate("session.signIn", { email, password: "other plain words" })).status).toBe(200);
  });

  it("refuses the ninth attempt on an account from an address, says when to come back, and lets others in", async () => {
    const { email } = await signedIn(service);
    const caller = newCaller();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      statuses.push((await caller.mutate("session.signIn", { email, password: "not the words" })).status);
    }
    expect(statuses).toEqual(Array(8).fill(401));
    const refused = await caller.mutate("session.signIn", { email, password: PASSWORD });
    expect(refused.status).toBe(429);
    expect(refused.error?.message).toMatch(/^too many attempts: try again in (a minute|\d+ minutes)$/);
    const waitSeconds = Number(refused.headers.get("retry-after"));
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(900);
    expect((await newCaller().mutate("session.signIn", { email, password: PASSWORD })).status).toBe(200);
  });

  it("counts attempts for all replicas together, by address and by account too, until the window is over", async () => {
    let now = Date.now();
    const replicas = [0, 1].map(() => createSignInAttempts(service.store, () => now));
    const countOf = async (account: string, address: string, replica = 0) =>
      (await replicas[replica]?.count({ account, address })) === undefined;
    for (let attempt = 0; attempt < 8; attempt += 1) {
      expect(await countOf("pair@x", "203.0.113.1", attempt % 2)).toBe(true);
    }
    expect(await countOf("pair@x", "203.0.113.1", 1)).toBe(false);
    expect(await countOf("pair@x", "203.0.113.2")).toBe(true);
    for (let attempt = 0; attempt < 40; attempt += 1) await countOf(`${attempt}@x`, "2001:db8:1:2::1");
    expect(await countOf("new@x", "2001:db8:1:2:ffff::2")).toBe(false);
    expect(await countOf("new@x", "2001:db8:1:3::1")).toBe(true);
    for (let attempt = 0; attempt < 80; attempt += 1) await countOf("hunted@x", `198.51.100.${attempt}`);
    expect(await countOf("hunted@x", "198.51.100.200")).toBe(false);
    now += 15 * 60_000;
    expect(await countOf("hunted@x", "198.51.100.200")).toBe(true);
    await replicas[0]?.forget({ account: "hunted@x", address: "198.51.100.200" });
    expect(await service.store.query().selectFrom("SignInAttempt").selectAll().execute()).toHaveLength(2);
  });

  it("ends a session after half a day without a request, and after a week with them", async () => {
    const { userId } = await signedIn(service);
    let now = Date.now();
    const sessions = createSessions(service.store, () => now);
    const begin = async () => (await sessions.begin({ userId, address: "", userAgent: "" })).secret;
    const idle = await begin();
    const busy = await begin();
    now += 11 * HOUR_MS;
    expect(await sessions.resume(busy)).toMatchObject({ userId });
    now += 2 * HOUR_MS;
    expect(await sessions.resume(idle)).toBeUndefined();
    while (now < Date.now() + 167 * HOUR_MS) {
      now += 6 * HOUR_MS;
      await sessions.resume(busy);
    }
    now = Date.now() + 169 * HOUR_MS;
    expect(await sessions.resume(busy)).toBeUndefined();
  });

  describe.each([
    ["-1 h", -HOUR_MS],
    ["+1 s", 1000],
    ["+1 d", 24 * HOUR_MS],
    ["+400 d", 400 * 24 * HOUR_MS],
  ])("with a clock that is wrong by %s for a moment", (_, stepMs) => {
    it("deletes nobody's session when someone signs in meanwhile", async () => {
      const [before, meanwhile] = [await signedIn(service), await signedIn(service)];
      let now = Date.now();
      const sessions = createSessions(service.store, () => now);
      const begin = (userId: string) => sessions.begin({ userId, address: "", userAgent: "" });
      const kept = await begin(before.userId);
      now += stepMs;
      const begun = await begin(meanwhile.userId);
      expect(await sessions.resume(begun.secret)).toMatchObject({ userId: meanwhile.userId });
      await sessions.resume(kept.secret);
      now -= stepMs;
      expect(await sessions.resume(kept.secret)).toMatchObject({ userId: before.userId });
      expect(await deleteEndedSessions(service.store, new Date(now))).toBe(0);
      // A session of the future would last until the clock has come there, and a week.
      now += 8 * 24 * HOUR_MS;
      expect(await sessions.resume(begun.secret)).toBeUndefined();
      expect(await sessions.list(meanwhile.userId)).toEqual([]);
    });

    it("locks nobody out for longer than a window", async () => {
      let now = Date.now();
      const attempts = createSignInAttempts(service.store, () => now);
      const attempt = { account: `step${stepMs}@x`, address: "203.0.113.77" };
      const waits: (number | undefined)[] = [];
      const tryOften = async () => {
        for (let count = 0; count < 9; count += 1) waits.push(await attempts.count(attempt));
      };
      now += stepMs;
      await tryOften();
      now -= stepMs;
      await tryOften();
      now += ATTEMPT_WINDOW_MS;
      expect(await attempts.count(attempt)).toBeUndefined();
      expect(Math.max(...waits.map((wait) => wait ?? 0))).toBeLessThanOrEqual(ATTEMPT_WINDOW_MS);
      const rows = await service.store.query().selectFrom("SignInAttempt").select("expiresAt").execute();
      for (const { expiresAt } of rows) expect(expiresAt.getTime()).toBeLessThan(now + 3 * ATTEMPT_WINDOW_MS);
    });
  });

  it("keeps the latest sessions of a person who signs in again and again", async () => {
    const { userId } = await signedIn(service);
    let now = Date.now();
    const sessions = createSessions(service.store, () => now++);
    const begin = async () => (await sessions.begin({ userId, address: "", userAgent: "" })).secret;
    const first = await begin();
    for (let count = 0; count < 50; count += 1) await begin();
    expect(await sessions.list(userId)).toHaveLength(50);
    expect(await sessions.resume(first)).toBeUndefined();
  });

  it("deletes sessions two months after they ended", async () => {
    const { userId } = await signedIn(service);
    const sessions = createSessions(service.store);
    const { secret } = await sessions.begin({ userId, address: "", userAgent: "" });
    const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS);
    await deleteEndedSessions(service.store, inDays(60));
    expect(await sessions.resume(secret)).toMatchObject({ userId });
    expect(await deleteEndedSessions(service.store, inDays(61))).toBeGreaterThan(0);
    expect(await sessions.resume(secret)).toBeUndefined();
  });

  it("takes no link from a clock that was far ahead", async () => {
    let now = Date.now() + 400 * 24 * HOUR_MS;
    const invitations = createInvitations(service.store, () => now);
    const { secret } = await invitations.create({
      projectId: DEFAULT_PROJECT.id,
      email: "later@x.example",
      role: "viewer",
    });
    expect(await invitations.open(secret)).toMatchObject({ email: "later@x.example" });
    now = Date.now();
    expect(await invitations.open(secret)).toBeUndefined();
    expect(await invitations.accept(secret, "hash")).toBeUndefined();
    expect(await invitations.list(DEFAULT_PROJECT.id)).toEqual([]);
    const fresh = await openStore(await databases.newMigratedUrl());
    now = Date.now() + 400 * 24 * HOUR_MS;
    const setup = createSetup(fresh, () => now);
    const link = (await setup.newLink()) ?? "";
    expect(await setup.accepts(link)).toBe(true);
    now = Date.now();
    expect(await setup.accepts(link)).toBe(false);
    expect(await setup.createOwner(link, { email: "owner@x.example", passwordHash: "hash" })).toBeUndefined();
    await fresh.close();
  });
});
