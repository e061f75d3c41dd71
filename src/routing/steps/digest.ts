import { createHash } from "node:crypto";
import type { DescMessage } from "@bufbuild/protobuf";

/** Characters that an object counts for beside its texts. */
const OBJECT_CHARACTERS = 32;

/** The tags of the digest: the type of the next value, or the end of an object. */
const TAGS = {
  end: 0,
  object: 1,
  array: 2,
  text: 3,
  bytes: 4,
  number: 5,
  bigint: 6,
  true: 7,
  false: 8,
  null: 9,
} as const;

/** Bytes of a tag and of the length of a text, a list or bytes. */
const HEAD = 5;
/** Bytes of a number. */
const NUMBER = 8;
/** Most bytes of UTF-8 for one unit of UTF-16. */
const BYTES_PER_UNIT = 3;
/** Characters up to which a text is copied here: to hand over a short one costs more. */
const SHORT = 32;

/** The buffer of the digest: memory of its own for each request would cost more than all the rest. */
const buffer = Buffer.alloc(2 ** 16);

/** The options of a digest. */
interface DigestOptions {
  /** Names of the members of messages by their types, from memberNames(). */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Characters of the value at most; objects count for some too. */
  readonly most: number;
}

/**
 * Returns the SHA-256, in Base64, of all that a value holds: messages, other objects, arrays, texts, bytes, numbers and
 * the like. It is the same for messages whose members were set in another order; members that are undefined count as
 * absent. Undefined for a value of too many characters, and for texts that UTF-8 has no bytes for: halves of surrogate
 * pairs.
 */
export function createDigest(value: unknown, options: DigestOptions): string | undefined {
  const digest = new Digest(options);
  return digest.add(value) ? digest.end() : undefined;
}

/** Returns the names of the members of a type of message, and of all those that it may hold. */
export function memberNames(schema: DescMessage): DigestOptions["names"] {
  const names = new Map<string, readonly string[]>();
  const collect = ({ typeName, members, fields }: DescMessage): void => {
    if (names.has(typeName)) return;
    // What a caller with a newer definition sent stands in `$unknown`.
    names.set(typeName, [...members.map(({ localName }) => localName), "$unknown"]);
    for (const { message } of fields) if (message !== undefined) collect(message);
  };
  collect(schema);
  return names;
}

class Digest {
  readonly #hash = createHash("sha256");
  readonly #names: DigestOptions["names"];
  #left: number;
  /** Bytes of the buffer that are taken. */
  #at = 0;

  constructor({ names, most }: DigestOptions) {
    this.#names = names;
    this.#left = most;
  }

  /** Adds a value; false if it cannot be digested. */
  add(value: unknown): boolean {
    switch (typeof value) {
      case "string":
        return this.#addText(value);
      case "number":
        return this.#addNumber(value);
      case "boolean":
        return this.#addHead(value ? TAGS.true : TAGS.false, 0);
      case "bigint":
        return this.#addHead(TAGS.bigint, 0) && this.#addText(`${value}`);
      case "object":
        return this.#addObject(value);
      default:
        return false;
    }
  }

  end(): string {
    this.#flush();
    return this.#hash.digest("base64");
  }

  #addObject(value: object | null): boolean {
    if (value === null) return this.#addHead(TAGS.null, 0);
    if (value instanceof Uint8Array) return this.#addBytes(value);
    this.#left -= OBJECT_CHARACTERS;
    if (Array.isArray(value)) return this.#addHead(TAGS.array, value.length) && value.every((item) => this.add(item));
    if (!this.#addHead(TAGS.object, 0)) return false;
    const members = value as Record<string, unknown>;
    for (const name of this.#names.get(members["$typeName"] as string) ?? Object.keys(members)) {
      const member = members[name];
      if (member !== undefined && !(this.#addText(name) && this.add(member))) return false;
    }
    return this.#addHead(TAGS.end, 0);
  }

  #addNumber(number: number): boolean {
    if (!this.#addHead(TAGS.number, 0)) return false;
    this.#makeRoom(NUMBER);
    this.#at = buffer.writeDoubleLE(number, this.#at);
    return true;
  }

  #addBytes(bytes: Uint8Array): boolean {
    this.#left -= bytes.length;
    if (!this.#addHead(TAGS.bytes, bytes.length)) return false;
    this.#flush();
    this.#hash.update(bytes);
    return true;
  }

  #addText(text: string): boolean {
    const { length } = text;
    this.#left -= length;
    if (!this.#addHead(TAGS.text, length)) return false;
    if (length > buffer.length / BYTES_PER_UNIT) {
      this.#flush();
      this.#hash.update(text);
      return text.isWellFormed();
    }
    this.#makeRoom(length * BYTES_PER_UNIT);
    const bytes = length > SHORT ? buffer.write(text, this.#at) : this.#copy(text);
    this.#at += bytes;
    // ASCII has as many bytes as characters.
    return bytes === length || text.isWellFormed();
  }

  /** Writes a short text, and returns how many bytes it takes. */
  #copy(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) return buffer.write(text, this.#at);
      buffer[this.#at + at] = unit;
    }
    return text.length;
  }

  /** Adds what comes next; false if it is too much. */
  #addHead(tag: number, length: number): boolean {
    this.#left -= 1;
    if (this.#left < 0) return false;
    this.#makeRoom(HEAD);
    const at = this.#at;
    buffer[at] = tag;
    buffer[at + 1] = length;
    buffer[at + 2] = length >>> 8;
    buffer[at + 3] = length >>> 16;
    buffer[at + 4] = length >>> 24;
    this.#at = at + HEAD;
    return true;
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes > buffer.length) this.#flush();
  }

  #flush(): void {
    this.#hash.update(buffer.subarray(0, this.#at));
    this.#at = 0;
  }
}
