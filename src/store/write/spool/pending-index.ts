import type { PendingFacts } from "../../types/pending-inference.ts";
import { PendingBlock, toIdWords } from "./pending-block.ts";
import type { Position, SpoolPlace } from "./position.ts";

/** An entry that the disk did not take. */
interface MemoryPlace {
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/** An inference on its way. */
interface Pending extends PendingFacts {
  readonly place: SpoolPlace | MemoryPlace;
}

/**
 * The inferences on their way, by id. Holds no bodies of those that are on the disk: they take 36 bytes each, since a
 * database that is away for long may leave a million of them. All are in the order of writing.
 */
export class PendingIndex {
  /** The oldest first. */
  #blocks: PendingBlock[] = [];
  readonly #direct = new Map<string, PendingFacts & { readonly place: MemoryPlace }>();

  get size(): number {
    return this.#blocks.reduce((sum, block) => sum + block.size, this.#direct.size);
  }

  /** Adds an inference by its id. One that is no UUID is of no use to whoever might ask, and is passed over. */
  addSpooled(id: string, facts: PendingFacts, place: SpoolPlace): void {
    const words = toIdWords(id);
    if (words === undefined) return;
    let newest = this.#blocks.at(-1);
    if (newest === undefined || newest.isFull) {
      newest = new PendingBlock();
      this.#blocks.push(newest);
    }
    newest.add(words, facts, place);
  }

  addDirect(id: string, { projectId, model, workload }: PendingFacts, place: MemoryPlace): void {
    this.#direct.delete(id);
    this.#direct.set(id, { projectId, model, workload, place });
  }

  find(id: string): Pending | undefined {
    const words = toIdWords(id);
    // The newest first: feedback is on what has just ended.
    for (let at = this.#blocks.length - 1; words !== undefined && at >= 0; at--) {
      const found = this.#blocks[at]?.find(words);
      if (found !== undefined) return found;
    }
    return this.#direct.get(id);
  }

  /**
   * Forgets what is written: all of the spool before `through`, and direct entries up to a sequence, whose ids it
   * returns.
   */
  settle(through: Position, directThrough: number): string[] {
    const firstLeft = this.#blocks.findIndex((block) => !block.settle(through));
    const settled = this.#blocks.splice(0, firstLeft === -1 ? this.#blocks.length : firstLeft);
    const [reusable] = settled;
    // To make a block takes longer than to clear it, and most of the time there is one.
    if (this.#blocks.length === 0 && reusable !== undefined) this.#blocks.push(reusable.cleared());
    const written: string[] = [];
    for (const [id, { place }] of this.#direct) {
      if (place.sequence > directThrough) break;
      this.#direct.delete(id);
      written.push(id);
    }
    return written;
  }
}
