import { Buffer } from "node:buffer";

/**
 * Chunks below this size are copied together: one that is kept as it is costs some hundred bytes, and may keep alive
 * all that it was read with.
 */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 16_384;

/** A chunk that is part of memory more than so many times its size is copied: HTTP/2 reads 64 KiB for many streams. */
const MOST_KEPT_ALIVE = 2;

/**
 * Collects the chunks of a text that comes in pieces, in about as much memory as they have bytes, however small they
 * are.
 */
export class ChunkList {
  #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (chunk.length >= SMALL_BYTES || this.#bytes === chunk.length) {
      this.#closeBlock();
      this.#chunks.push(chunk.buffer.byteLength > MOST_KEPT_ALIVE * chunk.length ? getCopy(chunk) : chunk);
      return;
    }
    if (this.#block === undefined || this.#used + chunk.length > BLOCK_BYTES) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** Returns all bytes as one, the only chunk itself where there is one, and keeps none. */
  take(): Buffer {
    this.#closeBlock();
    const [first] = this.#chunks;
    const all = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#bytes);
    this.clear();
    return all;
  }

  /** Lets all chunks go. */
  clear(): void {
    this.#chunks = [];
    this.#block = undefined;
    this.#used = 0;
    this.#bytes = 0;
  }

  #closeBlock(): void {
    if (this.#block !== undefined) this.#chunks.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}

/** Copies a chunk into memory of its own. */
function getCopy(chunk: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(chunk.length);
  chunk.copy(copy);
  return copy;
}

/** Pieces that a body may have however small they are, and bytes that each has on average from there on. */
const MANY_PIECES = 256;
const PIECE_BYTES = 64;

/** Counts the pieces in which a body comes: each takes memory and time beside its bytes. */
export class SmallPieces {
  #pieces = 0;
  #bytes = 0;

  /** Counts a piece; returns whether there are too many small ones. */
  add(bytes: number): boolean {
    this.#pieces += 1;
    this.#bytes += bytes;
    return this.#pieces > MANY_PIECES && this.#bytes < this.#pieces * PIECE_BYTES;
  }
}
