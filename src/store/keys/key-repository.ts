import { type InferEntity, LockMode } from "@mikro-orm/core";
import type { SqlEntityManager } from "@mikro-orm/sql";
import { isUuid, newId } from "../../lib/ids.ts";
import type { QuotaChange } from "../../quotas/quota-settings.ts";
import type { AuditAction } from "../../vocabulary/audit-actions.ts";
import { type KeyPermission, parsePermissions } from "../../vocabulary/key-permissions.ts";
import { type AuditChange, appendAuditEntry } from "../audit/append-entry.ts";
import { ApiKey } from "../entities/api-key.ts";
import { DEFAULT_PROJECT, Project } from "../entities/project.ts";
import { Quota } from "../entities/quota.ts";
import { writeQuotaIn } from "../quotas/write-quota.ts";
import { checkQuota } from "../types/quotas.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";
import { generateKey, hashKey, PLAYGROUND_PREFIX } from "./key-format.ts";
import { tellOfKey, tellOfSecrets } from "./tell-of-key.ts";

/** The tags of a key, by their names. */
export type KeyTags = Readonly<Record<string, string>>;

/** The public facts of a key. */
export interface KeyInfo {
  readonly id: string;
  readonly projectId: string;
  /** Part of the key that may be shown and logged. */
  readonly publicId: string;
  readonly name: string;
  readonly permissions: readonly KeyPermission[];
  /** The tags of all its calls. */
  readonly tags: KeyTags;
  /** The account of the person who created it; null where no person did. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Null for a key that is not paused. */
  readonly pausedAt: Date | null;
  /** Up to half a minute behind. */
  readonly lastUsedAt: Date | null;
  /** Until when the secret before the last rotation works too; null where there is none. */
  readonly previousExpiresAt: Date | null;
}

/** A change of a key; absent members stay. */
export interface KeyChange {
  readonly name?: string;
  readonly permissions?: readonly KeyPermission[];
  readonly tags?: KeyTags;
  /** Null for a key that does not expire. */
  readonly expiresAt?: Date | null;
  readonly isPaused?: boolean;
}

/** The settings of a new key. */
interface KeySettings {
  readonly name: string;
  /** The default project where it is not given. */
  readonly projectId?: string;
  readonly expiresAt?: Date;
  /** None where they are not given. */
  readonly permissions?: readonly KeyPermission[];
  /** None where they are not given. */
  readonly tags?: KeyTags;
  readonly isPaused?: boolean;
  /** Without limits where it is not given. */
  readonly quota?: QuotaChange;
  /** A secret that somebody else has made, of which only the hash is known; a new one where it is not given. */
  readonly hashed?: HashedKey;
}

/** A key whose secret is not known here. */
export interface HashedKey {
  readonly publicId: string;
  readonly hash: string;
}

/** A key that was made. `key` is the whole of it, and is nowhere kept; empty where only the hash is known. */
interface CreatedKey {
  readonly key: string;
  readonly info: KeyInfo;
}

/** Keys of a project that ended, which are kept for their names; beyond that the oldest are forgotten. */
const MOST_ENDED = 1000;
/** Most that are forgotten at once. */
const FORGOTTEN = 100;

/**
 * Creates a key, and tells all processes of it. Throws QuotaError where its project has as many keys as it may have.
 */
