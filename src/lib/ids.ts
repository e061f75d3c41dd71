import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Random bytes that one id takes. */
const ID_BYTES = 16;

/** Random bytes are drawn for 256 ids at once: to ask the system for each id costs more than all else about it. */
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

let lastMs = 0;
/** Grows by one with each id of the same millisecond; 32 bits, of which a new millisecond begins in the lower half. */
let sequence = 0;

/** Makes a UUIDv7: unique, and greater than all that this process made before. */
export function newId(): string {
  const random = drawRandom();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    sequence = ((random[6] ?? 0) << 23) | ((random[7] ?? 0) << 15) | ((random[8] ?? 0) << 7) | ((random[9] ?? 0) >> 1);
  } else {
    // A clock that was set back goes on from the last id's time.
    sequence += 1;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}

function drawRandom(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  // Copied: the library writes into what it is given.
  return pool.slice(used - ID_BYTES, used);
}

/** Tells whether `text` has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns when an id was made, in milliseconds since 1970; undefined for a UUID of another version than 7. */
export function idTimeMs(id: string): number | undefined {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
