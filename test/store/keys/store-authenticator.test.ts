import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openStore } from "../../../src/store/database/open-store.ts";
import { DEFAULT_PROJECT } from "../../../src/store/entities/project.ts";
import { createKey, listKeys, revokeKey, rotateKey, updateKey } from "../../../src/store/keys/key-repository.ts";
import { type AuthenticatorOptions, StoreAuthenticator } from "../../../src/store/keys/store-authenticator.ts";
import { ENGINES, useDatabases } from "../../support/database.ts";

const BOOTSTRAP = "att_fresh_0123456789abcdef0123456789abcdef";

describe.each(ENGINES)("StoreAuthenticator on %s", (engine) => {
  const databases = useDatabases(engine);
  const open: StoreAuthenticator[] = [];

  function createAuthenticator(options: AuthenticatorOptions = {}): StoreAuthenticator {
    const authenticator = new StoreAuthenticator(databases.store, options);
    open.push(authenticator);
    return authenticator;
  }

  afterEach(async () => {
    for (const authenticator of open.splice(0)) await authenticator.close();
  });

  it("tells who a key belongs to, the second time without a promise", async () => {
    const { key, info } = await createKey(databases.store, { name: "mine" });
    const authenticator = createAuthenticator();
    const principal = { keyId: info.publicId, projectId: DEFAULT_PROJECT.id };
    expect(authenticator.authenticate(key)).toBeInstanceOf(Promise);
    expect(await authenticator.authenticate(key)).toEqual(principal);
    expect(authenticator.authenticate(key)).toEqual(principal);
  });

  it("does not know a key that was changed in one character", async () => {
    const { key } = await createKey(databases.store, { name: "mine" });
    const last = key.endsWith("a") ? "b" : "a";
    expect(await createAuthenticator().authenticate(key.slice(0, -1) + last)).toBeUndefined();
  });

  it.each(["", "sk-123", `att_abcdefghijkl_${"é".repeat(32)}`, "x".repeat(1_000_000)])(
    "refuses malformed text without asking the database",
    (secret) => {
      expect(createAuthenticator().authenticate(secret)).toBeUndefined();
    },
  );

  it("knows a key that another process created after it was first tried", async () => {
    const { store } = databases;
    const { key } = await createKey(store, { name: "late" });
    const row = await store.query().selectFrom("ApiKey").selectAll().orderBy("id", "desc").executeTakeFirstOrThrow();
    await store.query().deleteFrom("ApiKey").where("id", "=", row.id).execute();
    const authenticator = createAuthenticator({ freshMs: 20 });
    expect(await authenticator.authenticate(key)).toBeUndefined();
    await store.query().insertInto("ApiKey").values(row).execute();
    await delay(25);
    expect(await authenticator.authenticate(key)).toMatchObject({ keyId: row.publicId });
  });

  it("notices a revocation by another process within a second", async () => {
    const { key, info } = await createKey(databases.store, { name: "mine" });
    let nowMs = 0;
    const authenticator = createAuthenticator({ now: () => nowMs });
    const other = await openStore(databases.url);
    expect(await authenticator.authenticate(key)).toBeDefined();
    await revokeKey(other, info.publicId);
    await other.close();
    nowMs = 1000;
    const owner = { keyId: info.publicId, projectId: DEFAULT_PROJECT.id };
    expect(await authenticator.authenticate(key)).toEqual({ rejected: "revoked_key", owner });
  });

  it("tells a paused key, under both of its secrets, from a revoked one", async () => {
    const { key, info } = await createKey(databases.store, { name: "mine" });
    const rotated = await rotateKey(databases.store, info.publicId, new Date(Date.now() + 60_000));
    await updateKey(databases.store, info.publicId, { isPaused: true });
    const rejected = { rejected: "paused_key", owner: { keyId: info.publicId, projectId: DEFAULT_PROJECT.id } };
    const authenticator = createAuthenticator();
    for (const secret of [key, rotated?.key ?? ""]) expect(await authenticator.authenticate(secret)).toEqual(rejected);
    expect(await authenticator.findKey(info.publicId)).toEqual(rejected);
    await revokeKey(databases.store, info.publicId);
    expect(await createAuthenticator().authenticate(key)).toMatchObject({ rejected: "revoked_key" });
  });

  it("refuses a key from the moment that it expires", async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const { key, info } = await createKey(databases.store, { name: "short", expiresAt });
    const owner = { keyId: info.publicId, projectId: DEFAULT_PROJECT.id };
    const authenticator = createAuthenticator({ freshMs: 600_000 });
    try {
      vi.useFakeTimers({ toFake: ["Date"], now: expiresAt.getTime() - 1 });
      expect(await authenticator.authenticate(key)).toBeDefined();
      vi.setSystemTime(expiresAt);
      expect(authenticator.authenticate(key)).toEqual({ rejected: "expired_key", owner });
    } finally {
      vi.useRealTimers();
    }
  });

  it("finds a key by its public id, until it is revoked", async () => {
    const { info } = await createKey(databases.store, { name: "mine", permissions: ["read:project"] });
    let nowMs = 0;
    const authenticator = createAuthenticator({ now: () => nowMs, bootstrapKey: BOOTSTRAP });
    const owner = { keyId: info.publicId, projectId: DEFAULT_PROJECT.id };
    expect(await authenticator.findKey(info.publicId)).toEqual({ ...owner, permissions: ["read:project"] });
    expect(await authenticator.findKey("nobody")).toBeUndefined();
    await revokeKey(databases.store, info.publicId);
    nowMs = 1000;
    expect(await authenticator.findKey(info.publicId)).toEqual({ rejected: "revoked_key", owner });
    expect(authenticator.findKey("bootstrap")).toMatchObject({ keyId: "bootstrap" });
    expect(createAuthenticator().findKey("bootstrap")).toBeUndefined();
  });

  it("accepts the bootstrap key as one of the default project, whatever its form", async () => {
    const authenticator = createAuthenticator({ bootstrapKey: BOOTSTRAP });
    const principal = { keyId: "bootstrap", projectId: DEFAULT_PROJECT.id };
    expect(authenticator.authenticate(BOOTSTRAP)).toEqual(principal);
    expect(authenticator.authenticate(`${BOOTSTRAP}0`)).toBeUndefined();
    expect(createAuthenticator().authenticate(BOOTSTRAP)).toBeUndefined();
  });

  it.each(["", "fifteen letters", "x".repeat(513)])("refuses a bootstrap key of the wrong length", (bootstrapKey) => {
    const error = "bootstrapKey: must have 16 to 512 characters";
    expect(() => new StoreAuthenticator(databases.store, { bootstrapKey })).toThrow(error);
  });

  it("writes when a key was last used", async () => {
    const before = new Date(Date.now() - 1);
    const { key, info } = await createKey(databases.store, { name: "used" });
    const authenticator = createAuthenticator();
    await authenticator.authenticate(key);
    await authenticator.close();
    const listed = (await listKeys(databases.store)).find(({ id }) => id === info.id);
    expect(listed?.lastUsedAt?.getTime()).toBeGreaterThan(before.getTime());
  });
});

