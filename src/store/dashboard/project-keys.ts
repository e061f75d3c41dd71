import { isUuid } from "../../lib/ids.ts";
import type { QuotaSettings } from "../../quotas/quota.ts";
import {
  type CreatedKey,
  createKey,
  findKey,
  type KeyChange,
  type KeyInfo,
  type KeyTags,
  readKey,
  revokeKey,
  rotateKey,
  updateKey,
} from "../keys/key-repository.ts";
import { type KeyPage, type KeyPageQuery, readKeyNames, readKeyPage } from "../keys/page-keys.ts";
import type { Store } from "../types/store.ts";

/** API keys, each seen from its project. */
export interface ProjectKeys {
  /** Reads a page of the keys of a project. */
  list(query: KeyPageQuery): Promise<KeyPage>;
  /** Reads the names of keys by their public ids; unknown ones are left out. */
  names(projectId: string, publicIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Reads a key of the project by its id; undefined if there is none. */
  read(projectId: string, id: string): Promise<KeyInfo | undefined>;
  /** Resolves to whether the project has a key of this public id. */
  has(projectId: string, publicId: string): Promise<boolean>;
  /** Creates a key. `key` is the whole of it, and is nowhere kept. */
  create(
    projectId: string,
    settings: {
      name: string;
      expiresAt: Date | undefined;
      tags?: KeyTags | undefined;
      quota?: QuotaSettings | undefined;
    },
  ): Promise<{ key: string; info: KeyInfo }>;
  /** Changes a key by its public id. Resolves to undefined if there is no such key. */
  update(publicId: string, change: KeyChange): Promise<KeyInfo | undefined>;
  /** Gives a key a new secret; the former one works until a time. Resolves to undefined if there is no such key. */
  rotate(projectId: string, id: string, until: Date): Promise<CreatedKey | undefined>;
  /** Revokes a key of the project, by its id. Resolves to undefined if there is no such key. */
  revoke(projectId: string, id: string): Promise<KeyInfo | undefined>;
}

/** Creates the keys of a database, as projects see them. */
export function createProjectKeys(store: Store): ProjectKeys {
  return {
    list: (query) => readKeyPage(store, query),
    names: (projectId, publicIds) => readKeyNames(store, projectId, publicIds),
    read: async (projectId, id) => (isUuid(id) ? await readKey(store, id, projectId) : undefined),
    has: async (projectId, publicId) => (await findKey(store, publicId))?.projectId === projectId,
    update: (publicId, change) => updateKey(store, publicId, change),
    create: (projectId, { name, expiresAt, tags, quota }) =>
      createKey(store, {
        projectId,
        name,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(tags === undefined ? {} : { tags }),
        ...(quota === undefined ? {} : { quota }),
      }),
    rotate: async (projectId, id, until) => {
      const key = isUuid(id) ? await readKey(store, id, projectId) : undefined;
      return key && (await rotateKey(store, key.publicId, until));
    },
    // An id only: here, the public id is no way to revoke.
    revoke: async (projectId, id) => (isUuid(id) ? await revokeKey(store, id, projectId) : undefined),
  };
}
