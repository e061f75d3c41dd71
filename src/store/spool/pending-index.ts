import { isReached, type Position } from "./position.ts";

/** What is known of an inference that is on its way to the database. */
export interface PendingFacts {
  readonly projectId: string;
  readonly model: string;
  readonly workload: string;
}

/** A frame in a segment. */
export interface SpoolPlace extends Position {
  readonly length: number;
}

/** An entry that the disk did not take. */
export interface MemoryPlace {
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/** An inference on its way. */
export interface Pending extends PendingFacts {
  readonly place: SpoolPlace | MemoryPlace;
}

/** The inferences on their way, by id. Holds no bodies of those that are on the disk. Both maps are in the order of writing. */
export class PendingIndex {
  readonly #spooled = new Map<string, PendingFacts & { readonly place: SpoolPlace }>();
  readonly #direct = new Map<string, PendingFacts & { readonly place: MemoryPlace }>();

  get size(): number {
    return this.#spooled.size + this.#direct.size;
  }

  addSpooled(id: string, { projectId, model, workload }: PendingFacts, place: SpoolPlace): void {
    // One that is offered again goes to the end.
    this.#spooled.delete(id);
    this.#spooled.set(id, { projectId, model, workload, place });
  }

  addDirect(id: string, { projectId, model, workload }: PendingFacts, place: MemoryPlace): void {
    this.#direct.delete(id);
    this.#direct.set(id, { projectId, model, workload, place });
  }

  find(id: string): Pending | undefined {
    return this.#spooled.get(id) ?? this.#direct.get(id);
  }

  /** Forgets what is written: all of the spool before `through`, and direct entries up to a sequence. */
  settle(through: Position, directThrough: number): void {
    for (const [id, { place }] of this.#spooled) {
      if (!isReached({ segment: place.segment, offset: place.offset + place.length }, through)) break;
      this.#spooled.delete(id);
    }
    for (const [id, { place }] of this.#direct) {
      if (place.sequence > directThrough) break;
      this.#direct.delete(id);
    }
  }
}
