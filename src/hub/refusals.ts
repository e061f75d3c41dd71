/** The reasons for which a call is refused before it is answered. A new one is a row here and nothing else. */
export const REFUSAL_REASONS = [
  /** No key came with the call, or one that nobody made. */
  "unknown_key",
  "revoked_key",
  "expired_key",
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

/** The refused calls of one hour, reason, project and key; project and key are empty where they are not known. */
export interface RefusalCount {
  /** Hours since 1970, UTC. */
  readonly hour: number;
  readonly reason: RefusalReason;
  readonly projectId: string;
  readonly keyId: string;
  readonly calls: number;
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
