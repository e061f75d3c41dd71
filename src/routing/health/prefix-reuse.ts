/** The lifetime of an entry in a prompt cache that nobody reads again. */
const LIFETIME_MS = 5 * 60_000;

/** Prefixes that are remembered; those that came least recently go first. */
const MOST_PREFIXES = 20_000;
/** Groups of prefixes that are remembered. */
const MOST_GROUPS = 2000;

/** Weight of the latest arrival, for one prefix and for all of a group. */
const PREFIX_WEIGHT = 0.3;
const GROUP_WEIGHT = 0.05;

/** A prefix of prompts that arrives. */
export interface PrefixArrival {
  /** The key of requests that begin alike. */
  readonly key: number;
  /** The group of prefixes whose reuse predicts each other's. */
  readonly group: string;
  /** The rate that is expected of a group of which nothing is known. */
  readonly prior: number;
}

interface SeenPrefix {
  readonly atMs: number;
  readonly rate: number;
}

/**
 * Learns how often prefixes of prompts come again while a cache would still hold them. A prefix that is new is expected
 * to do as those of its group did; one that is known, as it did itself.
 */
export class PrefixReuse {
  readonly #now: () => number;
  readonly #prefixes = new Map<number, SeenPrefix>();
  readonly #groups = new Map<string, number>();

  /** `now` is a steady clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes note of an arrival, and returns the part of such prefixes that comes again in time, 0 to 1. */
  arrived({ key, group, prior }: PrefixArrival): number {
    const atMs = this.#now();
    const seen = this.#prefixes.get(key);
    const expected = this.#groups.get(group) ?? prior;
    const isReuse = seen !== undefined && atMs - seen.atMs <= LIFETIME_MS;
    const rate = seen === undefined ? expected : towards(seen.rate, isReuse, PREFIX_WEIGHT);
    putLast(this.#prefixes, key, { atMs, rate }, MOST_PREFIXES);
    putLast(this.#groups, group, towards(expected, isReuse, GROUP_WEIGHT), MOST_GROUPS);
    return rate;
  }

  /** Returns the number of remembered prefixes. */
  get size(): number {
    return this.#prefixes.size;
  }
}

function towards(rate: number, isReuse: boolean, weight: number): number {
  return rate + weight * (Number(isReuse) - rate);
}

function putLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
