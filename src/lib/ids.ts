import { createHash, randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Random bytes that one id takes. */
const ID_BYTES = 16;

/** Ids whose random bytes are drawn at once: to ask the system for each id costs more than all else about it. */
const STOCK = 256;

/**
 * The milliseconds by which ids may be ahead of the clock. Clocks that are kept in time go back by less; where one was
 * set back by more, ids that went on from the latest time would stay ahead of all others for as long.
 */
export const MOST_AHEAD_MS = 2000;

/** Makes UUIDv7s: unique, and each greater than the one before unless the clock was set back. */
export class IdSource {
  readonly #now: () => number;
  readonly #pool = Buffer.alloc(ID_BYTES * STOCK);
  #used = this.#pool.length;
  #lastMs = 0;
  /** Grows by one with each id of the same millisecond; a new millisecond begins in the lower half of its 32 bits. */
  #sequence = 0;

  /**
   * `now` returns milliseconds since 1970. Where it goes back by up to MOST_AHEAD_MS, ids go on from the latest time;
   * where by more, they follow it: what keeps them apart from those that were made at the same time before is chance,
   * 73 bits of it.
   */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Makes an id. */
  next(): string {
    const random = this.#drawRandom();
    const now = this.#now();
    if (now > this.#lastMs || this.#lastMs - now > MOST_AHEAD_MS) {
      this.#lastMs = now;
      this.#sequence = this.#pool.readUInt32BE(this.#used - ID_BYTES + 6) >>> 1;
    } else {
      this.#sequence += 1;
    }
    return v7({ random, msecs: this.#lastMs, seq: this.#sequence });
  }

  #drawRandom(): Uint8Array {
    if (this.#used === this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    this.#used += ID_BYTES;
    return this.#pool.subarray(this.#used - ID_BYTES, this.#used);
  }
}

const source = new IdSource(Date.now);

/** Makes a UUIDv7: unique, and greater than all that this process made before unless the clock was set back since. */
export function newId(): string {
  return source.next();
}

/** Makes the UUIDv7 that belongs to a name under another: always the same one, of the same time. */
export function derivedId(id: string, name: string): string {
  const random = createHash("sha256").update(id).update(" ").update(name).digest();
  return v7({ random, msecs: idTimeMs(id) ?? 0, seq: random.readUInt32BE(ID_BYTES) });
}

/** Tells whether `text` has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns when an id was made, in milliseconds since 1970; undefined for a UUID of another version than 7. */
export function idTimeMs(id: string): number | undefined {
  return id[14] === "7" ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
