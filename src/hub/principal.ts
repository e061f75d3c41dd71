import type { KeyPermission } from "../vocabulary/key-permissions.ts";
import type { FeedbackTarget } from "./answer-ids.ts";

/** The caller: the API key's public id and its project. */
export interface Principal {
  readonly keyId: string;
  readonly projectId: string;
  /** The permissions beside calling models, sending feedback and reading; none if absent. */
  readonly permissions?: readonly KeyPermission[];
  /** Tags of the key, which all its calls have; none if absent. */
  readonly tags?: Readonly<Record<string, string>>;
  /** The only answer, or session, that a caller with a feedback token sends feedback on; absent for all others. */
  readonly feedbackOn?: FeedbackGrant;
}

/** The right that a feedback token gives. */
export interface FeedbackGrant extends FeedbackTarget {
  /** Its user, as far as the address tells: see addressRater(). Absent where that is not known. */
  readonly rater?: string | undefined;
  /** The metrics and notes that it sends, by name; all if absent. */
  readonly metrics?: GrantedMetrics | undefined;
}

/** The metrics that a feedback token sends, by name. */
export type GrantedMetrics = Readonly<Record<string, GrantedMetric>>;

/** The bounds of a metric that a feedback token sends. */
export interface GrantedMetric {
  /** Least and greatest number; none if absent. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** True if a rater may give it several times on an answer. */
  readonly several?: boolean | undefined;
}

/** A key that was valid once, or is paused. Its owner is not let in. */
export interface RejectedKey {
  readonly rejected: "revoked_key" | "expired_key" | "paused_key";
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
