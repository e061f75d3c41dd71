import { createHash } from "node:crypto";
import { LockMode } from "@mikro-orm/core";
import { appendAuditEntry } from "../audit/append-entry.ts";
import { ApiKey } from "../entities/api-key.ts";
import type { InferenceRow } from "../entities/inference.ts";
import { Membership } from "../entities/membership.ts";
import { generateKey, hashKey, PLAYGROUND_PREFIX } from "../keys/key-format.ts";
import type { Store } from "../types/store.ts";
import { query } from "../types/tables.ts";

/** The key that stands for what a person calls from the dashboard. */
interface PlaygroundKey {
  /** Its public id, as records name it. */
  readonly keyId: string;
  readonly isRevoked: boolean;
}

/** A person of a project. */
interface PlaygroundUser {
  readonly projectId: string;
  readonly userId: string;
}

/** The record of a call, without what its answer says. */
type CallFacts = Pick<
  InferenceRow,
  | "id"
  | "status"
  | "upstream"
  | "upstreamModel"
  | "latencyMs"
  | "timeToFirstTokenMs"
  | "costNanos"
  | "usageEstimated"
  | "translationLosses"
>;

/** Calls that people make from the dashboard. */
export interface Playground {
  /** Returns the key of a person, which is made when it is first asked for. */
  findOrCreateKey(user: PlaygroundUser & { readonly email: string }): Promise<PlaygroundKey>;
  /** Returns the users whose playground key was revoked, and who can therefore call nothing from the dashboard. */
  revoked(projectId: string): Promise<{ readonly userId: string; readonly email: string }[]>;
  /** Takes a revocation back. Resolves to whether there was one. */
  allow(user: PlaygroundUser): Promise<boolean>;
  /** Reads what is recorded of a call; undefined while its record is on its way, and for calls of other projects. */
  readFacts(projectId: string, inferenceId: string): Promise<CallFacts | undefined>;
}

/** The precision of the time of last use. */
const LAST_USED_MS = 30_000;

const FACTS = [
  ...(["id", "status", "upstream", "upstreamModel", "latencyMs", "timeToFirstTokenMs", "costNanos"] as const),
  ...(["usageEstimated", "translationLosses"] as const),
];

/** Creates the playground of a database. `now` returns milliseconds since 1970. */
export function createPlayground(store: Store, now: () => number): Playground {
  return {
    findOrCreateKey: (user) => findOrCreateKey(store, now, user),
    revoked: (projectId) => readRevoked(store, projectId),
    allow: (user) =>
      store.unitOfWork(async (em) => {
        const key = await em.findOne(ApiKey, rowId(user), { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (!key?.revokedAt) return false;
        const before = { revokedAt: key.revokedAt };
        key.revokedAt = null;
        const target = { kind: "key", id: key.publicId, name: key.name };
        appendAuditEntry(em, {
          ...store.origin,
          projectId: user.projectId,
          action: "playground.allow",
          target,
          before,
          after: { revokedAt: null },
        });
        return true;
      }),
    readFacts: (projectId, inferenceId) =>
      store
        .query()
        .selectFrom("Inference")
        .select(FACTS)
        .where("id", "=", inferenceId)
        .where("projectId", "=", projectId)
        .executeTakeFirst(),
  };
}

async function findOrCreateKey(
  store: Store,
  now: () => number,
  { email, ...user }: PlaygroundUser & { readonly email: string },
): Promise<PlaygroundKey> {
  const em = store.fork();
  const found = await em.findOne(ApiKey, rowId(user));
  if (found === null) return await makeKey(store, now, { email, ...user });
  const isRevoked = Boolean(found.revokedAt);
  if (!isRevoked && now() - (found.lastUsedAt?.getTime() ?? 0) >= LAST_USED_MS) {
    found.lastUsedAt = new Date(now());
    await em.flush();
  }
  return { keyId: found.publicId, isRevoked };
}

/**
 * Two requests may make it at the same time, on two replicas: the ids are the same, so one row stays. Any of them may
 * be what PostgreSQL finds taken first.
 */
async function makeKey(
  store: Store,
  now: () => number,
  { email, ...user }: PlaygroundUser & { readonly email: string },
): Promise<PlaygroundKey> {
  const publicId = getPublicId(user);
  const key = {
    id: rowId(user),
    project: user.projectId,
    publicId,
    name: `Playground: ${email}`,
    // The hash of a key that nobody has seen: no secret opens this one from outside.
    hash: hashKey(generateKey().key),
    createdBy: user.userId,
    createdAt: new Date(now()),
    lastUsedAt: new Date(now()),
    permissions: null,
    expiresAt: null,
    revokedAt: null,
    pausedAt: null,
    previousHash: null,
    previousExpiresAt: null,
  };
  await store.unitOfWork(async (em) => {
    const insert = query(em).insertInto("ApiKey").values(key);
    const { numInsertedOrUpdatedRows } = await insert
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows !== 1n) return;
    const { origin } = store;
    const actor = { kind: "person", id: user.userId, label: email } as const;
    appendAuditEntry(em, {
      ...origin,
      actor,
      via: "dashboard",
      projectId: user.projectId,
      action: "keys.create",
      target: { kind: "key", id: publicId, name: key.name },
      before: null,
      after: { name: key.name },
    });
  });
  return { keyId: publicId, isRevoked: false };
}

async function readRevoked(store: Store, projectId: string): Promise<{ userId: string; email: string }[]> {
  const em = store.fork();
  const orderBy = { user: { email: "asc" } } as const;
  const members = await em.find(Membership, { project: projectId }, { populate: ["user"], orderBy });
  const keys = await em.find(ApiKey, { project: projectId, revokedAt: { $ne: null } });
  const revoked = new Set(keys.map(({ id }) => id));
  return members
    .map(({ user: { id, email } }) => ({ userId: id, email }))
    .filter(({ userId }) => revoked.has(rowId({ projectId, userId })));
}

/** The id follows from project and person, so that no other column has to say whose key it is. A UUID of version 8. */
function rowId(user: PlaygroundUser): string {
  const hex = digest(user).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function getPublicId(user: PlaygroundUser): string {
  return `${PLAYGROUND_PREFIX}${digest(user).readBigUInt64BE(16).toString(36).padStart(8, "0").slice(-8)}`;
}

function digest({ projectId, userId }: PlaygroundUser): Buffer {
  return createHash("sha256").update(`playground:${projectId.toLowerCase()}:${userId.toLowerCase()}`).digest();
}
