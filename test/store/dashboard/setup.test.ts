import { describe, expect, it } from "vitest";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { createSetup } from "../../../src/store/dashboard/setup.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("createSetup() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("makes one owner of many who come at once with the link", async () => {
    const url = await databases.newMigratedUrl();
    const stores = [await openStore(url), await openStore(url)];
    const dashboards = stores.map((store) => createDashboardStore(store));
    const { setup, accounts, memberships } = dashboards[0] ?? createDashboardStore(databases.store);
    await setup.newLink();
    const secret = (await setup.newLink()) ?? "";
    expect([await accounts.isEmpty(), await setup.accepts(secret), await setup.accepts("other")]).toEqual([
      true,
      true,
      false,
    ]);
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        dashboards[index % 2]?.setup.createOwner(secret, { email: `${index}@example.com`, passwordHash: "hash" }),
      ),
    );
    const owners = created.filter((account) => account !== undefined);
    expect(owners).toHaveLength(1);
    expect(await accounts.list()).toEqual([
      {
        id: owners[0]?.id,
        email: owners[0]?.email,
        createdAt: owners[0]?.createdAt,
        projects: [{ id: DEFAULT_PROJECT.id, name: DEFAULT_PROJECT.name, role: "owner" }],
      },
    ]);
    expect(await memberships.findRole(owners[0]?.id ?? "", DEFAULT_PROJECT.id)).toBe("owner");
    expect([await setup.accepts(secret), await setup.newLink(), await accounts.isEmpty()]).toEqual([
      false,
      undefined,
      false,
    ]);
    for (const store of stores) await store.close();
  });

  it("makes the first link once for all that start at the same time, and a new one when that is no longer good", async () => {
    const url = await databases.newMigratedUrl();
    const stores = [await openStore(url), await openStore(url)];
    const setups = stores.map((store) => createDashboardStore(store).setup);
    const made = await Promise.all(Array.from({ length: 6 }, (_, index) => setups[index % 2]?.firstLink()));
    const [secret = "", ...others] = made.filter((link) => link !== undefined);
    expect([secret.length, others]).toEqual([43, []]);
    // A later start voids nothing.
    expect([await setups[0]?.firstLink(), await setups[1]?.accepts(secret)]).toEqual([undefined, true]);
    const tomorrow = createSetup(stores[0] ?? databases.store, () => Date.now() + 25 * 3_600_000);
    const next = (await tomorrow.firstLink()) ?? "";
    expect([await tomorrow.accepts(next), await tomorrow.accepts(secret)]).toEqual([true, false]);
    for (const store of stores) await store.close();
  });

  it("makes one owner of many who come at once, with the link and without it", async () => {
    const url = await databases.newMigratedUrl();
    const stores = [await openStore(url), await openStore(url)];
    const dashboards = stores.map((store) => createDashboardStore(store));
    const secret = (await dashboards[0]?.setup.newLink()) ?? "";
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const setup = dashboards[index % 2]?.setup;
        const owner = { email: `${index}@example.com`, passwordHash: `hash ${index}` };
        return index % 4 < 2 ? setup?.createFirstOwner(owner) : setup?.createOwner(secret, owner);
      }),
    );
    const owners = created.filter((account) => account !== undefined);
    expect(owners).toHaveLength(1);
    const { accounts, memberships, setup } = dashboards[1] ?? createDashboardStore(databases.store);
    expect(await accounts.list()).toHaveLength(1);
    expect(await memberships.findRole(owners[0]?.id ?? "", DEFAULT_PROJECT.id)).toBe("owner");
    // Nobody's password is put in place of another one.
    const again = { email: owners[0]?.email ?? "", passwordHash: "another hash" };
    expect(await setup.createFirstOwner(again)).toBeUndefined();
    expect((await accounts.findByEmail(again.email))?.passwordHash).toBe(owners[0]?.passwordHash);
    expect([await setup.accepts(secret), await setup.firstLink()]).toEqual([false, undefined]);
    for (const store of stores) await store.close();
  });
});
