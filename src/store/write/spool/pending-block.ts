import type { PendingFacts } from "../../types/pending-inference.ts";
import type { SpoolPlace } from "./position.ts";
import { isReached, type Position } from "./position.ts";

/** Inferences of one block. */
const CAPACITY = 4096;
/** Twice as many, so that few ids meet; a power of two. */
const TABLE = 2 * CAPACITY;
const ID_WORDS = 4;
/** Segment, offset, length, number of the facts. */
const PLACE_WORDS = 4;
const UUID = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})([0-9a-f]{8})$/i;

/** A UUID as four numbers of 32 bits. */
export type IdWords = readonly [number, number, number, number];

/** A part of the inferences on their way, in the order of writing, without an object for each. */
export class PendingBlock {
  readonly #ids = new Uint32Array(CAPACITY * ID_WORDS);
  readonly #places = new Uint32Array(CAPACITY * PLACE_WORDS);
  /** Index of an inference plus one, at the last word of its id or behind it, where that is taken; 0 is free. */
  readonly #table = new Uint16Array(TABLE);
  /** Many inferences have the same. */
  #facts: PendingFacts[] = [];
  #numberOfFacts = new Map<string, number>();
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

  #numberOf({ projectId, model, workload }: PendingFacts): number {
    const key = JSON.stringify([projectId, model, workload]);
    const known = this.#numberOfFacts.get(key);
    if (known !== undefined) return known;
    this.#numberOfFacts.set(key, this.#facts.length);
    return this.#facts.push({ projectId, model, workload }) - 1;
  }
}

/** Returns a UUID as numbers; undefined for any other text. */
export function toIdWords(id: string): IdWords | undefined {
  const [, a = "", b = "", c = "", d = "", e = "", f = ""] = UUID.exec(id) ?? [];
  if (a === "") return undefined;
  const parse = (digits: string) => Number.parseInt(digits, 16);
  return [parse(a), parse(b + c), parse(d + e), parse(f)];
}
