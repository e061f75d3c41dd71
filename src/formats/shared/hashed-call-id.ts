import { createHash } from "node:crypto";

/** Hexadecimal digits of the hash: 48 bits tell the calls of one conversation apart. */
const HASH_LENGTH = 12;

/**
 * Returns an identifier of at most `maxLength` characters that stands for `id`: the beginning of `text`, which is `id`
 * as far as the format takes its characters, and a hash of `id`, so that a call and its result still meet, in every
 * request.
 */
export function hashedCallId(id: string, maxLength: number, text: string = id): string {
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_LENGTH);
  return `${text.slice(0, maxLength - HASH_LENGTH - 1)}_${hash}`;
}
