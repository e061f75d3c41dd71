import { createHash } from "node:crypto";

/** Identifiers that Anthropic takes. */
const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;
/** Hexadecimal digits of the hash: 48 bits tell the calls of one conversation apart. */
const HASH_LENGTH = 12;

/**
 * Maps the identifier of a tool call to one that Anthropic takes. A valid one stays; another one is cleaned and gets a hash of
 * itself, so that the call and its result still meet, in every request.
 */
export function toolUseIdToMessages(id: string): string {
  if (VALID.test(id)) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_LENGTH);
  const cleaned = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${cleaned}_${hash}`;
}
