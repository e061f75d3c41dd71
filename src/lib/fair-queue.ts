/**
 * Items that wait, each for an owner. Owners are served in turn, so that whoever has many waiting delays others by one
 * at a time.
 */
export class FairQueue<Item> {
  readonly #maxOfOwner: number;
  readonly #max: number;
  /** The first owner is served next. */
  readonly #owners = new Map<string, Set<Item>>();
  #size = 0;

  /** `maxOfOwner` items of one owner may wait, and `max` of all. */
  constructor(maxOfOwner: number, max: number) {
    this.#maxOfOwner = maxOfOwner;
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item behind the others of its owner; returns false where too many wait. */
  push(owner: string, item: Item): boolean {
    const items = this.#owners.get(owner) ?? new Set();
    if (this.#size >= this.#max || items.size >= this.#maxOfOwner) return false;
    items.add(item);
    this.#owners.set(owner, items);
    this.#size += 1;
    return true;
  }

  /** Removes the next item and returns it. */
  shift(): Item | undefined {
    for (const [owner, items] of this.#owners) {
      for (const item of items) {
        this.delete(owner, item);
        // Behind all others.
        if (this.#owners.delete(owner)) this.#owners.set(owner, items);
        return item;
      }
    }
    return undefined;
  }

  /** Removes an item; returns false where it waits no more. */
  delete(owner: string, item: Item): boolean {
    const items = this.#owners.get(owner);
    if (items?.delete(item) !== true) return false;
    this.#size -= 1;
    if (items.size === 0) this.#owners.delete(owner);
    return true;
  }

  /** Removes all items, or those of one owner, and returns them. */
  clear(owner?: string): Item[] {
    const owners = owner === undefined ? [...this.#owners.keys()] : [owner];
    const items = owners.flatMap((each) => [...(this.#owners.get(each) ?? [])]);
    for (const each of owners) this.#owners.delete(each);
    this.#size -= items.length;
    return items;
  }
}
