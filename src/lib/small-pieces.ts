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
