/** The index of the family that holds what has no place of its own any more. */
export const REST = 0;

/**
 * Gives prompt families the numbers that arrays are read by. At most `limit` of them have one: the one that was least
 * recently seen then joins the rest, number 0, and its number goes to the newcomer.
 */
export class Families {
  /** From the least to the most recently seen. */
  readonly #numbers = new Map<string, number>();
  readonly #limit: number;
  /** The name that was seen last: it is at the end, unless it was removed. */
  #latest: string | undefined;

  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1)
      throw new RangeError("the limit of families must be a whole number above 0");
    this.#limit = limit;
  }

  /** Numbers in use, that of the rest included. */
  get size(): number {
    return this.#numbers.size + 1;
  }

  /** The families that have a number, from the least to the most recently seen. */
  entries(): IterableIterator<[name: string, number: number]> {
    return this.#numbers.entries();
  }

  /** Returns a family's number; undefined if it has none. Nothing is changed. */
  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /**
   * Returns a family's number, giving it one if it has none. `onMerge` is told of the family that joins the rest for
   * it, first.
   */
  see(name: string, onMerge: (number: number) => void): number {
    const known = this.#numbers.get(name);
    // To move the same one again and again would have the map copied every few requests, among the old objects.
    if (known !== undefined && name === this.#latest) return known;
    this.#latest = name;
    if (known !== undefined) {
      this.#numbers.delete(name);
      this.#numbers.set(name, known);
      return known;
    }
    const number = this.#numbers.size < this.#limit ? this.#numbers.size + 1 : this.#release(onMerge);
    this.#numbers.set(name, number);
    return number;
  }

  /**
   * Takes the number of a family away, and gives it to the family with the last number, so that none is left out.
   * Returns both numbers; undefined if it has none.
   */
  remove(name: string): { readonly freed: number; readonly last: number } | undefined {
    const freed = this.#numbers.get(name);
    if (freed === undefined) return undefined;
    const last = this.#numbers.size;
    this.#numbers.delete(name);
    for (const [other, number] of this.#numbers) if (number === last) this.#numbers.set(other, freed);
    return { freed, last };
  }

  /**
   * Takes on families with their numbers; returns false, and takes none, if they cannot be those that were once given.
   */
  restore(entries: readonly (readonly [name: string, number: number])[]): boolean {
    const numbers = new Set(entries.map(([, number]) => number));
    const names = new Set(entries.map(([name]) => name));
    const isSound = entries.every(
      ([, number]) => Number.isInteger(number) && number > REST && number <= entries.length,
    );
    if (!isSound || numbers.size < entries.length || names.size < entries.length || entries.length > this.#limit)
      return false;
    this.#numbers.clear();
    this.#latest = undefined;
    for (const [name, number] of entries) this.#numbers.set(name, number);
    return true;
  }

  #release(onMerge: (number: number) => void): number {
    for (const [name, number] of this.#numbers) {
      onMerge(number);
      this.#numbers.delete(name);
      return number;
    }
    return REST;
  }
}
