import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Random bytes that one id takes. */
const ID_BYTES = 16;

/** Random bytes are drawn for 256 ids at once: to ask the system for each id costs more than all else about it. */
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

/** Makes a UUIDv7: unique, and in the order of time to the millisecond. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  // Copied: the library writes into what it is given.
  const random = pool.slice(used, used + ID_BYTES);
  used += ID_BYTES;
  return v7({ random });
}

/** Tells whether `text` has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns when an id was made, in milliseconds since 1970; undefined for a UUID of another version than 7. */
export function idTimeMs(id: string): number | undefined {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
