import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type KeySchema, KeyState } from "../../gen/attune/admin/v1/key_pb.ts";
import type { QuotaSettings } from "../quotas/quota.ts";
import type { KeyStateName } from "../store/administration/list-pages.ts";
import type { KeyInfo, KeyTags } from "../store/keys/key-repository.ts";
import { createEtag } from "./checks.ts";
import { quotaToLimits } from "./limits.ts";

/** An API key with its limits. */
export interface LimitedKey extends KeyInfo {
  readonly limits: QuotaSettings;
}

/** The states of keys by their names. */
export const KEY_STATES = {
  active: KeyState.ACTIVE,
  expired: KeyState.EXPIRED,
  revoked: KeyState.REVOKED,
} as const satisfies Record<KeyStateName, KeyState>;

/** Returns a key as responses have it. */
export function keyToMessage(key: LimitedKey): MessageInitShape<typeof KeySchema> {
  const { publicId, projectId, name, permissions, tags, limits, previousExpiresAt } = key;
  const isOver = previousExpiresAt === null || previousExpiresAt.getTime() <= Date.now();
  return {
    id: publicId,
    projectId,
    name,
    permissions: [...permissions],
    tags: { ...tags },
    limits: quotaToLimits(limits),
    expiresAt: timeOf(key.expiresAt),
    state: KEY_STATES[getKeyState(key)],
    createdAt: timeOf(key.createdAt),
    revokedAt: timeOf(key.revokedAt),
    lastUsedAt: timeOf(key.lastUsedAt),
    previousSecretExpiresAt: isOver ? undefined : timeOf(previousExpiresAt),
    etag: etagOfKey(key),
  };
}

/** Returns a text that changes with all of a key that people change. */
export function etagOfKey({ publicId, name, permissions, tags, limits, ...times }: LimitedKey): string {
  const { expiresAt, revokedAt, previousExpiresAt } = times;
  return createEtag([publicId, name, permissions, sortedTags(tags), limits, expiresAt, revokedAt, previousExpiresAt]);
}

/** Returns the tags of a key as two of them are compared. */
export function sortedTags(tags: KeyTags): readonly (readonly [string, string])[] {
  return Object.entries(tags).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Returns the state of a key. */
export function getKeyState({ revokedAt, expiresAt }: Pick<KeyInfo, "revokedAt" | "expiresAt">): KeyStateName {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt.getTime() <= Date.now() ? "expired" : "active";
}

function timeOf(time: Date | null) {
  return time === null ? undefined : timestampFromDate(time);
}
