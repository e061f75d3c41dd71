/** Begins the rater of feedback that a token sends: a hash of the address that it came from. */
const ADDRESS = "address:";
/** Begins the rater of a member's verdict on an answer. */
const MEMBER = "member:";

/** Returns the rater that an address stands for; `hash` is a keyed one. */
export function addressRater(hash: string): string {
  return `${ADDRESS}${hash}`;
}

/** Returns the rater that a member is. */
export function memberRater(id: string): string {
  return `${MEMBER}${id}`;
}

/** Somebody who gives feedback. */
export interface Rater {
  /** The identity of a rater. */
  readonly id: string;
  /** True of a key that rates calls without an end user, and of members: the operator gave them their right. */
  readonly isTrusted: boolean;
}

/** The facts of feedback by which its rater is known. */
interface RatedBy {
  readonly keyId?: string;
  readonly rater?: string;
}

/**
 * Tells who gave feedback: the member, or the end user of the call, or the address that a token was used from, or the
 * key.
 */
export function getRater({ keyId = "", rater }: RatedBy, endUserId: string | undefined): Rater {
  if (rater?.startsWith(MEMBER) === true) return { id: rater, isTrusted: true };
  if (endUserId !== undefined) return { id: `user:${endUserId}`, isTrusted: false };
  return rater === undefined ? { id: `key:${keyId}`, isTrusted: true } : { id: rater, isTrusted: false };
}
