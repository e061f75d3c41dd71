/** Characters that are gathered before they are joined to the text. */
const JOINED_AT = 16 * 1024;

/**
 * A text that grows piece by piece. A string that is added to keeps every piece and each sum on the way alive until
 * somebody reads a character of it, and is copied as a whole by every such read: a million pieces would take a hundred
 * times the text's own size.
 */
export class StringBuilder {
  #joined: string;
  #pieces: string[] = [];
  #waiting = 0;

  constructor(start = "") {
    this.#joined = start;
  }

  /** Characters so far. */
  get length(): number {
    return this.#joined.length + this.#waiting;
  }

  add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#waiting += piece.length;
    if (this.#waiting >= JOINED_AT) this.#join();
  }

  /** The text so far; to read it after every piece costs as much as with a string. */
  toString(): string {
    if (this.#waiting > 0) this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join("");
    this.#pieces = [];
    this.#waiting = 0;
  }
}
