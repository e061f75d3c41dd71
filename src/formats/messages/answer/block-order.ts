import type { JsonObject } from "../../shared/json.ts";

/**
 * Puts the events of blocks that overlap in order: the hub's blocks come one after another, and events of a later block
 * wait until the open one has ended. Events without an index belong to the open block.
 */
export class BlockOrder {
  #open: unknown;
  /** Events by block, in the order in which the blocks began. */
  readonly #waiting = new Map<unknown, JsonObject[]>();

  /** Keeps the event if it has to wait; returns whether it does. */
  holds(event: JsonObject): boolean {
    const { index, type } = event;
    if (this.#open === undefined || typeof index !== "number" || index === this.#open) return false;
    const waiting = this.#waiting.get(index);
    if (waiting !== undefined) waiting.push(event);
    else if (type === "content_block_start") this.#waiting.set(index, [event]);
    else return false;
    return true;
  }

  /** Says that a block begins. */
  begin(index: unknown): void {
    this.#open = index;
  }

  /** Says that the open block has ended. */
  end(): void {
    this.#open = undefined;
  }

  /** Returns the events of the block that began first of those that wait, and forgets them; undefined if none does. */
  next(): readonly JsonObject[] | undefined {
    for (const [index, events] of this.#waiting) {
      this.#waiting.delete(index);
      return events;
    }
    return undefined;
  }
}
