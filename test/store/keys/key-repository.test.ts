import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/database/open-store.ts";
import { createFirstKey, listKeys, revokeKey } from "../../../src/store/keys/key-repository.ts";
import { StoreAuthenticator } from "../../../src/store/keys/store-authenticator.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("createFirstKey() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("creates one key where several processes start on a new database at once, and none afterwards", async () => {
    const url = databases.newUrl();
    const stores = [];
    for (let process = 0; process < 4; process++) stores.push(await openStore(url));
    const created = await Promise.all(stores.map((store) => createFirstKey(store, { name: "first" })));
    const [own, ...more] = created.flatMap((key) => key ?? []);
    const [store, ...others] = stores;
    if (own === undefined || store === undefined) throw new Error("no key was created");
    expect(more).toEqual([]);
    expect((await listKeys(store)).map(({ publicId }) => publicId)).toEqual([own.info.publicId]);
    const authenticator = new StoreAuthenticator(store);
    expect(await authenticator.authenticate(own.key)).toMatchObject({ keyId: own.info.publicId });
    await authenticator.close();
    // A key that was taken back does not come again with the next start.
    await revokeKey(store, own.info.id);
    expect(await createFirstKey(store, { name: "first" })).toBeUndefined();
    for (const each of [store, ...others]) await each.close();
  });
});
