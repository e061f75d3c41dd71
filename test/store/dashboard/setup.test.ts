import { describe, expect, it } from "vitest";
import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
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
        email: owners[0]?.email,
        createdAt: owners[0]?.createdAt,
        projects: [{ name: DEFAULT_PROJECT.name, role: "owner" }],
      },
    ]);
    expect(await memberships.roleOf(owners[0]?.id ?? "", DEFAULT_PROJECT.id)).toBe("owner");
    expect([await setup.accepts(secret), await setup.newLink(), await accounts.isEmpty()]).toEqual([
      false,
      undefined,
      false,
    ]);
    for (const store of stores) await store.close();
  });
});
