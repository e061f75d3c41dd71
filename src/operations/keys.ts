import { isDeepStrictEqual } from "node:util";
import { durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { CreateKeyRequest } from "../../gen/attune/admin/v1/admin_pb.ts";
import type { Key } from "../../gen/attune/admin/v1/key_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { isUnlimited } from "../quotas/quota-settings.ts";
import { lockProject } from "../store/administration/find-project.ts";
import { type KeyStateName, listKeyPage } from "../store/administration/list-pages.ts";
import { PLAYGROUND_PREFIX } from "../store/keys/key-format.ts";
import {
  createKey,
  type KeyChange,
  type KeyInfo,
  type KeyTags,
  revokeKey,
  rotateKey,
  updateKey,
} from "../store/keys/key-repository.ts";
import { readQuotas } from "../store/quotas/read-quotas.ts";
import { writeQuota } from "../store/quotas/write-quota.ts";
import { tagProblem } from "../vocabulary/call-names.ts";
import { KEY_PERMISSIONS, type KeyPermission } from "../vocabulary/key-permissions.ts";
import { checkPermission, isPerson } from "./actor.ts";
import { alreadyExists, checkEtag, conflict, notFound, readName } from "./checks.ts";
import { findOwnKey, findOwnProject, projectOfList } from "./find-own.ts";
import type { Handlers, Work } from "./handlers.ts";
import {
  etagOfKey,
  getKeyState,
  hasEnded,
  KEY_STATES,
  keyToMessage,
  type LimitedKey,
  sortedTags,
} from "./key-message.ts";
import { isLimitSet, isSameQuota, LIMIT_PATHS, limitsChange, limitsToQuota } from "./limits.ts";
import { readPageSize, toPage } from "./page.ts";
import { readMask } from "./update-mask.ts";

const UNNAMED = "unnamed";
const DEFAULT_OVERLAP_MS = 86_400_000;

const PATHS = ["name", "permissions", "tags", "expires_at", "paused", ...LIMIT_PATHS];

type KeyMethod = "listKeys" | "getKey" | "createKey" | "updateKey" | "rotateKey" | "revokeKey";

/** The operations on API keys. */
export const keyHandlers: Handlers<KeyMethod> = {
  async listKeys(work, { project, pageSize, pageToken, name, state }) {
    const size = readPageSize(pageSize);
    const projectId = await projectOfList(work, project);
    const query = { after: pageToken.toLowerCase(), most: size + 1, name, projectId, state: nameOfState(state) };
    const { items, nextPageToken } = toPage(await listKeyPage(work.store, query), size);
    return { keys: (await withLimits(work, items)).map(keyToMessage), nextPageToken };
  },

  getKey: (work, { id }) => readKey(work, id),

  async createKey(work, request) {
    const { id: projectId } = await findOwnProject(work, request.project);
    await lockProject(work.store, projectId);
    const wanted = readNewKey(work, request);
    const existing = wanted.name === UNNAMED ? undefined : await findUnended(work, projectId, wanted.name);
    if (existing !== undefined) {
      const isSame = isSameKey(existing, wanted, request);
      if (isSame && !isPerson(work.actor)) return { key: keyToMessage(existing) };
      const which = `is the name of the key ${existing.publicId}`;
      throw alreadyExists(
        "key.name",
        isSame ? `${which}: give another one` : `${which}, which differs: update that one`,
      );
    }
    const { limits: quota, expiresAt, ...settings } = wanted;
    if (!isUnlimited(quota)) checkPermission(work.actor, "limits.change");
    const created = await createKey(work.store, { projectId, quota, ...settings, ...(expiresAt && { expiresAt }) });
    const key = keyToMessage(await withLimit(work, created.info));
    return { key, secret: request.dryRun ? "" : created.key, created: true };
  },

  async updateKey(work, request) {
    const before = await lockKey(work, request.id);
    const { update } = request;
    const paths = readMask(request.updateMask, PATHS, (path) => isSet(update, path));
    checkEtag(request.etag, etagOfKey(before));
    if (before.revokedAt !== null) throw conflict("id", "is of a key that was revoked: create another one");
    const { publicId, projectId } = before;
    if (update?.paused && publicId.startsWith(PLAYGROUND_PREFIX)) {
      throw conflict("id", "is of a person's playground, which can be revoked, and allowed again");
    }
    await updateKey(work.store, publicId, readChange(update, paths));
    const change = limitsChange(limitsToQuota(work, update?.limits, "update.limits"), paths);
    const owner = { kind: "key", projectId, name: publicId } as const;
    if (change !== undefined) checkPermission(work.actor, "limits.change");
    if (change !== undefined) await writeQuota(work.store, { owner, change });
    return await readKey(work, publicId);
  },

  async rotateKey(work, { id, overlap, dryRun }) {
    const before = await lockKey(work, id);
    if (hasEnded(before)) throw conflict("id", `is of a key that is ${getKeyState(before)}: create another one`);
    if (id.startsWith(PLAYGROUND_PREFIX)) throw conflict("id", "is of a person's playground, which has no secret");
    const until = new Date(Date.now() + (overlap === undefined ? DEFAULT_OVERLAP_MS : durationMs(overlap)));
    const rotated = await rotateKey(work.store, id, until);
    return { ...(await readKey(work, id)), secret: dryRun ? "" : (rotated?.key ?? "") };
  },

  async revokeKey(work, { id }) {
    await lockKey(work, id);
    await revokeKey(work.store, id);
    return await readKey(work, id);
  },
};

/**
 * Reads a key that the actor may change, and nobody else changes through this service until the transaction ends.
 * Throws PERMISSION_DENIED for that of somebody else.
 */
async function lockKey(work: Work, id: string): Promise<LimitedKey> {
  const { projectId, createdBy } = await findOwnKey(work, id);
  if (createdBy !== work.actor.id) {
    checkPermission(work.actor, "keys.change-any", "somebody else created this key: ");
  }
  await lockProject(work.store, projectId);
  return await withLimit(work, await findOwnKey(work, id));
}

async function readKey(work: Work, id: string) {
  return { key: keyToMessage(await withLimit(work, await findOwnKey(work, id))) };
}

/** The settings of a key that is to be created. */
interface NewKey extends Pick<LimitedKey, "name" | "permissions" | "tags" | "limits"> {
  readonly isPaused: boolean;
  readonly expiresAt: Date | undefined;
}

function readNewKey(work: Work, { key, lifetime }: CreateKeyRequest): NewKey {
  if (lifetime !== undefined && key?.expiresAt !== undefined) {
    throw InferenceError.invalid("lifetime", "says when the key ends, as key.expires_at does: send one of them");
  }
  const expiry = lifetime === undefined ? undefined : new Date(Date.now() + durationMs(lifetime));
  return {
    name: key?.name ? readName(key.name, "key.name") : UNNAMED,
    permissions: readPermissions(key?.permissions ?? [], "key.permissions"),
    tags: readTags(key?.tags ?? {}, "key.tags"),
    limits: limitsToQuota(work, key?.limits, "key.limits"),
    isPaused: key?.paused ?? false,
    expiresAt: expiry ?? readExpiry(key, "key.expires_at") ?? undefined,
  };
}

async function findUnended(work: Work, projectId: string, name: string): Promise<LimitedKey | undefined> {
  const [found] = await listKeyPage(work.store, { after: "", most: 1, name, projectId, state: "unended" });
  return found && (await withLimit(work, found));
}

function isSameKey(key: LimitedKey, wanted: NewKey, { lifetime }: CreateKeyRequest): boolean {
  const isExpirySame = lifetime !== undefined || key.expiresAt?.getTime() === wanted.expiresAt?.getTime();
  const isMaySame = [...key.permissions].sort().join() === [...wanted.permissions].sort().join();
  const isTagsSame = isDeepStrictEqual(sortedTags(key.tags), sortedTags(wanted.tags));
  const isPauseSame = (key.pausedAt !== null) === wanted.isPaused;
  return isExpirySame && isMaySame && isTagsSame && isPauseSame && isSameQuota(key.limits, wanted.limits);
}

function isSet(update: Key | undefined, path: string): boolean {
  if (update === undefined) return false;
  if (path === "name") return update.name !== "";
  if (path === "permissions") return update.permissions.length > 0;
  if (path === "tags") return Object.keys(update.tags).length > 0;
  if (path === "paused") return update.paused;
  return path === "expires_at" ? update.expiresAt !== undefined : isLimitSet(update.limits, path);
}

function readChange(update: Key | undefined, paths: readonly string[]): KeyChange {
  return {
    ...(paths.includes("name") && { name: readName(update?.name ?? "", "update.name") }),
    ...(paths.includes("permissions") && {
      permissions: readPermissions(update?.permissions ?? [], "update.permissions"),
    }),
    ...(paths.includes("tags") && { tags: readTags(update?.tags ?? {}, "update.tags") }),
    ...(paths.includes("paused") && { isPaused: update?.paused ?? false }),
    ...(paths.includes("expires_at") && { expiresAt: readExpiry(update, "update.expires_at") }),
  };
}

/** Reads permissions of a request; `place` names them. Throws INVALID_REQUEST. */
export function readPermissions(texts: readonly string[], place: string): readonly KeyPermission[] {
  return texts.map((text, at) => {
    const permission = KEY_PERMISSIONS.find((known) => known === text);
    if (permission !== undefined && texts.indexOf(text) === at) return permission;
    throw InferenceError.invalid(`${place}[${at}]`, `must be one of ${KEY_PERMISSIONS.join(", ")}, each once`);
  });
}

/** Reads tags of a key of a request; `place` names them. Throws INVALID_REQUEST. */
export function readTags(tags: KeyTags, place: string): KeyTags {
  for (const [name, value] of Object.entries(tags)) {
    const problem = tagProblem(name, value);
    if (problem !== undefined) throw InferenceError.invalid(place, `has '${name.slice(0, 64)}', which ${problem}`);
  }
  return tags;
}

function readExpiry(key: Key | undefined, place: string): Date | null {
  if (key?.expiresAt === undefined) return null;
  const expiresAt = timestampDate(key.expiresAt);
  if (expiresAt.getTime() > Date.now()) return expiresAt;
  throw InferenceError.invalid(place, "must be in the future: revoke the key to end it immediately");
}

function nameOfState(state: number): KeyStateName | undefined {
  return (Object.keys(KEY_STATES) as KeyStateName[]).find((name) => KEY_STATES[name] === state);
}

/** Reads the limits of a key. */
export async function withLimit(work: Work, key: KeyInfo): Promise<LimitedKey> {
  const [limited] = await withLimits(work, [key]);
  if (limited === undefined) throw notFound("id", "key");
  return limited;
}

async function withLimits({ store }: Work, keys: readonly KeyInfo[]): Promise<readonly LimitedKey[]> {
  const projectIds = [...new Set(keys.map(({ projectId }) => projectId))];
  const quotas = await readQuotas(store, { kinds: ["key"], projectIds, names: keys.map(({ publicId }) => publicId) });
  const limits = new Map(quotas.map(({ owner, settings }) => [owner.name, settings]));
  return keys.map((key) => ({ ...key, limits: limits.get(key.publicId) ?? {} }));
}
