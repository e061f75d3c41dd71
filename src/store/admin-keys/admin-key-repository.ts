import { type InferEntity, LockMode } from "@mikro-orm/core";
import { newId } from "../../lib/ids.ts";
import { type AdminScope, parseScopes } from "../../vocabulary/administrator.ts";
import type { AuditAction } from "../../vocabulary/audit-actions.ts";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { AdminKey } from "../entities/admin-key.ts";
import { generateAdminKey, hashKey } from "../keys/key-format.ts";
import type { Store } from "../types/store.ts";

/** The public facts of an admin key. */
export interface AdminKeyInfo {
  readonly publicId: string;
  readonly name: string;
  readonly scopes: readonly AdminScope[];
  /** Undefined for all projects. */
  readonly projectId: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Up to half a minute behind. */
  readonly lastUsedAt: Date | null;
}

/** The settings of a new admin key. */
type AdminKeySettings = Pick<AdminKeyInfo, "name" | "scopes" | "projectId" | "expiresAt">;

/** Creates an admin key. `key` is the whole of it, and is nowhere kept. */
export async function createAdminKey(
  store: Store,
  { name, scopes, projectId, expiresAt }: AdminKeySettings,
): Promise<{ key: string; info: AdminKeyInfo }> {
  const { key, publicId } = generateAdminKey();
  return await store.unitOfWork(async (em) => {
    const created = em.create(AdminKey, {
      id: newId(),
      publicId,
      hash: hashKey(key),
      project: projectId ?? null,
      name,
      scopes,
      createdAt: new Date(),
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    });
    const info = toInfo(created);
    const after = { name, scopes, projectId, expiresAt };
    appendAuditEntry(em, { ...entryOf(store, "admin-keys.create", info), before: null, after });
    return { key, info };
  });
}

/** Lists all admin keys, oldest first; revoked ones too. */
export async function listAdminKeys(store: Store): Promise<AdminKeyInfo[]> {
  const keys = await store.fork().findAll(AdminKey, { orderBy: { createdAt: "asc", id: "asc" } });
  return keys.map(toInfo);
}

/** Finds an admin key by its public id; revoked ones too. */
export async function findAdminKey(store: Store, publicId: string): Promise<AdminKeyInfo | undefined> {
  const key = await store.fork().findOne(AdminKey, { publicId });
  return key === null ? undefined : toInfo(key);
}

/**
 * Revokes an admin key by its public id; one that was revoked before keeps that time. Resolves to undefined if there is
 * no such key.
 */
export async function revokeAdminKey(store: Store, publicId: string): Promise<AdminKeyInfo | undefined> {
  return await store.unitOfWork(async (em) => {
    const key = await em.findOne(AdminKey, { publicId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (key === null) return undefined;
    const before = { revokedAt: key.revokedAt ?? null };
    key.revokedAt ??= new Date();
    const info = toInfo(key);
    const after = { revokedAt: info.revokedAt };
    appendAuditEntry(em, { ...entryOf(store, "admin-keys.revoke", info), before, after });
    return info;
  });
}

function entryOf({ origin }: Store, action: AuditAction, { publicId, name, projectId }: AdminKeyInfo) {
  return { ...origin, action, projectId, target: { kind: "admin-key", id: publicId, name } };
}

/** Returns the public facts of an admin key. */
function toInfo(key: InferEntity<typeof AdminKey>): AdminKeyInfo {
  const { publicId, name, scopes, project, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  return {
    publicId,
    name,
    scopes: parseScopes(scopes),
    projectId: project?.id,
    createdAt,
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
  };
}
