import { createHash } from "node:crypto";

/** A key under which a call is answered once, and what was asked with it. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of what was asked, in hexadecimal digits. */
  readonly bodyHash: string;
}

const VALID = /^[ -~]{1,255}$/;

/** Says what is wrong with a key; undefined if nothing is. */
export function idempotencyKeyProblem(key: string): string | undefined {
  return VALID.test(key) ? undefined : "must have 1 to 255 printable ASCII characters";
}

/** Creates the key of a call: the same bytes sent to another route or method are another body. */
export function createIdempotencyKey(key: string, route: string, body: Uint8Array): IdempotencyKey {
  return { key, bodyHash: createHash("sha256").update(route).update("\n").update(body).digest("hex") };
}
