import {
  ADMIN_KEY_PREFIX,
  type AdminAuthenticator,
  type Administrator,
  parseScopes,
  type RejectedAdminKey,
} from "../../vocabulary/administrator.ts";
import { withTimeout } from "../database/with-timeout.ts";
import { hashKey } from "../keys/key-format.ts";
import type { Store } from "../types/store.ts";

/** Longer secrets are refused unread. */
const MAX_SECRET_LENGTH = 200;
const READ_LIMIT_MS = 2000;
/** The precision of the time of last use. */
const LAST_USED_MS = 30_000;

/** Tells who an admin key belongs to. The database is asked each time: a revocation takes effect at once. */
export class AdminKeyAuthenticator implements AdminAuthenticator {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async authenticate(secret: string): Promise<Administrator | RejectedAdminKey | undefined> {
    if (!secret.startsWith(ADMIN_KEY_PREFIX) || secret.length > MAX_SECRET_LENGTH) return undefined;
    const found = await withTimeout(readKey(this.#store, hashKey(secret)), READ_LIMIT_MS);
    if (found === undefined) return undefined;
    const { id, publicId, name, scopes, project, expiresAt, revokedAt, lastUsedAt } = found;
    const now = Date.now();
    if (revokedAt !== null) return { rejected: "revoked_key" };
    if (expiresAt !== null && expiresAt.getTime() <= now) return { rejected: "expired_key" };
    if (now - (lastUsedAt?.getTime() ?? 0) >= LAST_USED_MS) await withTimeout(touch(this.#store, id), READ_LIMIT_MS);
    return {
      kind: "admin-key",
      id: publicId,
      label: name,
      scopes: parseScopes(scopes),
      projectId: project ?? undefined,
    };
  }
}

async function readKey(store: Store, hash: string) {
  return await store.query().selectFrom("AdminKey").selectAll().where("hash", "=", hash).executeTakeFirst();
}

async function touch(store: Store, id: string): Promise<void> {
  await store.query().updateTable("AdminKey").set({ lastUsedAt: new Date() }).where("id", "=", id).execute();
}