export async function createKey(store: Store, settings: KeySettings): Promise<CreatedKey> {
  return await store.unitOfWork(async (em) => {
    const projectId = settings.projectId ?? DEFAULT_PROJECT.id;
    // Of several who create one at once, the others wait here.
    await em.findOne(Project, projectId, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const now = new Date();
    const own = { project: projectId, $not: { publicId: { $like: `${PLAYGROUND_PREFIX}%` } } };
    const lasts = { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
    const count = await em.count(ApiKey, { ...own, revokedAt: null, ...lasts });
    checkQuota(store.quotas, "keysPerProject", count, (quota) => {
      return `this project's active keys are ${quota}: revoke an unused one`;
    });
    const ended = { ...own, $or: [{ revokedAt: { $ne: null } }, { expiresAt: { $lte: now } }] };
    const order = { createdAt: "desc", id: "desc" } as const;
    for (const key of await em.find(ApiKey, ended, { orderBy: order, offset: MOST_ENDED, limit: FORGOTTEN })) {
      em.remove(key);
      await em.nativeDelete(Quota, { kind: "key", projectId, name: key.publicId });
    }
    return await addKey(em, store, settings);
  });
}

/**
 * Creates a key unless there ever was one. Of several processes that do this at once, one creates it; the others
 * resolve to undefined.
 */
export async function createFirstKey(store: Store, settings: KeySettings): Promise<CreatedKey | undefined> {
  return await store.unitOfWork(async (em) => {
    // Whoever has the project's row is alone; on SQLite every transaction that may write is.
    await em.findOne(Project, DEFAULT_PROJECT.id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const known = await em.findAll(ApiKey, { fields: ["id"], limit: 1 });
    return known.length === 0 ? await addKey(em, store, settings) : undefined;
  });
}

async function addKey(em: SqlEntityManager, store: Store, settings: KeySettings): Promise<CreatedKey> {
  const { engine } = store;
  const { key, publicId, hash } = settings.hashed ? { key: "", ...settings.hashed } : newHashedKey();
  const created = em.create(ApiKey, {
    id: newId(),
    project: settings.projectId ?? DEFAULT_PROJECT.id,
    publicId,
    hash,
    previousHash: null,
    previousExpiresAt: null,
    name: settings.name,
    permissions: settings.permissions?.length ? settings.permissions : null,
    tags: tagsOrNull(settings.tags),
    createdBy: store.origin.actor.kind === "person" ? store.origin.actor.id : null,
    createdAt: new Date(),
    expiresAt: settings.expiresAt ?? null,
    revokedAt: null,
    pausedAt: settings.isPaused ? new Date() : null,
    lastUsedAt: null,
  });
  if (settings.quota !== undefined) {
    const owner = { kind: "key", projectId: created.project.id, name: publicId } as const;
    await writeQuotaIn({ tables: query(em), engine }, { owner, change: settings.quota });
  }
  await tellOfKey(em, engine, hash);
  const info = toKeyInfo(created);
  const { name, permissions, tags, expiresAt, pausedAt } = info;
  const after = { name, permissions, tags, expiresAt, ...(pausedAt && { pausedAt }), limits: settings.quota };
  appendKeyEntry(em, store, info, { action: "keys.create", before: null, after });
  return { key, info };
}

function newHashedKey(): HashedKey & { readonly key: string } {
  const generated = generateKey();
  return { ...generated, hash: hashKey(generated.key) };
}

/** Lists the keys of all projects, oldest first; revoked ones too. */
export async function listKeys(store: Store): Promise<KeyInfo[]> {
  const keys = await store.fork().findAll(ApiKey, { orderBy: { createdAt: "asc", id: "asc" } });
  return keys.map(toKeyInfo);
}

/** Finds a key by its public id; revoked ones too. */
export async function findKey(store: Store, publicId: string): Promise<KeyInfo | undefined> {
  const key = await store.fork().findOne(ApiKey, { publicId });
  return key === null ? undefined : toKeyInfo(key);
}

/** Lists the keys of a project, the latest first; revoked ones too. */
export async function listProjectKeys(store: Store, projectId: string): Promise<KeyInfo[]> {
  const keys = await store.fork().find(ApiKey, { project: projectId }, { orderBy: { createdAt: "desc", id: "desc" } });
  return keys.map(toKeyInfo);
}

/** Reads the hashes of the keys of a project, by their public ids. */
export async function readKeyHashes(store: Store, projectId: string): Promise<Map<string, string>> {
  const rows = await store
    .query()
    .selectFrom("ApiKey")
    .select(["publicId", "hash"])
    .where("project", "=", projectId)
    .execute();
  return new Map(rows.map(({ publicId, hash }) => [publicId, hash]));
}

/** Tells whether there is a key of a public id, or one of a secret, be it a former one. */
export async function hasKey(store: Store, { publicId, hash }: HashedKey): Promise<boolean> {
  const same = { $or: [{ publicId }, { hash }, { previousHash: hash }] };
  return (await store.fork().count(ApiKey, same)) > 0;
}

/**
 * Revokes a key by its public id or its id, and tells all processes of it; where a project is given, only a key of it.
 * A key that was revoked before keeps that time. Resolves to undefined if there is no such key.
 */
export async function revokeKey(store: Store, publicIdOrId: string, projectId?: string): Promise<KeyInfo | undefined> {
  const where = isUuid(publicIdOrId) ? { id: publicIdOrId } : { publicId: publicIdOrId };
  const owner = projectId === undefined ? {} : { project: projectId };
  return await store.unitOfWork(async (em) => {
    // Of several who revoke it at once, the first one's time stays.
    const key = await em.findOne(ApiKey, { ...where, ...owner }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (key === null) return undefined;
    const before = { revokedAt: key.revokedAt ?? null };
    key.revokedAt ??= new Date();
    await tellOfSecrets(em, store.engine, key);
    const info = toKeyInfo(key);
    appendKeyEntry(em, store, info, { action: "keys.revoke", before, after: { revokedAt: info.revokedAt } });
    return info;
  });
}

/** Changes a key, and tells all processes of it. Resolves to undefined if there is no such key. */
export async function updateKey(store: Store, publicId: string, change: KeyChange): Promise<KeyInfo | undefined> {
  const { name, permissions, tags, expiresAt, isPaused } = change;
  const action = isPaused === undefined ? "keys.update" : isPaused ? "keys.pause" : "keys.resume";
  return await changeKey(store, { publicId, action }, (key) => {
    if (name !== undefined) key.name = name;
    if (permissions !== undefined) key.permissions = permissions.length > 0 ? permissions : null;
    if (tags !== undefined) key.tags = tagsOrNull(tags);
    if (expiresAt !== undefined) key.expiresAt = expiresAt;
    if (isPaused !== undefined) key.pausedAt = isPaused ? (key.pausedAt ?? new Date()) : null;
  });
}

/**
 * Gives a key a new secret, and tells all processes of it; the former secret works until a time, and one from before
 * the last rotation ends at once. Resolves to undefined if there is no such key.
 */
export async function rotateKey(store: Store, publicId: string, until: Date): Promise<CreatedKey | undefined> {
  const { key: secret } = generateKey(publicId);
  const info = await changeKey(store, { publicId, action: "keys.rotate" }, (key) => {
    key.previousHash = key.hash;
    key.previousExpiresAt = until;
    key.hash = hashKey(secret);
  });
  return info && { key: secret, info };
}

async function changeKey(
  store: Store,
  { publicId, action }: { readonly publicId: string; readonly action: AuditAction },
  change: (key: InferEntity<typeof ApiKey>) => void,
): Promise<KeyInfo | undefined> {
  return await store.unitOfWork(async (em) => {
    const key = await em.findOne(ApiKey, { publicId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (key === null) return undefined;
    const former = { hash: key.hash, previousHash: key.previousHash };
    const before = auditState(toKeyInfo(key));
    change(key);
    await tellOfSecrets(em, store.engine, former);
    const info = toKeyInfo(key);
    appendKeyEntry(em, store, info, { action, before, after: auditState(info) });
    return info;
  });
}

function tagsOrNull(tags: KeyTags = {}): KeyTags | null {
  return Object.keys(tags).length > 0 ? tags : null;
}

function auditState({ name, permissions, tags, expiresAt, pausedAt, previousExpiresAt }: KeyInfo) {
  return { name, permissions, tags, expiresAt, pausedAt, previousSecretExpiresAt: previousExpiresAt };
}

function appendKeyEntry(
  em: SqlEntityManager,
  store: Store,
  { projectId, publicId, name }: KeyInfo,
  change: Pick<AuditChange, "action" | "before" | "after">,
): void {
  appendAuditEntry(em, { ...store.origin, projectId, target: { kind: "key", id: publicId, name }, ...change });
}

/** Describes a key without its hash. */
export function toKeyInfo(key: InferEntity<typeof ApiKey>): KeyInfo {
  const { id, project, publicId, name, createdAt, expiresAt, revokedAt, pausedAt, lastUsedAt, previousExpiresAt } = key;
  return {
    id,
    projectId: project.id,
    publicId,
    name,
    createdAt,
    permissions: parsePermissions(key.permissions),
    expiresAt: expiresAt ?? null,
    revokedAt: revokedAt ?? null,
    pausedAt: pausedAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
    previousExpiresAt: previousExpiresAt ?? null,
    tags: key.tags ?? {},
    createdBy: key.createdBy ?? null,
  };
}
