import { describe, expect, it } from "vitest";
import { newId } from "../../../src/lib/ids.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT, Project } from "../../../src/store/entities/project.ts";
import {
  createFirstKey,
  createKey,
  listKeys,
  listProjectKeys,
  revokeKey,
} from "../../../src/store/keys/key-repository.ts";
import { StoreAuthenticator } from "../../../src/store/keys/store-authenticator.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

describe.each(ENGINES)("createFirstKey() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("creates one key where several processes start on a new database at once, and none afterwards", async () => {
    const url = await databases.newMigratedUrl();
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

describe.each(ENGINES)("revokeKey() on %s", (engine) => {
  const databases = useDatabases(engine);

  it("keeps the time of the first of many who revoke a key at once, on two processes", async () => {
    const { store } = databases;
    const other = await openStore(databases.url);
    const { info } = await createKey(store, { name: "mine" });
    const revoked = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const id = index % 4 < 2 ? info.id : info.publicId;
        return revokeKey(index % 2 === 0 ? store : other, id);
      }),
    );
    await other.close();
    const [stored] = (await listKeys(store)).filter(({ id }) => id === info.id);
    expect(stored?.revokedAt).toBeInstanceOf(Date);
    expect(revoked).toEqual(Array.from({ length: 8 }, () => stored));
    expect(await revokeKey(store, info.id)).toEqual(stored);
  });

  it("revokes a key of the project that is given only", async () => {
    const { store } = databases;
    const project = { id: newId(), name: newId(), createdAt: new Date() };
    await store.unitOfWork(async (em) => void em.create(Project, project));
    const expiresAt = new Date(Date.now() + 60_000);
    const { info } = await createKey(store, { name: "mine", projectId: project.id, expiresAt });
    const later = await createKey(store, { name: "later", projectId: project.id });
    expect(info).toMatchObject({ projectId: project.id, name: "mine", expiresAt, revokedAt: null, lastUsedAt: null });
    expect(await revokeKey(store, info.id, DEFAULT_PROJECT.id)).toBeUndefined();
    expect(await revokeKey(store, "abcdefghijkl")).toBeUndefined();
    expect(await listProjectKeys(store, project.id)).toEqual([later.info, info]);
    expect(await revokeKey(store, info.id, project.id)).toEqual({ ...info, revokedAt: expect.any(Date) });
  });
});
