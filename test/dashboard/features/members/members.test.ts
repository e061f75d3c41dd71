import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeRefusal } from "../../../../src/vocabulary/permissions.ts";
import { ENGINES, useDatabases } from "../../../support/database.ts";
import { PATIENCE } from "../../../support/patience.ts";
import { Caller, PASSWORD } from "../../caller.ts";
import { type DashboardService, startDashboardService } from "../../harness.ts";
import { createPeople, type People, signedIn } from "../../people.ts";

const REFUSED =
  "password: is not accepted: give the one of your account or, if you have none, a new one of 12 characters or more that is not so uniform";

describe.each(ENGINES)("members, projects and keys on %s", (engine) => {
  const databases = useDatabases(engine);
  let service: DashboardService;
  let people: People;

  beforeAll(async () => {
    service = await startDashboardService({ databaseUrl: databases.url });
    people = await createPeople(service);
  });

  afterAll(() => service.close());

  async function invite(email: string, role = "viewer"): Promise<string> {
    const { projectId, byRole } = people;
    const { data } = await byRole.owner.mutate("members.invite", { projectId, email, role });
    return (data as { token: string }).token;
  }

  it("takes an invitation once, with a password for a new account", async () => {
    const email = `${randomUUID()}@example.com`;
    const token = await invite(email.toUpperCase(), "developer");
    const caller = new Caller(service.url);
    const { data: opened } = await caller.mutate("invitations.open", { token });
    expect(opened).toEqual({ email, role: "developer", projectName: expect.any(String) });
    expect((await caller.mutate("invitations.accept", { token, password: "short" })).error?.message).toBe(REFUSED);
    const accepted = await caller.mutate("invitations.accept", { token, password: PASSWORD });
    expect([accepted.error, accepted.data]).toEqual([undefined, { projectId: people.projectId }]);
    const { data } = await caller.query("session.current");
    expect(data).toMatchObject({ user: { email }, projects: [{ id: people.projectId, role: "developer" }] });
    const again = await new Caller(service.url).mutate("invitations.accept", { token, password: PASSWORD });
    expect([again.status, again.error?.message]).toEqual([
      403,
      "this invitation is no longer valid: ask for a new one",
    ]);
  });

  it("asks someone who has an account for its password", async () => {
    const { email } = await signedIn(service);
    const token = await invite(email);
    const caller = new Caller(service.url);
    const { data: opened } = await caller.mutate("invitations.open", { token });
    expect(opened).toEqual({ email, role: "viewer", projectName: expect.any(String) });
    const wrong = await caller.mutate("invitations.accept", { token, password: "other plain words" });
    expect(wrong.error?.message).toBe(REFUSED);
    expect((await caller.mutate("invitations.accept", { token, password: PASSWORD })).status).toBe(200);
  });

  it("keeps an owner in every project, also where two remove each other at once", async () => {
    const { projectId, byRole } = await createPeople(service);
    const { data } = await byRole.owner.query("members.list", { projectId });
    const [owner, member] = ["owner", "developer"].map((role) =>
      (data as { userId: string; role: string }[]).find((row) => row.role === role),
    );
    const demote = (caller: Caller, userId = "") =>
      caller.mutate("members.setRole", { projectId, userId, role: "viewer" });
    expect((await demote(byRole.owner, owner?.userId)).error?.data.code).toBe("CONFLICT");
    await byRole.owner.mutate("members.setRole", { projectId, userId: member?.userId, role: "owner" });
    const both = await Promise.all([demote(byRole.owner, member?.userId), demote(byRole.developer, owner?.userId)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const members = (await byRole.viewer.query("members.list", { projectId })).data as { role: string }[];
    expect(members.filter(({ role }) => role === "owner")).toHaveLength(1);
  });

  it("lets admins change everyone but owners", async () => {
    const { projectId, byRole } = await createPeople(service);
    const members = (await byRole.admin.query("members.list", { projectId })).data as {
      userId: string;
      role: string;
    }[];
    const idOf = (role: string) => members.find((member) => member.role === role)?.userId;
    const set = (from: string, role: string) =>
      byRole.admin.mutate("members.setRole", { projectId, userId: idOf(from), role });
    const refusal = describeRefusal("admin", "owners.change");
    expect((await set("viewer", "admin")).error).toBeUndefined();
    expect((await set("developer", "owner")).error?.message).toBe(refusal);
    expect((await set("owner", "viewer")).error?.message).toBe(refusal);
    const removal = await byRole.admin.mutate("members.remove", { projectId, userId: idOf("owner") });
    expect([removal.status, removal.error?.message]).toEqual([403, refusal]);
    const email = "someone@example.com";
    const invitation = await byRole.admin.mutate("members.invite", { projectId, email, role: "owner" });
    expect(invitation.error?.message).toBe(refusal);
    expect((await byRole.admin.mutate("members.remove", { projectId, userId: idOf("billing") })).status).toBe(200);
  });

  it("lets developers revoke the keys that they created, and no others", async () => {
    const { projectId, byRole } = await createPeople(service);
    const create = async (caller: Caller) => {
      const { data } = await caller.mutate("keys.create", { projectId, name: randomUUID() });
      return (data as { publicId: string }).publicId;
    };
    const [own, ofAdmin] = [await create(byRole.developer), await create(byRole.admin)];
    const listed = (await byRole.developer.query("keys.list", { projectId })).data as { keys: { publicId: string }[] };
    const isYours = Object.fromEntries(listed.keys.map((key) => [key.publicId, "isYours" in key && key.isYours]));
    expect(isYours).toEqual({ [own]: true, [ofAdmin]: false });
    const revoke = (caller: Caller, publicId: string) => caller.mutate("keys.revoke", { projectId, publicId });
    expect((await revoke(byRole.developer, ofAdmin)).error?.message).toBe(
      `somebody else created this key: ${describeRefusal("developer", "keys.change-any")}`,
    );
    expect([(await revoke(byRole.developer, own)).status, (await revoke(byRole.admin, ofAdmin)).status]).toEqual([
      200, 200,
    ]);
  });

  it("gives every project a name of its own", async () => {
    const { byRole } = people;
    const name = `project ${randomUUID()}`;
    expect((await byRole.owner.mutate("projects.create", { name })).data).toMatchObject({ name, role: "owner" });
    expect((await byRole.owner.mutate("projects.create", { name: ` ${name} ` })).error?.message).toBe(
      "name: is the name of another project",
    );
    expect((await byRole.viewer.mutate("projects.create", { name: "mine" })).error?.data.code).toBe("FORBIDDEN");
  });

  it("deletes a project for owners who give its name, shows that to them, and restores it", async () => {
    const { byRole, stranger } = people;
    const name = `project ${randomUUID()}`;
    const { id } = (await byRole.owner.mutate("projects.create", { name })).data as { id: string };
    const project = { projectId: id };
    const owns = async () => (await byRole.owner.query("members.list", project)).error?.data.code;
    expect((await byRole.owner.mutate("projects.delete", { ...project, name: "another" })).error?.message).toBe(
      "name: must be the name of the project",
    );
    expect((await byRole.owner.mutate("projects.delete", { ...project, name })).status).toBe(200);
    expect(await owns()).toBe("NOT_FOUND");
    const listed = (await byRole.owner.query("projects.deletions")).data;
    expect(listed).toMatchObject([{ projectId: id, name, isRunning: false, inferences: 0 }]);
    expect((await byRole.admin.query("projects.deletions")).data).toEqual([]);
    const restore = async (caller: Caller) => (await caller.mutate("projects.restore", { deletedId: id })).status;
    expect([await restore(stranger), await restore(byRole.admin)]).toEqual([404, 404]);
    expect([await restore(byRole.owner), await owns()]).toEqual([200, undefined]);
    expect(await restore(byRole.owner)).toBe(404);
  });

  it("makes a key that works, shows it once, and revokes it for its own project only", async () => {
    const { projectId, byRole, stranger } = people;
    const { data } = await byRole.developer.mutate("keys.create", { projectId, name: "a key" });
    const { key, publicId } = data as { key: string; publicId: string };
    const statusOf = async () =>
      (await fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await statusOf()).toBe(200);
    expect(JSON.stringify(await byRole.owner.query("keys.list", { projectId }))).not.toContain(key);
    const own = (await stranger.query("session.current")).data as { projects: { id: string }[] };
    const foreign = await stranger.mutate("keys.revoke", { projectId: own.projects[0]?.id, publicId });
    expect(foreign.error?.message).toBe("publicId: there is no such key");
    expect((await byRole.developer.mutate("keys.revoke", { projectId, publicId })).status).toBe(200);
    await expect.poll(statusOf, PATIENCE).toBe(401);
    const past = await byRole.developer.mutate("keys.create", {
      projectId,
      name: "x",
      expiresAt: "2020-01-01T00:00:00.000Z",
    });
    expect(past.error?.message).toBe("expiresAt: must be in the future: revoke the key to end it immediately");
  });
});
