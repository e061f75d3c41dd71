import type { Kysely } from "@mikro-orm/sql";
import { isUuid, newId } from "../../lib/ids.ts";
import { CHANNELS } from "../changes/change-feed.ts";
import { notifyChange } from "../changes/notify-change.ts";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import type { Engine, Store } from "../types/store.ts";
import type { Tables } from "../types/tables.ts";
import { generateKey, hashKey } from "./key-format.ts";

/** What may be known of a key. */
export interface KeyInfo {
  readonly id: string;
  readonly projectId: string;
  /** Part of the key that may be shown and logged. */
  readonly publicId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Up to half a minute behind. */
  readonly lastUsedAt: Date | null;
}

/** What a key is made from. */
export interface KeySettings {
  readonly name: string;
  /** The default project where it is not given. */
  readonly projectId?: string;
  readonly expiresAt?: Date;
}

const COLUMNS = ["id", "projectId", "publicId", "name", "createdAt", "expiresAt", "revokedAt", "lastUsedAt"] as const;

/** A key that was made. `key` is the whole of it, and is nowhere kept. */
export interface CreatedKey {
  readonly key: string;
  readonly info: KeyInfo;
}

/** Creates a key, and tells all processes of it. */
export async function createKey(store: Store, settings: KeySettings): Promise<CreatedKey> {
  return await store.transaction((tables) => insertKey(tables, store.engine, settings));
}

/**
 * Creates a key unless there ever was one. Of several processes that do this at once, one creates it; the others resolve to
 * undefined.
 */
export async function createFirstKey(store: Store, settings: KeySettings): Promise<CreatedKey | undefined> {
  return await store.transaction(async (tables) => {
    // Whoever has the project's row is alone; on SQLite every transaction that may write is.
    const project = tables.selectFrom("Project").select("id").where("id", "=", DEFAULT_PROJECT.id);
    await (store.engine === "postgres" ? project.forUpdate() : project).execute();
    const known = await tables.selectFrom("ApiKey").select("id").limit(1).executeTakeFirst();
    return known === undefined ? await insertKey(tables, store.engine, settings) : undefined;
  });
}

async function insertKey(tables: Kysely<Tables>, engine: Engine, settings: KeySettings): Promise<CreatedKey> {
  const { key, publicId } = generateKey();
  const info: KeyInfo = {
    id: newId(),
    projectId: settings.projectId ?? DEFAULT_PROJECT.id,
    publicId,
    name: settings.name,
    createdAt: new Date(),
    expiresAt: settings.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
  };
  const hash = hashKey(key);
  await tables
    .insertInto("ApiKey")
    .values({ ...info, hash })
    .execute();
  await notifyChange(tables, engine, { channel: CHANNELS.keys, payload: hash });
  return { key, info };
}

/** Lists the keys of all projects, oldest first; revoked ones too. */
export async function listKeys(store: Store): Promise<KeyInfo[]> {
  return await store.query().selectFrom("ApiKey").select(COLUMNS).orderBy("createdAt").orderBy("id").execute();
}

/**
 * Revokes a key by its public id or its id, and tells all processes of it. A key that was revoked before keeps that time. Resolves to undefined if there is
 * no such key.
 */
export async function revokeKey(store: Store, publicIdOrId: string): Promise<KeyInfo | undefined> {
  const column = isUuid(publicIdOrId) ? "id" : "publicId";
  return await store.transaction(async (tables) => {
    await tables
      .updateTable("ApiKey")
      .set({ revokedAt: new Date() })
      .where(column, "=", publicIdOrId)
      .where("revokedAt", "is", null)
      .execute();
    const row = await tables
      .selectFrom("ApiKey")
      .select([...COLUMNS, "hash"])
      .where(column, "=", publicIdOrId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { hash, ...info } = row;
    await notifyChange(tables, store.engine, { channel: CHANNELS.keys, payload: hash });
    return info;
  });
}
