/** Room at first; what a large message has taken beyond the second is given back. */
const FIRST_BYTES = 64 * 1024;
const MOST_KEPT_BYTES = 1024 * 1024;

/** A text up to this long is copied here, a character at a time, if it is ASCII: a call of what is built in takes longer. */
const SHORT = 40;

/** A text up to this long is written before its size is known: to count its bytes takes four times as long as to move them. */
const MOVED = 128 * 1024;

/** Most bytes that UTF-8 has for one of a string's units. */
const MOST_BYTES_EACH = 3;

/** Longest number that takes seven bits of each byte. */
const VARINT_BYTES = 10;

/**
 * Bytes that are written from the last to the first. The length of a part of a message stands in front of it, and is known by then: nothing
 * has to be counted before, nor moved behind.
 */
export class BackwardBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #at = FIRST_BYTES;

  /** How many are written. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** Forgets what is written. */
  begin(): void {
    this.#at = this.#bytes.length;
  }

  /** Returns a copy of what is written. */
  take(): Uint8Array {
    const taken = Buffer.allocUnsafe(this.length);
    this.#bytes.copy(taken, 0, this.#at);
    if (this.#bytes.length > MOST_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return taken;
  }

  raw(data: Uint8Array): void {
    this.#reserve(data.length);
    this.#at -= data.length;
    this.#bytes.set(data, this.#at);
  }

  /** A whole number from 0 to 2^32 - 1, in one to five bytes. */
  varint(value: number): void {
    this.#reserve(VARINT_BYTES);
    if (value < 0x80) {
      this.#bytes[--this.#at] = value;
      return;
    }
    this.#at -= value < 0x4000 ? 2 : value < 0x20_0000 ? 3 : value < 0x1000_0000 ? 4 : 5;
    let at = this.#at;
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[at++] = (rest & 0x7f) | 0x80;
    this.#bytes[at] = rest;
  }

  /** A whole number from -2^31 to 2^31 - 1: one below 0 in ten bytes. */
  signed(value: number): void {
    if (value >= 0) this.varint(value);
    else this.long(BigInt(value));
  }

  /** A whole number of 64 bits. */
  long(value: bigint): void {
    this.#reserve(VARINT_BYTES);
    let rest = BigInt.asUintN(64, value);
    const groups: number[] = [];
    for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    for (const group of groups.reverse()) this.#bytes[--this.#at] = group;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** A text in UTF-8, behind its length. Halves of surrogate pairs become U+FFFD. */
  text(text: string): void {
    if (text.length <= SHORT && this.#shortAscii(text)) return;
    const size = text.length <= MOVED ? this.#moved(text) : this.#counted(text);
    this.varint(size);
  }

  /** Writes a text where there is room in front, and moves it to its place. Returns its size. */
  #moved(text: string): number {
    this.#reserve(text.length * MOST_BYTES_EACH);
    const size = this.#bytes.write(text, 0, this.#at, "utf8");
    this.#at -= size;
    this.#bytes.copyWithin(this.#at, 0, size);
    return size;
  }

  /** Writes a text for which there may not be as much room as for the longest of its length. Returns its size. */
  #counted(text: string): number {
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#at -= size;
    this.#bytes.write(text, this.#at, size, "utf8");
    return size;
  }

  #shortAscii(text: string): boolean {
    this.#reserve(SHORT + 1);
    let at = this.#at;
    for (let index = text.length - 1; index >= 0; index--) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      this.#bytes[--at] = code;
    }
    this.#bytes[--at] = text.length;
    this.#at = at;
    return true;
  }

  #reserve(size: number): void {
    if (this.#at < size) this.#grow(size);
  }

  #grow(size: number): void {
    const { length } = this;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, length + size));
    this.#bytes.copy(larger, larger.length - length, this.#at);
    this.#bytes = larger;
    this.#at = larger.length - length;
  }
}
