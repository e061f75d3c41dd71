import { timingSafeEqual } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Authenticator, Identified, Principal } from "../../hub/principal.ts";
import { parsePermissions } from "../../vocabulary/key-permissions.ts";
import { CHANNELS, type ChangeFeed, NO_CHANGES } from "../changes/change-feed.ts";
import { DEFAULT_PROJECT } from "../entities/project.ts";
import type { LimitsReader } from "../quotas/known-quotas.ts";
import { SILENT_LOG } from "../types/log.ts";
import type { Engine, Store } from "../types/store.ts";
import { batchReads } from "./batch-reads.ts";
import { KeyCache, type KeyCacheOptions, type KnownKey } from "./key-cache.ts";
import { hashKey, isKey } from "./key-format.ts";
import { LastUsed } from "./last-used.ts";

/** The options of the authenticator. */
export interface AuthenticatorOptions extends Omit<KeyCacheOptions, "coverage"> {
  /** Tells what other processes change; without it every key in use is read again each second. */
  readonly changes?: ChangeFeed;
  /** Accepted as a key of the default project; 16 characters or more, of any form. */
  readonly bootstrapKey?: string | undefined;
  /** Knows the limits of keys; none are known if absent. */
  readonly limits?: LimitsReader;
}

/** Longer secrets are refused unread. */
const MAX_SECRET_LENGTH = 512;
const MIN_BOOTSTRAP_LENGTH = 16;

const BOOTSTRAP_PRINCIPAL: Principal = { keyId: "bootstrap", projectId: DEFAULT_PROJECT.id };

/**
 * Tells who a key belongs to: from memory, without a promise, for a key that is known, else from the database. A key
 * that was created or revoked by another process is known for what it is within a second, and at once where changes are
 * told.
 */
export class StoreAuthenticator implements Authenticator {
  readonly #keys: KeyCache;
  /** By their public ids. Changes are told by hashes alone: they are read again each second. */
  readonly #keysById: KeyCache;
  readonly #lastUsed: LastUsed;
  readonly #unsubscribe: () => void;
  readonly #bootstrapHash: Buffer | undefined;

  /** Throws an Error for a bootstrap key of the wrong length. */
  constructor(store: Store, options: AuthenticatorOptions = {}) {
    this.#bootstrapHash = hashBootstrapKey(options.bootstrapKey);
    const { changes = NO_CHANGES, limits, ...times } = options;
    const read = batchReads((hashes) => withLimits(readKnownKeys(store, hashes), limits));
    this.#keys = new KeyCache(read, { ...times, coverage: () => changes.coverage });
    this.#keysById = new KeyCache(
      batchReads((ids) => withLimits(readKeysById(store, ids), limits)),
      times,
    );
    this.#unsubscribe = changes.subscribe(CHANNELS.keys, (hash) => this.#keys.forget(hash));
    this.#lastUsed = new LastUsed(store, options.log ?? SILENT_LOG);
  }

  authenticate(secret: string): Promise<Identified> | Identified {
    if (secret.length > MAX_SECRET_LENGTH) return undefined;
    const hash = hashKey(secret);
    if (this.#bootstrapHash !== undefined && timingSafeEqual(Buffer.from(hash), this.#bootstrapHash)) {
      return BOOTSTRAP_PRINCIPAL;
    }
    if (!isKey(secret)) return undefined;
    const found = this.#keys.get(hash);
    return found instanceof Promise ? found.then((key) => this.#accept(key)) : this.#accept(found);
  }

  findKey(keyId: string): Promise<Identified> | Identified {
    if (keyId === BOOTSTRAP_PRINCIPAL.keyId) return this.#bootstrapHash && BOOTSTRAP_PRINCIPAL;
    const found = this.#keysById.get(keyId);
    return found instanceof Promise ? found.then((key) => this.#accept(key)) : this.#accept(found);
  }

  /** Writes when keys were last used. The feed of changes stays open. */
  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#lastUsed.close();
  }

  #accept(key: KnownKey | undefined): Identified {
    if (key === undefined) return undefined;
    const { keyId, projectId } = key.principal;
    const owner = { keyId, projectId };
    if (key.isRevoked) return { rejected: "revoked_key", owner };
    if (key.expiresAtMs !== undefined && key.expiresAtMs <= Date.now()) return { rejected: "expired_key", owner };
    if (key.isPaused) return { rejected: "paused_key", owner };
    this.#lastUsed.touch(key.id);
    return key.principal;
  }
}

