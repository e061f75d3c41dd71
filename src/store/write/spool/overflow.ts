import type { DirectItem } from "./drain.ts";

/** Bytes that may wait in memory. */
const MAX_BYTES = 64 * 2 ** 20;

/** Entries that the disk did not take, in memory until they are written. */
export class Overflow {
  readonly #items = new Map<number, DirectItem>();
  #bytes = 0;
  #lastSequence = 0;

  get size(): number {
    return this.#items.size;
  }

  /** Returns whether there is less than half of the room left, which is for what is under way. */
  get isFull(): boolean {
    return this.#bytes > MAX_BYTES / 2;
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** Takes an entry; undefined if there is no room. */
  add(payload: Uint8Array): DirectItem | undefined {
    if (this.#bytes + payload.length > MAX_BYTES) return undefined;
    this.#lastSequence += 1;
    const item = { sequence: this.#lastSequence, payload };
    this.#items.set(item.sequence, item);
    this.#bytes += payload.length;
    return item;
  }

  /** Entries up to `sequence` are written. */
  settle(sequence: number): void {
    for (const item of this.#items.values()) {
      if (item.sequence > sequence) break;
      this.#items.delete(item.sequence);
      this.#bytes -= item.payload.length;
    }
  }
}
