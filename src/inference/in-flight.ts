import { ErrorReason, InferenceError } from "./error.ts";

/** What is known of an inference that is under way. */
export interface InFlightFacts {
  readonly projectId: string;
  /** Model without the prefix. */
  readonly model: string;
  readonly workload: string;
}

interface Entry {
  readonly facts: InFlightFacts;
  readonly breakOff: ((error: InferenceError) => void) | undefined;
  /** Called when it has ended. */
  readonly waiting: (() => void)[];
}

/** How long inferences that were broken off may take to end. */
const LAST_RECORDS_MS = 2000;

/** The inferences that are under way in this process: their ids are out, their records are not yet made. */
export class InFlight {
  readonly #entries = new Map<string, Entry>();

  /** An inference has begun; `breakOff` has it fail. */
  add(id: string, facts: InFlightFacts, breakOff?: (error: InferenceError) => void): void {
    this.#entries.set(id, { facts, breakOff, waiting: [] });
  }

  /** Has every inference that is under way fail with this error. */
  breakOff(error: InferenceError): void {
    for (const entry of this.#entries.values()) entry.breakOff?.(error);
  }

  /** Its record was handed to the recorder. */
  delete(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    for (const wake of entry?.waiting ?? []) wake();
  }

  /** Finds an inference that is under way. */
  find(id: string): InFlightFacts | undefined {
    return this.#entries.get(id)?.facts;
  }

  /** Resolves once an inference is no longer under way, or when the time is over. */
  async ended(id: string, timeoutMs: number): Promise<void> {
    const waiting = this.#entries.get(id)?.waiting;
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
      const [id] = this.#entries.keys();
      if (id !== undefined) await this.ended(id, deadline - performance.now());
    }
  }

  /**
   * Resolves when none is under way any more, or their time is over. What is made in the background has no connection that was waited
   * for: it may go on until the deadline, as performance.now() has it, and is then broken off.
   */
  async end(deadlineMs: number, error: InferenceError): Promise<void> {
    await this.allEnded(Math.max(0, deadlineMs - performance.now()));
    this.breakOff(error);
    // The connections of all others are gone; their records are not yet made.
    await this.allEnded(LAST_RECORDS_MS);
  }

  /** How many are under way. */
  get size(): number {
    return this.#entries.size;
  }
}

/** What is told of an inference that the end of the process broke off. */
export function endingError(): InferenceError {
  const message = "the service ends, and broke off the answer: send the request again";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000 });
}