function hashBootstrapKey(key: string | undefined): Buffer | undefined {
  if (key === undefined) return undefined;
  if (key.length < MIN_BOOTSTRAP_LENGTH || key.length > MAX_SECRET_LENGTH) {
    throw new Error(`bootstrapKey: must have ${MIN_BOOTSTRAP_LENGTH} to ${MAX_SECRET_LENGTH} characters`);
  }
  return Buffer.from(hashKey(key));
}

const COLUMNS = [
  ...(["ApiKey.id", "ApiKey.publicId", "ApiKey.permissions", "ApiKey.tags", "ApiKey.expiresAt"] as const),
  ...([
    "ApiKey.revokedAt",
    "ApiKey.pausedAt",
    "Project.id as projectId",
    "Project.deletedAt as projectDeletedAt",
  ] as const),
] as const;

/** Keys as they were read, with the time when the latest quota was written that the same reading saw. */
interface ReadKeys {
  readonly keys: ReadonlyMap<string, KnownKey>;
  readonly quotasAtMs: number;
}

/** Returns keys once the quotas are known that were there when they were read. */
async function withLimits(reading: Promise<ReadKeys>, limits?: LimitsReader): Promise<ReadKeys["keys"]> {
  const { keys, quotasAtMs } = await reading;
  await limits?.readUntil(quotasAtMs);
  return keys;
}

/** When the latest quota was written, in milliseconds since 1970; null without quotas. */
const QUOTAS_AT: Record<Engine, RawBuilder<number | null>> = {
  sqlite: sql`(select max(updated_at) from quota)`,
  postgres: sql`(select (extract(epoch from max(updated_at)) * 1000)::float8 from quota)`,
};

/** Keys beside their projects: those of a project that was deleted are good for nothing. */
function keysOfProjects(store: Store) {
  return store
    .query()
    .selectFrom("ApiKey")
    .innerJoin("Project", "Project.id", "ApiKey.project")
    .select(QUOTAS_AT[store.engine].as("quotasAtMs"));
}

async function readKeysById(store: Store, ids: readonly string[]): Promise<ReadKeys> {
  const rows = await keysOfProjects(store).select(COLUMNS).where("ApiKey.publicId", "in", ids).execute();
  return { keys: new Map(rows.map((row) => [row.publicId, toKnownKey(row)])), quotasAtMs: quotasAtMs(rows) };
}

async function readKnownKeys(store: Store, hashes: readonly string[]): Promise<ReadKeys> {
  const rows = await keysOfProjects(store)
    .select(["ApiKey.hash", "ApiKey.previousHash", "ApiKey.previousExpiresAt", ...COLUMNS])
    .where(({ eb, or }) => or([eb("ApiKey.hash", "in", hashes), eb("ApiKey.previousHash", "in", hashes)]))
    .execute();
  const keys = new Map(
    rows.flatMap(({ hash, previousHash, previousExpiresAt, ...row }): [string, KnownKey][] => {
      const known = toKnownKey(row);
      if (previousHash === null) return [[hash, known]];
      const ends = [row.expiresAt, previousExpiresAt].flatMap((time) => time?.getTime() ?? []);
      return [
        [hash, known],
        [previousHash, { ...known, expiresAtMs: Math.min(...ends) }],
      ];
    }),
  );
  return { keys, quotasAtMs: quotasAtMs(rows) };
}

function quotasAtMs(rows: readonly { readonly quotasAtMs: number | null }[]): number {
  return rows[0]?.quotasAtMs ?? 0;
}

/** The columns of a key that authentication needs. */
interface KeyRow {
  readonly id: string;
  readonly publicId: string;
  readonly projectId: string;
  readonly permissions: readonly string[] | null;
  readonly tags: Readonly<Record<string, string>> | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly projectDeletedAt: Date | null;
}

function toKnownKey({ id, publicId, projectId, permissions: stored, expiresAt, ...row }: KeyRow): KnownKey {
  const permissions = parsePermissions(stored);
  const principal = {
    keyId: publicId,
    projectId,
    ...(permissions.length > 0 && { permissions }),
    ...(row.tags !== null && { tags: row.tags }),
  };
  const isRevoked = row.revokedAt !== null || row.projectDeletedAt !== null;
  return { id, principal, expiresAtMs: expiresAt?.getTime(), isRevoked, isPaused: row.pausedAt !== null };
}
