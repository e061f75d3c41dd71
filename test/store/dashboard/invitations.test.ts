import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { newAccount } from "../../../src/store/dashboard/accounts.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { Membership } from "../../../src/store/entities/membership.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const TIMES = 8;
/** Long enough for an acceptance to come to where it waits for another. */
const WHILE_MS = 100;
const projectId = DEFAULT_PROJECT.id;

describe.each(ENGINES)("createInvitations() on %s", (engine) => {
  const databases = useDatabases(engine);
  const stores = () => createDashboardStore(databases.store);

  it("keeps one of many invitations of a person at once, and one link that works", async () => {
    const other = await openStore(databases.url);
    const email = `${randomUUID()}@example.com`;
    const invited = await Promise.all(
      Array.from({ length: TIMES }, (_, index) =>
        (index % 2 === 0 ? stores() : createDashboardStore(other)).invitations.create({
          projectId,
          email,
          role: "viewer",
        }),
      ),
    );
    await other.close();
    const { invitations } = stores();
    const waiting = (await invitations.list(projectId)).filter((invitation) => invitation.email === email);
    expect(waiting).toHaveLength(1);
    const opened = await Promise.all(invited.map(({ secret }) => invitations.open(secret)));
    expect(opened.filter((invitation) => invitation !== undefined)).toEqual([
      { ...waiting[0], projectName: DEFAULT_PROJECT.name, account: undefined },
    ]);
  });

  it("lets one of many accept who come at once, with one account and one membership", async () => {
    const other = await openStore(databases.url);
    const { invitations, memberships, accounts } = stores();
    const email = `${randomUUID()}@example.com`;
    const { secret } = await invitations.create({ projectId, email, role: "developer" });
    const accepted = await Promise.all(
      Array.from({ length: TIMES }, (_, index) =>
        (index % 2 === 0 ? invitations : createDashboardStore(other).invitations).accept(secret, `hash ${index}`),
      ),
    );
    await other.close();
    const account = await accounts.findByEmail(email.toUpperCase());
    expect(accepted.filter((id) => id !== undefined)).toEqual([account?.id]);
    expect(account?.passwordHash).toBe(`hash ${accepted.findIndex((id) => id !== undefined)}`);
    const members = (await memberships.listMembers(projectId)).filter((member) => member.email === email);
    expect(members).toEqual([
      { userId: account?.id, email, role: "developer", isByGroups: false, since: expect.any(Date) },
    ]);
  });

  it("takes no account that came meanwhile for the one of whoever has the link", async () => {
    const { invitations, accounts } = stores();
    const email = `${randomUUID()}@example.com`;
    const { secret } = await invitations.create({ projectId, email, role: "developer" });
    const theirs = newAccount(email, "their hash");
    const accepting = await databases.store.transaction(async (tables) => {
      await tables.insertInto("UserAccount").values(theirs).execute();
      const begun = invitations.accept(secret, "another hash");
      await delay(WHILE_MS);
      return { begun };
    });
    expect(await accepting.begun).toBeUndefined();
    expect(await accounts.findByEmail(email)).toEqual(theirs);
    expect(await invitations.open(secret)).toMatchObject({ account: theirs });
    expect(await invitations.accept(secret, undefined)).toBe(theirs.id);
  });

  it("takes no stronger role away that groups give, and raises a weaker one, which stays", async () => {
    const { invitations, memberships } = stores();
    const joinAs = async (groups: "owner" | "viewer", invited: "billing" | "admin") => {
      const email = `${randomUUID()}@example.com`;
      const first = await invitations.create({ projectId, email, role: groups });
      const user = (await invitations.accept(first.secret, "hash")) ?? "";
      await databases.store.fork().nativeUpdate(Membership, { user, project: projectId }, { grantedBy: "https://idp" });
      const second = await invitations.create({ projectId, email, role: invited });
      expect(await invitations.accept(second.secret, undefined)).toBe(user);
      const member = (await memberships.listMembers(projectId)).find(({ userId }) => userId === user);
      return [member?.role, member?.isByGroups];
    };
    expect(await joinAs("owner", "billing")).toEqual(["owner", true]);
    expect(await joinAs("viewer", "admin")).toEqual(["admin", false]);
  });

  it("leaves a member the role that they have, and takes no new account without a password", async () => {
    const { invitations, memberships } = stores();
    const email = `${randomUUID()}@example.com`;
    const first = await invitations.create({ projectId, email, role: "developer" });
    expect(await invitations.accept(first.secret, undefined)).toBeUndefined();
    const userId = (await invitations.accept(first.secret, "hash")) ?? "";
    const second = await invitations.create({ projectId, email, role: "viewer" });
    expect(await invitations.accept(second.secret, undefined)).toBe(userId);
    expect(await memberships.findRole(userId, projectId)).toBe("developer");
    expect((await invitations.list(projectId)).filter((invitation) => invitation.email === email)).toEqual([]);
  });
});
