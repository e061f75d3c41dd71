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
  paused: KeyState.PAUSED,
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
    paused: key.pausedAt !== null,
    createdAt: timeOf(key.createdAt),
    revokedAt: timeOf(key.revokedAt),
    lastUsedAt: timeOf(key.lastUsedAt),
    previousSecretExpiresAt: isOver ? undefined : timeOf(previousExpiresAt),
    etag: etagOfKey(key),
  };
}

/** Returns a text that changes with all of a key that people change. */
export function etagOfKey({ publicId, name, permissions, tags, limits, ...times }: LimitedKey): string {
  const { expiresAt, revokedAt, pausedAt, previousExpiresAt } = times;
  const ends = [expiresAt, revokedAt, previousExpiresAt, ...(pausedAt === null ? [] : [pausedAt])];
  return createEtag([publicId, name, permissions, sortedTags(tags), limits, ...ends]);
}

/** Returns the tags of a key as two of them are compared. */
export function sortedTags(tags: KeyTags): readonly (readonly [string, string])[] {
  return Object.entries(tags).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Returns the state of a key. */
export function getKeyState(key: Pick<KeyInfo, "revokedAt" | "expiresAt" | "pausedAt">): KeyStateName {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now()) return "expired";
  return key.pausedAt === null ? "active" : "paused";
}

/** Tells whether a key was revoked or has expired, for good. */
export function hasEnded(key: Parameters<typeof getKeyState>[0]): boolean {
  return ["expired", "revoked"].includes(getKeyState(key));
}

function timeOf(time: Date | null) {
  return time === null ? undefined : timestampFromDate(time);
}
