import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/database/open-store.ts";
import { openInstallationKey } from "../../../src/store/keys/installation-key.ts";
import type { Store } from "../../../src/store/types/store.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

/** The secret itself, to be compared. */
const secretOf = async (store: Store): Promise<string> => (await openInstallationKey(store)).export().toString("hex");

/** The same database as one sees it that takes no writes. */
function readOnly(store: Store): Store {
  return {
    ...store,
    query: () =>
      new Proxy(store.query(), {
        get(target, name) {
          if (name === "insertInto") throw new Error("the database takes no writes");
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
  };
}

describe.each(ENGINES)("openInstallationKey() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("gives processes that start at once the same secret, and keeps it", async () => {
    const url = await databases.newMigratedUrl();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
    const secrets = await Promise.all([...stores, ...stores].map(secretOf));
    for (const store of stores) await store.close();
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/);
    const again = await openStore(url);
    expect(await secretOf(again)).toBe(secrets[0]);
    await again.close();
  });

  it("is read where the database takes no writes, and not made there", async () => {
    await openInstallationKey(databases.store);
    const known = await secretOf(readOnly(databases.store));
    expect(known).toBe(await secretOf(databases.store));
    const empty = await openStore(await databases.newMigratedUrl());
    await expect(openInstallationKey(readOnly(empty))).rejects.toThrow("no writes");
    await empty.close();
  });

  it("makes another one for another database", async () => {
    const other = await openStore(await databases.newMigratedUrl());
    expect(await secretOf(other)).not.toBe(await secretOf(databases.store));
    await other.close();
  });

  it("shows nothing of it where it is printed", async () => {
    const key = await openInstallationKey(databases.store);
    const secret = key.export();
    const printed = `${JSON.stringify({ key })} ${String(key)}`;
    expect(printed).not.toContain(secret.toString("base64url"));
    expect(printed).not.toContain(secret.toString("hex"));
  });
});
