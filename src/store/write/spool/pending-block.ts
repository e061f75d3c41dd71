import type { PendingFacts } from "../../types/pending-inference.ts";
import { isReached, type Position, type SpoolPlace } from "./position.ts";

/** Inferences of one block. */
const CAPACITY = 4096;
/** Twice as many, so that few ids meet; a power of two. */
const TABLE = 2 * CAPACITY;
const ID_WORDS = 4;
/** Segment, offset, length, number of the facts. */
const PLACE_WORDS = 4;
const UUID_CHARACTERS = 36;
const HYPHENS = [8, 13, 18, 23];
const HYPHEN = 0x2d;

/** A UUID as four numbers of 32 bits. */
type IdWords = readonly [number, number, number, number];

/** A part of the inferences on their way, in the order of writing, without an object for each. */
export class PendingBlock {
  readonly #ids = new Uint32Array(CAPACITY * ID_WORDS);
  readonly #places = new Uint32Array(CAPACITY * PLACE_WORDS);
  /** Index of an inference plus one, at the last word of its id or behind it, where that is taken; 0 is free. */
  readonly #table = new Uint16Array(TABLE);
  /** Many inferences have the same. */
  #facts: PendingFacts[] = [];
  #numberOfFacts = new Map<string, number>();
  /** Number of those that were asked for last: most often the next inference has them too. */
  #latestNumber = -1;
  #settled = 0;
  #end = 0;
  /** Bounds of the first words, which are times: most of who asks means another time. */
  #earliest = Number.POSITIVE_INFINITY;
  #latest = Number.NEGATIVE_INFINITY;

  get size(): number {
    return this.#end - this.#settled;
  }

  get isFull(): boolean {
    return this.#end === CAPACITY;
  }

  /** Adds an inference. Throws an Error if the block is full. */
  add(id: IdWords, facts: PendingFacts, { segment, offset, length }: SpoolPlace): void {
    if (this.isFull) throw new Error("the block is full");
    const index = this.#end;
    this.#end += 1;
    this.#earliest = Math.min(this.#earliest, id[0]);
    this.#latest = Math.max(this.#latest, id[0]);
    this.#ids.set(id, index * ID_WORDS);
    this.#places.set([segment, offset, length, this.#numberOf(facts)], index * PLACE_WORDS);
    // One that is offered again is known by its later place.
    this.#table[this.#slotOf(id)] = index + 1;
  }

  find(id: IdWords): (PendingFacts & { readonly place: SpoolPlace }) | undefined {
    if (id[0] < this.#earliest || id[0] > this.#latest) return undefined;
    const index = (this.#table[this.#slotOf(id)] ?? 0) - 1;
    if (index < this.#settled) return undefined;
    const place = this.#placeAt(index);
    const facts = this.#facts[this.#places[index * PLACE_WORDS + 3] ?? 0];
    return facts && { ...facts, place };
  }

  /** Forgets what is before `through`; returns whether nothing is left. */
  settle(through: Position): boolean {
    while (this.#settled < this.#end) {
      const { segment, offset, length } = this.#placeAt(this.#settled);
      if (!isReached({ segment, offset: offset + length }, through)) return false;
      this.#settled += 1;
    }
    return true;
  }

  /** Returns this block without anything in it. */
  cleared(): this {
    this.#table.fill(0);
    this.#facts = [];
    this.#numberOfFacts = new Map();
    this.#latestNumber = -1;
    this.#settled = 0;
    this.#end = 0;
    this.#earliest = Number.POSITIVE_INFINITY;
    this.#latest = Number.NEGATIVE_INFINITY;
    return this;
  }

  #placeAt(index: number): SpoolPlace {
    const [segment = 0, offset = 0, length = 0] = this.#places.subarray(index * PLACE_WORDS, (index + 1) * PLACE_WORDS);
    return { segment, offset, length };
  }

  /** Returns where the id is in the table, or where it would be. */
  #slotOf(id: IdWords): number {
    for (let slot = id[3] % TABLE; ; slot = (slot + 1) % TABLE) {
      const index = (this.#table[slot] ?? 0) - 1;
      if (index === -1 || this.#isAt(index, id)) return slot;
    }
  }

  #isAt(index: number, id: IdWords): boolean {
    const at = index * ID_WORDS;
    // The last word is the one of chance.
    const isLast = this.#ids[at + 3] === id[3] && this.#ids[at + 2] === id[2];
    return isLast && this.#ids[at + 1] === id[1] && this.#ids[at] === id[0];
  }

  #numberOf(facts: PendingFacts): number {
    const latest = this.#facts[this.#latestNumber];
    if (latest === undefined || !areSame(latest, facts)) this.#latestNumber = this.#lookUp(facts);
    return this.#latestNumber;
  }

  #lookUp({ projectId, model, workload }: PendingFacts): number {
    const key = JSON.stringify([projectId, model, workload]);
    const known = this.#numberOfFacts.get(key);
    if (known !== undefined) return known;
    this.#numberOfFacts.set(key, this.#facts.length);
    return this.#facts.push({ projectId, model, workload }) - 1;
  }
}

function areSame(one: PendingFacts, other: PendingFacts): boolean {
  return one.model === other.model && one.projectId === other.projectId && one.workload === other.workload;
}

function hasHyphens(id: string): boolean {
  for (const at of HYPHENS) if (id.charCodeAt(at) !== HYPHEN) return false;
  return true;
}

/** Returns a UUID as numbers; undefined for any other text. */
export function toIdWords(id: string): IdWords | undefined {
  if (id.length !== UUID_CHARACTERS || !hasHyphens(id)) return undefined;
  const a = hexAt(id, 0, 8);
  const b = hexAt(id, 9, 4) * 2 ** 16 + hexAt(id, 14, 4);
  const c = hexAt(id, 19, 4) * 2 ** 16 + hexAt(id, 24, 4);
  const d = hexAt(id, 28, 8);
  return Number.isNaN(a + b + c + d) ? undefined : [a, b, c, d];
}

/**
 * Returns the number that hexadecimal digits stand for; NaN for other characters. An expression and its parts take six
 * times as long.
 */
function hexAt(text: string, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at++) {
    const code = text.charCodeAt(at);
    const lower = code | 0x20;
    if (code >= 0x30 && code <= 0x39) value = value * 16 + code - 0x30;
    else value = lower >= 0x61 && lower <= 0x66 ? value * 16 + lower - 0x57 : Number.NaN;
  }
  return value;
}