describe.each(ENGINES)("the key repository on %s", (engine) => {
  const databases = useDatabases(engine);

  it("keeps neither the key nor its secret part", async () => {
    const { key } = await createKey(databases.store, { name: "secret" });
    const rows = JSON.stringify(await databases.store.query().selectFrom("ApiKey").selectAll().execute());
    expect(rows).not.toContain(key);
    expect(rows).not.toContain(key.slice(-43));
  });

  it("lists what may be known of keys, oldest first", async () => {
    const expiresAt = new Date("2031-01-02T03:04:05.678Z");
    const first = await createKey(databases.store, { name: "first", expiresAt });
    const second = await createKey(databases.store, { name: "second" });
    expect((await listKeys(databases.store)).slice(-2)).toEqual([first.info, second.info]);
    expect(first.info).toMatchObject({ name: "first", expiresAt, revokedAt: null, lastUsedAt: null });
  });

  it.each(["publicId", "id"] as const)("revokes by %s, once", async (column) => {
    const { info } = await createKey(databases.store, { name: "old" });
    const revoked = await revokeKey(databases.store, info[column]);
    expect(revoked).toEqual({ ...info, revokedAt: expect.any(Date) });
    await delay(2);
    expect(await revokeKey(databases.store, info[column])).toEqual(revoked);
  });

  it.each(["nobody", "0190a5a0-7d6e-7000-8000-000000000000"])("finds no key '%s' to revoke", async (id) => {
    expect(await revokeKey(databases.store, id)).toBeUndefined();
  });
});
