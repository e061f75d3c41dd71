import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newAccount } from "../../../src/store/dashboard/accounts.ts";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { UserAccount } from "../../../src/store/entities/user-account.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const TIMES = 8;

describe.each(ENGINES)("createProjects() on %s", (engine) => {
  const databases = useDatabases(engine);

  async function newOwner(): Promise<string> {
    const account = newAccount(`${randomUUID()}@example.com`, "hash");
    await databases.store.unitOfWork(async (em) => void em.create(UserAccount, account));
    return account.id;
  }

  it("gives a name to one of many who want it at once, on two processes, and makes nothing of the others", async () => {
    const other = await openStore(databases.url);
    const name = randomUUID();
    const owners = await Promise.all(Array.from({ length: TIMES }, newOwner));
    const created = await Promise.all(
      owners.map((owner, index) =>
        createDashboardStore(index % 2 === 0 ? databases.store : other).projects.create(name, owner),
      ),
    );
    await other.close();
    expect(created.filter((project) => project !== undefined)).toEqual([
      { id: expect.any(String), name, role: "owner" },
    ]);
    const { memberships } = createDashboardStore(databases.store);
    const own = await Promise.all(owners.map((owner) => memberships.listProjects(owner)));
    expect(own.flat()).toEqual(created.filter((project) => project !== undefined));
  });

  it("renames to what no other project is called, be it the same name", async () => {
    const { projects, memberships } = createDashboardStore(databases.store);
    const owner = await newOwner();
    const [first, second] = [await projects.create(randomUUID(), owner), await projects.create(randomUUID(), owner)];
    if (first === undefined || second === undefined) throw new Error("the names are new");
    expect(await projects.rename(first.id, second.name)).toBe(false);
    expect(await projects.rename(first.id, first.name)).toBe(true);
    const name = randomUUID();
    const taken = await Promise.all([first, second].map(({ id }) => projects.rename(id, name)));
    expect(taken.toSorted()).toEqual([false, true]);
    const names = (await memberships.listProjects(owner)).map((project) => project.name);
    expect(names.toSorted()).toEqual([name, taken[0] ? second.name : first.name].toSorted());
    expect(await projects.rename(randomUUID(), randomUUID())).toBe(true);
  });

  it("is told in full where something else is wrong", async () => {
    const { projects } = createDashboardStore(databases.store);
    await expect(projects.create(randomUUID(), randomUUID())).rejects.toThrow(/foreign key/i);
  });
});
