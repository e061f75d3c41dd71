import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPasswordResets } from "../../../../src/store/dashboard/password-resets.ts";
import { describeRefusal } from "../../../../src/vocabulary/permissions.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { Caller, PASSWORD } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People, signedIn } from "../../people.ts";

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = "some other plain words";
const STALE = [403, "this link is no longer valid: ask for a new one"];

describe.each(ENGINES)("a forgotten password on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  const nobody = () => new Caller(service.url);

  async function join(userId: string, projectId: string, role = "viewer"): Promise<void> {
    const row = { user: userId, project: projectId, role, createdAt: new Date() };
    await service.store.query().insertInto("Membership").values(row).execute();
  }

  /** Someone who is signed in, and a member of the project. */
  async function newMember(role?: string) {
    const person = await signedIn(service);
    await join(person.userId, people.projectId, role);
    return person;
  }

  async function makeLink(userId: string): Promise<string> {
    const { projectId, byRole } = people;
    const { data, error } = await byRole.owner.mutate("members.resetPassword", { projectId, userId });
    expect(error).toBeUndefined();
    return (data as { token: string }).token;
  }

  const redeem = async (token: string, password = NEW_PASSWORD) => {
    const { status, error } = await nobody().mutate("resets.redeem", { token, password });
    return [status, error?.message];
  };

  it("is replaced through the owner's link, once, which ends all sessions", async () => {
    const { userId, email, caller } = await newMember();
    const token = await makeLink(userId);
    expect((await caller.query("session.list")).status).toBe(200);
    const back = nobody();
    expect((await back.mutate("resets.open", { token })).data).toEqual({ email });
    expect(await redeem(token, "short")).toEqual([400, "password: must have 12 characters or more"]);
    expect((await back.mutate("resets.redeem", { token, password: NEW_PASSWORD })).status).toBe(200);
    expect((await caller.query("session.list")).status).toBe(401);
    expect((await back.query("session.current")).data).toMatchObject({ user: { email } });
    expect((await back.query("session.list")).data).toHaveLength(1);
    expect((await nobody().mutate("session.signIn", { email, password: PASSWORD })).status).toBe(401);
    expect((await nobody().mutate("session.signIn", { email, password: NEW_PASSWORD })).status).toBe(200);
    expect(await redeem(token)).toEqual(STALE);
    const again = await nobody().mutate("resets.open", { token });
    expect([again.status, again.error?.message]).toEqual(STALE);
  });

  it("is replaced by one of many who come at once", async () => {
    const token = await makeLink((await newMember()).userId);
    const answers = await Promise.all(Array.from({ length: 4 }, () => redeem(token)));
    expect(answers.map(([status]) => status).sort()).toEqual([200, 403, 403, 403]);
  });

  it("keeps the hash of the link's secret, and nothing else of it", async () => {
    const { userId } = await newMember();
    const token = await makeLink(userId);
    const rows = await service.store
      .query()
      .selectFrom("PasswordReset")
      .selectAll()
      .where("user", "=", userId)
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.tokenHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("takes no link but the latest, and none after the password was changed", async () => {
    const { userId, caller } = await newMember();
    const [first, second] = [await makeLink(userId), await makeLink(userId)];
    expect(await redeem(first)).toEqual(STALE);
    await caller.mutate("session.changePassword", { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect(await redeem(second)).toEqual(STALE);
    expect((await caller.query("session.list")).status).toBe(200);
  });

  it("takes a link for a day, by a clock that may go back", async () => {
    const { userId } = await newMember();
    let now = Date.now();
    const resets = createPasswordResets(service.store, () => now);
    const { secret } = await resets.createForAccount(userId);
    now += 24 * HOUR_MS - 1;
    expect(await resets.open(secret)).toMatchObject({ userId });
    now += 1;
    expect(await resets.open(secret)).toBeUndefined();
    expect(await resets.redeem(secret, "hash")).toBeUndefined();
    now -= 400 * 24 * HOUR_MS;
    expect(await resets.open(secret)).toBeUndefined();
  });

  it("is left alone by owners of other projects, by members, and by one's own link", async () => {
    const { projectId, byRole, stranger } = people;
    const { userId } = await newMember();
    const ask = async (caller: Caller, input: Record<string, unknown>) => {
      const { status, error } = await caller.mutate("members.resetPassword", { projectId, userId, ...input });
      return [status, error?.message];
    };
    expect(await ask(stranger, {})).toEqual([404, "there is no such project"]);
    expect(await ask(byRole.developer, {})).toEqual([403, describeRefusal("developer", "passwords.reset")]);
    const { data } = await byRole.owner.query("session.current");
    const own = (data as { user: { id: string } }).user.id;
    expect(await ask(byRole.owner, { userId: own })).toEqual([409, "this is you: change your password under Account"]);
    const outsider = await signedIn(service);
    expect(await ask(byRole.owner, { userId: outsider.userId })).toEqual([
      404,
      "member: there is no such member of the project",
    ]);
  });

  it("is no way into projects that the owner does not own, not even later", async () => {
    const { projectId, byRole, stranger } = people;
    const { userId, caller } = await newMember();
    const { data } = await stranger.query("session.current");
    const [elsewhere] = (data as { projects: { id: string }[] }).projects;
    const token = await makeLink(userId);
    await join(userId, elsewhere?.id ?? "");
    expect(await redeem(token)).toEqual(STALE);
    const refused = await byRole.owner.mutate("members.resetPassword", { projectId, userId });
    expect(refused.status).toBe(409);
    expect(refused.error?.message).toMatch(/^this member belongs to projects that you do not own/);
    expect((await caller.query("session.list")).status).toBe(200);
    const { secret } = await service.dashboard.resets.createForAccount(userId);
    expect((await redeem(secret))[0]).toBe(200);
  });
});
