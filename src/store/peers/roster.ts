/** Times of a roster, in milliseconds. */
interface RosterTimes {
  /** A process that was not heard for so long is not waited for. */
  readonly silentMs: number;
  /** One that was not heard for so long is no longer there. */
  readonly forgetMs: number;
  /** The same for one whose connection broke: what it left is taken over meanwhile. */
  readonly lostMs: number;
}

const TIMES: RosterTimes = { silentMs: 15_000, forgetMs: 60_000, lostMs: 15_000 };
/** More are not kept: there are never so many. */
const MOST = 1000;

interface Entry {
  readonly heardAtMs: number;
  readonly isSilent: boolean;
  readonly forgetAtMs: number;
}

/**
 * The processes on a database beside this one. One that does not answer is not waited for until it is heard again;
 * while it may still be there, nobody can be sure of what it has.
 */
export class Roster {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  readonly #times: RosterTimes;

  /** `now` is a monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now(), times: Partial<RosterTimes> = {}) {
    this.#now = now;
    this.#times = { ...TIMES, ...times };
  }

  /** A process is there. */
  heard(name: string): void {
    if (!this.#entries.has(name) && this.#entries.size >= MOST) return;
    const heardAtMs = this.#now();
    this.#entries.set(name, { heardAtMs, isSilent: false, forgetAtMs: heardAtMs + this.#times.forgetMs });
  }

  /** A process did not answer. Returns whether that is new. */
  silent(name: string): boolean {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.isSilent) return false;
    this.#entries.set(name, { ...entry, isSilent: true });
    return true;
  }

  /** A process is gone that did not say so. */
  lost(name: string): void {
    const entry = this.#entries.get(name);
    const forgetAtMs = this.#now() + this.#times.lostMs;
    if (entry !== undefined) this.#entries.set(name, { ...entry, isSilent: true, forgetAtMs });
  }

  /** A process said that it ends. */
  left(name: string): void {
    this.#entries.delete(name);
  }

  /** The processes that answer. */
  answering(): string[] {
    const sinceMs = this.#now() - this.#times.silentMs;
    return this.#current()
      .filter(([, { isSilent, heardAtMs }]) => !isSilent && heardAtMs >= sinceMs)
      .map(([name]) => name);
  }

  /** Returns whether some process may be there that does not answer. */
  get hasSilent(): boolean {
    return this.answering().length < this.#current().length;
  }

  #current(): (readonly [string, Entry])[] {
    const now = this.#now();
    for (const [name, { forgetAtMs }] of this.#entries) {
      if (forgetAtMs < now) this.#entries.delete(name);
    }
    return [...this.#entries];
  }
}
