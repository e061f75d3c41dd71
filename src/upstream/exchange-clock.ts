import { Slots, type Slotted } from "../lib/slots.ts";

/** Something under way that has limits of time. */
export interface Timed extends Slotted {
  /** Looks whether a limit has passed. */
  tick(): void;
}

const MOST_TICK_MS = 250;
const LEAST_TICK_MS = 5;
/** Ticks of the shortest limit, so that it is exceeded by a quarter of it at most. */
const TICKS = 8;

/**
 * One clock for all that is under way, in place of timers of each: most of what has a limit ends long before it. A limit is never found
 * too early, and two ticks too late at most. Time in which this process was held up does not count as silence of others.
 */
export class ExchangeClock {
  readonly #held = new Slots<Timed>();
  readonly #tickMs: number;
  #timer: NodeJS.Timeout | undefined;
  #now = 0;

  /** `limitsMs` are those that are asked for. */
  constructor(limitsMs: readonly number[]) {
    this.#tickMs = Math.max(LEAST_TICK_MS, Math.min(MOST_TICK_MS, ...limitsMs.map((limit) => limit / TICKS)));
  }

  /** Ticks so far. */
  get now(): number {
    return this.#now;
  }

  /** Whether more than `limitMs` have passed since `now` was what it was then. */
  hasPassed(limitMs: number, since: number): boolean {
    // The moment may have been just before the next tick.
    return this.#now - since > Math.ceil(limitMs / this.#tickMs);
  }

  add(item: Timed): void {
    this.#held.add(item);
    // What is waited for has a socket, which keeps the process alive.
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  /** Does nothing for what is not held. */
  remove(item: Timed): void {
    this.#held.remove(item);
  }

  #tick(): void {
    this.#now += 1;
    for (const item of this.#held.all()) item.tick();
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
