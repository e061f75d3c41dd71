import { createHash } from "node:crypto";

/** Characters that a `call_id` may have. */
const MAX_LENGTH = 64;
/** Hexadecimal digits of the hash: 48 bits tell the calls of one conversation apart. */
const HASH_LENGTH = 12;

/**
 * Maps the identifier of a tool call to one that is short enough for a `call_id`. A longer one is cut and gets a hash of
 * itself, so that the call and its result still meet, in every request.
 */
export function callIdFromToolUse(id: string): string {
  if (id.length <= MAX_LENGTH) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_LENGTH);
  return `${id.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}
