/** The longest time that a process which begins waits to be able to hear others. */
const OPENING_MS = 2000;

/** The beginning of a process beside others: until it is over, neither side knows of the other for sure. */
export class Greeting {
  readonly #opened = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #greetingMs: number;

  constructor(greetingMs: number) {
    this.#greetingMs = greetingMs;
    setTimeout(() => this.end(), OPENING_MS).unref();
  }

  /** Resolves once the others were told that this process is there; after two seconds where that cannot be done. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Resolves once the others have also had the time to say that they are there. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Others can be heard. */
  noteOpen(): void {
    // A timer may go off a millisecond before its time by the clock that others compare with.
    setTimeout(this.#over.resolve, this.#greetingMs + 1).unref();
  }

  /** A message of this process has come back to it. */
  noteEcho(): void {
    this.#opened.resolve();
  }

  end(): void {
    this.#opened.resolve();
    this.#over.resolve();
  }
}
