import type { StringBuilder } from "../../lib/string-builder.ts";

/** An end behind which a value stands. */
const VALUE_FOLLOWS = /[:[,]\s*$/;

/** Characters of the end that are looked at. */
const LOOKED_AT = 64;

/** Finds what the pieces of a call's arguments add to those before them: some servers repeat them all in each piece. */
export class RestOfArguments {
  /** True once a piece has repeated them for certain. */
  #isRepeated = false;

  /**
   * Returns what a piece adds to `known`. Inside of an object nothing but a value begins with the object's own
   * beginning.
   */
  read(piece: string, known: StringBuilder): string {
    if (known.length === 0 || piece.length < known.length || !piece.startsWith("{")) return piece;
    const text = known.toString();
    if (!piece.startsWith(text)) return piece;
    this.#isRepeated ||= !VALUE_FOLLOWS.test(text.slice(-LOOKED_AT));
    return this.#isRepeated ? piece.slice(text.length) : piece;
  }
}
