/** The reasons for which a call is refused before it is answered. A new one is a row here and nothing else. */
export const REFUSAL_REASONS = [
  /** No key came with the call, or one that nobody made. */
  "unknown_key",
  "revoked_key",
  "expired_key",
  "paused_key",
  /** The key may not call this model, or lacks a permission. */
  "not_allowed",
  "unknown_model",
  "limit",
  "budget",
  /** The headers or the body break the rules of the API, or ask for what cannot be done. */
  "bad_request",
  "too_large",
] as const;

/** The reason for which a call was refused. */
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Samples of each reason and project that are kept. */
export const MOST_SAMPLES = 100;

/** Minutes for which refused calls are counted by the minute; after them they are counted by the hour. */
export const MINUTES_KEPT = 120;

/** The refused calls of one minute, reason, project and key; project and key are empty where they are not known. */
export interface RefusalCount {
  /** Minutes since 1970, UTC. */
  readonly minute: number;
  readonly reason: RefusalReason;
  readonly projectId: string;
  readonly keyId: string;
  readonly calls: number;
  /** When the first and the last of them were, in milliseconds since 1970. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Returns the refused calls of two counts with the same reason, project and key. */
export function addRefusals(one: RefusalCount, other: RefusalCount): RefusalCount {
  const [firstMs, lastMs] = [Math.min(one.firstMs, other.firstMs), Math.max(one.lastMs, other.lastMs)];
  return { ...one, calls: one.calls + other.calls, firstMs, lastMs };
}

/** A refused call, as it is kept: without its secret and its body. */
export interface RefusalSample {
  readonly id: string;
  readonly at: Date;
  readonly reason: RefusalReason;
  readonly projectId: string;
  readonly keyId: string;
  readonly call: string;
  readonly message: string;
}

/** The refusals that are written together. */
export interface RefusalBatch {
  readonly counts: readonly RefusalCount[];
  /** Oldest first. */
  readonly samples: readonly RefusalSample[];
}
