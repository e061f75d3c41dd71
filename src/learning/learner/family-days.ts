import { wholeFamily } from "../bandit/cluster-id.ts";

/**
 * Days with calls of a workload, none of them of a family, after which the family has ended: an experiment, or a prompt
 * that is not in use any more. What is asked once a month stays.
 */
const ENDED_AFTER_DAYS = 60;
const DAY_MS = 86_400_000;
/** Families that are remembered between two days; those that were not called longest are forgotten first. */
const MOST_FAMILIES = 5000;

/** Days as plain JSON. */
export interface FamilyDaysSnapshot {
  /** Days on which the workload was called, and the last of them, in days since 1970. */
  readonly days: number;
  readonly last: number;
  /** The number of the day on which each family was called last, by its name without clusters. */
  readonly seen: Readonly<Record<string, number>>;
}

/** Counts the days on which a workload is called, and on which of them its families were. */
export class FamilyDays {
  #days: number;
  #last: number;
  readonly #seen: Map<string, number>;

  constructor({ days, last, seen }: FamilyDaysSnapshot = { days: 0, last: -1, seen: {} }) {
    this.#days = days;
    this.#last = last;
    this.#seen = new Map(Object.entries(seen));
  }

  /** Takes note of a call of a family. Returns true for the first call of a day. */
  note(family: string, atMs: number): boolean {
    const day = Math.floor(atMs / DAY_MS);
    const isNew = day > this.#last;
    if (isNew) {
      this.#days += 1;
      this.#last = day;
    }
    const whole = wholeFamily(family);
    this.#seen.delete(whole);
    this.#seen.set(whole, this.#days);
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= MOST_FAMILIES) break;
      this.#seen.delete(oldest);
    }
    return isNew;
  }

  /** Returns those of all families that have ended; one that was never noted counts as called today. */
  endedAmong(families: Iterable<string>): string[] {
    const wholes = new Map<string, string[]>();
    for (const name of families) wholes.set(wholeFamily(name), [...(wholes.get(wholeFamily(name)) ?? []), name]);
    for (const whole of this.#seen.keys()) if (!wholes.has(whole)) this.#seen.delete(whole);
    return [...wholes].flatMap(([whole, names]) => {
      const seen = this.#seen.get(whole) ?? this.#days;
      this.#seen.set(whole, seen);
      return this.#days - seen < ENDED_AFTER_DAYS ? [] : names;
    });
  }

  /** Returns what has to be remembered of some families: one that comes again later counts as called then. */
  toSnapshot(families: Iterable<string>): FamilyDaysSnapshot {
    const wholes = new Set(Array.from(families, wholeFamily));
    const seen = [...wholes].flatMap((whole) => {
      const day = this.#seen.get(whole);
      return day === undefined ? [] : [[whole, day] as const];
    });
    return { days: this.#days, last: this.#last, seen: Object.fromEntries(seen) };
  }
}
