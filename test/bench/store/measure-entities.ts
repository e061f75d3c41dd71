import { createDashboardStore } from "../../../src/store/dashboard/dashboard-store.ts";
import { hashToken } from "../../../src/store/dashboard/tokens.ts";
import { openStore } from "../../../src/store/database/open-store.ts";
import { ApiKey } from "../../../src/store/entities/api-key.ts";
import { DashboardSession } from "../../../src/store/entities/dashboard-session.ts";
import { hashKey } from "../../../src/store/keys/key-format.ts";
import { createKey } from "../../../src/store/keys/key-repository.ts";
import type { Store } from "../../../src/store/types/store.ts";

/** What a way to read costs. */
export interface EntitiesSample {
  readonly microsEach: number;
  readonly cpuMicrosEach: number;
}

/** Keys that are read at once, as where many wait. */
const KEYS = 16;

/** A database with keys and a session, and the ways to read them. */
export interface EntityReads {
  readonly variants: readonly (readonly [name: string, read: () => Promise<unknown>])[];
  close(): Promise<void>;
}

/** Opens a database, and makes what is read. Each way to read gives the same. */
export async function openEntityReads(databaseUrl: string): Promise<EntityReads> {
  const store = await openStore(databaseUrl);
  const hashes: string[] = [];
  for (let index = 0; index < KEYS; index += 1) hashes.push(hashKey((await createKey(store, { name: "bench" })).key));
  const { setup, sessions } = createDashboardStore(store);
  const link = (await setup.newLink()) ?? "";
  const owner = await setup.createOwner(link, { email: "bench@example.com", passwordHash: "none" });
  const session = { userId: owner?.id ?? "", address: "127.0.0.1", userAgent: "bench" };
  const tokenHash = hashToken((await sessions.begin(session)).secret);
  return {
    variants: [
      ["1 key, query builder", () => queryKeys(store, hashes.slice(0, 1))],
      ["1 key, entity manager", () => findKeys(store, hashes.slice(0, 1))],
      [`${KEYS} keys, query builder`, () => queryKeys(store, hashes)],
      [`${KEYS} keys, entity manager`, () => findKeys(store, hashes)],
      ["session with its person, query builder", () => querySession(store, tokenHash)],
      ["session with its person, entity manager", () => findSession(store, tokenHash)],
    ],
    close: () => store.close(),
  };
}

/** Reads in one way, one after the other. */
export async function measureEntities(read: () => Promise<unknown>, times: number): Promise<EntitiesSample> {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  for (let time = 0; time < times; time += 1) await read();
  const { user, system } = process.cpuUsage(before);
  return { microsEach: ((performance.now() - begin) * 1000) / times, cpuMicrosEach: (user + system) / times };
}

function queryKeys(store: Store, hashes: readonly string[]) {
  return store
    .query()
    .selectFrom("ApiKey")
    .select(["hash", "id", "publicId", "project", "expiresAt"])
    .where("hash", "in", hashes)
    .where("revokedAt", "is", null)
    .execute();
}

function findKeys(store: Store, hashes: readonly string[]) {
  const fields = ["hash", "publicId", "project", "expiresAt"] as const;
  return store.fork().find(ApiKey, { hash: { $in: [...hashes] }, revokedAt: null }, { fields });
}

function querySession(store: Store, tokenHash: string) {
  return store
    .query()
    .selectFrom("DashboardSession")
    .innerJoin("UserAccount", "UserAccount.id", "DashboardSession.user")
    .select(["DashboardSession.id", "DashboardSession.user", "DashboardSession.lastSeenAt", "UserAccount.email"])
    .where("DashboardSession.tokenHash", "=", tokenHash)
    .executeTakeFirst();
}

function findSession(store: Store, tokenHash: string) {
  return store.fork().findOne(DashboardSession, { tokenHash }, { populate: ["user"] });
}
