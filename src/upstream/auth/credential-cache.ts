/** Something that calls are signed with. */
export interface Credential {
  /** The end of its validity by the clock, in milliseconds; infinite if it has none. */
  readonly expiresAtMs: number;
}

/**
 * A credential is renewed so long before its end, in the background. Metadata servers have the next one from 5 minutes
 * on.
 */
const AHEAD_MS = 240_000;
/** One that ends sooner is not used any more: the call takes time, and clocks differ. */
const LEAST_MS = 10_000;
/** Renewals are so far apart, also where each fails or brings what was there. */
const PAUSE_MS = 30_000;
/** A failure is told for so long to those who ask. */
const FAILURE_MS = 1000;

/** Keeps a credential for all calls of an upstream; several who wait for one share the question for it. */
export class CredentialCache<T extends Credential> {
  readonly #ask: () => Promise<T>;
  readonly #now: () => number;
  #current: T | undefined;
  #requestedAtMs = Number.NEGATIVE_INFINITY;
  /** True where the current one was over when it came: the clock of this host is ahead, and says nothing of its end. */
  #isClockAhead = false;
  #asking: Promise<T> | undefined;
  #failure: { readonly thrown: unknown; readonly atMs: number } | undefined;

  /** `ask` gets a credential, within a limit of time of its own. */
  constructor(ask: () => Promise<T>, now: () => number = Date.now) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Returns the credential, at once where one is held. Rejects with what asking for one threw. */
  get(): T | Promise<T> {
    const now = this.#now();
    const leftMs = (this.#current?.expiresAtMs ?? 0) - now;
    const isTaken = leftMs > LEAST_MS || (this.#isClockAhead && this.#isWithin(PAUSE_MS, this.#requestedAtMs));
    if (this.#current !== undefined && isTaken) {
      if (leftMs < AHEAD_MS && !this.#isWithin(PAUSE_MS, this.#requestedAtMs)) this.#renew().catch(() => {});
      return this.#current;
    }
    if (this.#failure !== undefined && this.#isWithin(FAILURE_MS, this.#failure.atMs)) {
      return Promise.reject(this.#failure.thrown);
    }
    return this.#renew();
  }

  /**
   * Gets another credential in place of a refused one; returns whether there is one. One that was asked for just now is
   * not asked for again: its refusal is no matter of its age.
   */
  async replace(refused: T): Promise<boolean> {
    const isRecent = this.#isWithin(PAUSE_MS, this.#requestedAtMs);
    if (this.#asking === undefined && isRecent) return this.#current !== undefined && this.#current !== refused;
    try {
      return (await this.#renew()) !== refused;
    } catch {
      return false;
    }
  }

  /**
   * Returns whether a time is less than a span ago. One that is to come was told by a clock that was set back since.
   */
  #isWithin(spanMs: number, atMs: number): boolean {
    const agoMs = this.#now() - atMs;
    return agoMs >= 0 && agoMs < spanMs;
  }

  #renew(): Promise<T> {
    this.#asking ??= this.#askOnce().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #askOnce(): Promise<T> {
    this.#requestedAtMs = this.#now();
    try {
      this.#current = await this.#ask();
      this.#isClockAhead = this.#current.expiresAtMs - this.#now() <= LEAST_MS;
      this.#failure = undefined;
      return this.#current;
    } catch (thrown) {
      this.#failure = { thrown, atMs: this.#now() };
      throw thrown;
    }
  }
}
