import type { FeedbackTarget } from "./answer-ids.ts";
import type { KeyPermission } from "./key-permissions.ts";

/** The caller: the API key's public id and its project. */
export interface Principal {
  readonly keyId: string;
  readonly projectId: string;
  /** The permissions beside calling models, sending feedback and reading; none if absent. */
  readonly permissions?: readonly KeyPermission[];
  /** Tags of the key, which all its calls have; none if absent. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The only answer, or session, that a caller with a feedback token sends feedback on; absent for all others. */
  readonly feedbackOn?: FeedbackTarget;
}

/** A key that was valid once. Its owner is not let in. */
export interface RejectedKey {
  readonly rejected: "revoked_key" | "expired_key";
  readonly owner: Pick<Principal, "keyId" | "projectId">;
}

/** The answer of an authenticator: who calls, whose former key it is, or undefined for an unknown or malformed key. */
export type Identified = Principal | RejectedKey | undefined;

/** Tells who a secret belongs to. */
export interface Authenticator {
  /** Rejects with UNAVAILABLE if it cannot be told whose the key is. */
  authenticate(secret: string): Promise<Identified> | Identified;
  /** Tells the same of the key with a public id, for what was made with it before. */
  findKey(keyId: string): Promise<Identified> | Identified;
}
