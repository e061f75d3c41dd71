/** Room at first; what a large request has taken beyond the second is given back. */
const FIRST_BYTES = 64 * 1024;
const MOST_KEPT_BYTES = 1024 * 1024;

/** Characters that are looked at in one go, and the bytes that they have at most. */
const PIECE = 16 * 1024;
const BYTES_PER_CHARACTER = 3;
/** A byte that is escaped takes up to six: a backslash, "u" and four digits. */
const BYTES_PER_ESCAPE = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const NUMBER = 0x75;
const ZERO = 0x30;

/**
 * For each byte that JSON escapes what stands behind the backslash: a letter, or `u` for its number; 0 for the others.
 */
const ESCAPES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const spelled = JSON.stringify(String.fromCharCode(byte));
  return spelled[1] === "\\" ? spelled.charCodeAt(2) : 0;
});

const DIGITS = Buffer.from("0123456789abcdef");

/** Puts together JSON text as bytes in UTF-8, in memory that is kept. Its escapes are those of `JSON.stringify`. */
export class EscapedText {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  readonly #piece = Buffer.allocUnsafeSlow(PIECE * BYTES_PER_CHARACTER);
  readonly #pieceView = new DataView(this.#piece.buffer);

  /** Forgets what was written. */
  begin(): void {
    this.#at = 0;
  }

  /** Writes a text as it is. */
  plain(text: string): void {
    this.#reserve(Buffer.byteLength(text));
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** Writes a well-formed text as a string of JSON. */
  quoted(text: string): void {
    this.#quote();
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      const length = this.#piece.write(text.slice(from, to));
      this.#reserve(length * BYTES_PER_ESCAPE);
      this.#escape(length);
      from = to;
    }
    this.#quote();
  }

  /** Returns a copy of what is written. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at));
    if (this.#bytes.length > MOST_KEPT_BYTES) this.#setRoom(Buffer.allocUnsafeSlow(FIRST_BYTES));
    return taken;
  }

  /** Eight bytes at a time, as long as none of them is escaped: nearly all of a text. */
  #escape(length: number): void {
    const [from, to] = [this.#pieceView, this.#view];
    const whole = length & ~7;
    let out = this.#at;
    for (let at = 0; at < whole; at += 8) {
      const one = from.getInt32(at, true);
      const other = from.getInt32(at + 4, true);
      if (((escaped(one) | escaped(other)) & HIGHEST) === 0) {
        to.setInt32(out, one, true);
        to.setInt32(out + 4, other, true);
        out += 8;
      } else out = this.#escapeEach(at, at + 8, out);
    }
    this.#at = this.#escapeEach(whole, length, out);
  }

  #escapeEach(from: number, to: number, begin: number): number {
    const bytes = this.#bytes;
    let out = begin;
    for (let at = from; at < to; at++) {
      const byte = this.#piece[at] ?? 0;
      const letter = ESCAPES[byte] ?? 0;
      if (letter === 0) {
        bytes[out++] = byte;
        continue;
      }
      bytes[out++] = BACKSLASH;
      bytes[out++] = letter;
      if (letter !== NUMBER) continue;
      bytes[out++] = ZERO;
      bytes[out++] = ZERO;
      bytes[out++] = DIGITS[byte >> 4] ?? 0;
      bytes[out++] = DIGITS[byte & 15] ?? 0;
    }
    return out;
  }

  #quote(): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = QUOTE;
  }

  #reserve(more: number): void {
    const needed = this.#at + more;
    if (needed <= this.#bytes.length) return;
    const room = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(room, 0, 0, this.#at);
    this.#setRoom(room);
  }

  #setRoom(room: Buffer<ArrayBuffer>): void {
    this.#bytes = room;
    this.#view = new DataView(room.buffer);
  }
}

/** The highest bit of each of four bytes. */
const HIGHEST = 0x80808080;

/**
 * Tells of four bytes which are escaped, by the highest bit of each; the borrow of such a byte may set it for the next
 * one, which costs time alone. With one bit turned over, the quote and all that stands in front of the space are the
 * least 33 bytes, and the space is not.
 */
function escaped(four: number): number {
  return (((four ^ 0x02020202) - 0x21212121) | ((four ^ 0x5c5c5c5c) - 0x01010101)) & ~four;
}

/** A pair of surrogates is not taken apart. */
function endOfPiece(text: string, from: number): number {
  const to = from + PIECE;
  if (to >= text.length) return text.length;
  return (text.charCodeAt(to - 1) & 0xfc00) === 0xd800 ? to - 1 : to;
}
