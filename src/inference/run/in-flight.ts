import { ErrorReason, InferenceError } from "../../hub/error.ts";

/** The facts of a running inference. */
export interface InFlightFacts {
  readonly projectId: string;
  /** Model without the prefix. */
  readonly model: string;
  readonly workload: string;
}

interface Entry {
  readonly id: string;
  readonly facts: InFlightFacts;
  readonly breakOff: ((error: InferenceError) => void) | undefined;
  /** Called when it has ended. */
  readonly waiting: (() => void)[];
}

/** The time limit for aborted inferences to end. */
const LAST_RECORDS_MS = 2000;

/**
 * The inferences that are under way in this process: their ids are out, their records are not yet made. A map that
 * entries come to and go from is copied again and again, and each copy that was left holds what was in it until the
 * next full collection: here that is no more than ids and numbers.
 */
export class InFlight {
  /** Without holes. */
  readonly #entries: Entry[] = [];
  /** The index of each in the list. */
  readonly #places = new Map<string, number>();

  /** An inference has begun; `breakOff` has it fail. */
  add(id: string, facts: InFlightFacts, breakOff?: (error: InferenceError) => void): void {
    this.#places.set(id, this.#entries.length);
    this.#entries.push({ id, facts, breakOff, waiting: [] });
  }

  /** Has every inference that is under way fail with this error. */
  breakOff(error: InferenceError): void {
    // Those that end at once take themselves out of the list.
    for (const { id, breakOff } of [...this.#entries]) if (this.#places.has(id)) breakOff?.(error);
  }

  /** Its record was handed to the recorder. */
  delete(id: string): void {
    const place = this.#places.get(id);
    const last = this.#entries.at(-1);
    if (place === undefined || last === undefined) return;
    const entry = this.#entries[place];
    // The last one takes its place.
    this.#entries[place] = last;
    this.#places.set(last.id, place);
    this.#entries.pop();
    this.#places.delete(id);
    for (const wake of entry?.waiting ?? []) wake();
  }

  /** Finds an inference that is under way. */
  find(id: string): InFlightFacts | undefined {
    return this.#entryOf(id)?.facts;
  }

  /** Resolves once an inference is no longer under way, or when the time is over. */
  async ended(id: string, timeoutMs: number): Promise<void> {
    const waiting = this.#entryOf(id)?.waiting;
    if (waiting === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    const timer = setTimeout(resolve, timeoutMs);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Resolves once none is under way, or when the time is over. */
  async allEnded(timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.size > 0 && performance.now() < deadline) {
      const [entry] = this.#entries;
      if (entry !== undefined) await this.ended(entry.id, deadline - performance.now());
    }
  }

  /** Resolves once all have ended that are under way now; later ones are not waited for. */
  async thoseEnded(): Promise<void> {
    await Promise.all(this.#entries.map(({ waiting }) => new Promise<void>((resolve) => waiting.push(resolve))));
  }

  /**
   * Resolves when none is under way any more, or their time is over. What is made in the background has no connection
   * that was waited for: it may go on until the deadline, as performance.now() has it, and is then broken off.
   */
  async end(deadlineMs: number, error: InferenceError): Promise<void> {
    await this.allEnded(Math.max(0, deadlineMs - performance.now()));
    this.breakOff(error);
    // The connections of all others are gone; their records are not yet made.
    await this.allEnded(LAST_RECORDS_MS);
  }

  /** Returns the number of running inferences. */
  get size(): number {
    return this.#entries.length;
  }

  #entryOf(id: string): Entry | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#entries[place];
  }
}

/** Returns the error of an inference that the end of the process aborted. */
export function endingError(): InferenceError {
  const message = "the service is stopping, and interrupted the answer: send the request again";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000 });
}
