import { createKey, type KeyInfo, revokeKey } from "../keys/key-repository.ts";
import type { Store } from "../store.ts";

/** API keys, each seen from its project. */
export interface ProjectKeys {
  /** The keys of a project, the latest first; revoked ones too. */
  list(projectId: string): Promise<KeyInfo[]>;
  /** Creates a key. `key` is the whole of it, and is nowhere kept. */
  create(
    projectId: string,
    settings: { name: string; expiresAt: Date | undefined },
  ): Promise<{ key: string; info: KeyInfo }>;
  /** Revokes a key of the project, by its id. Resolves to undefined if there is no such key. */
  revoke(projectId: string, id: string): Promise<KeyInfo | undefined>;
}

const COLUMNS = ["id", "projectId", "publicId", "name", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"] as const;

/** Creates the keys of a database, as projects see them. */
export function createProjectKeys(store: Store): ProjectKeys {
  return {
    list: (projectId) =>
      store
        .query()
        .selectFrom("ApiKey")
        .select(COLUMNS)
        .where("projectId", "=", projectId)
        .orderBy("createdAt", "desc")
        .orderBy("id", "desc")
        .execute(),
    create: (projectId, { name, expiresAt }) =>
      createKey(store, { projectId, name, ...(expiresAt === undefined ? {} : { expiresAt }) }),
    async revoke(projectId, id) {
      const found = await store
        .query()
        .selectFrom("ApiKey")
        .select("id")
        .where("projectId", "=", projectId)
        .where("id", "=", id)
        .executeTakeFirst();
      return found === undefined ? undefined : await revokeKey(store, found.id);
    },
  };
}
