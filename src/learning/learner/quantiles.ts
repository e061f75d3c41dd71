/** Values that are told apart; with more, some are known by the values that they lie between. */
const BINS = 64;
/** Once so many are counted, all counts are halved by default: what is usual may change. */
const MOST_COUNTED = 4096;
/**
 * The part of the values near either end that a scale begins and ends with. Each of them counts for its share of it and
 * for no more.
 */
const END = 0.2;
/** The part of the values beyond either end: a tenth of hostile values is in no end. */
const BEYOND = 0.1;
/** The part of all values by which a value is held to be in the middle of those that are not equal to it. */
const EVEN = 0.05;

/** Values and how often each was seen, from the least to the greatest. */
export interface QuantilesSnapshot {
  readonly values: readonly number[];
  readonly counts: readonly number[];
  /** Counts of further values between each one and the one before. None if absent. */
  readonly below?: readonly number[];
  /** Counts of values further up that may be less than each one. None if absent. */
  readonly later?: readonly number[];
}

/**
 * A running estimate of how the values of a metric are distributed: up to 64 values with their counts, and the counts
 * of those between them (Greenwald and Khanna, SIGMOD 2001). It is exact while there are no more values than that. Then
 * the one goes whose going blurs ranks the least, so that in whatever order values come, a rank is off by some
 * hundredths at most.
 */
export class Quantiles {
  readonly #values: number[];
  readonly #counts: number[];
  readonly #below: number[];
  readonly #later: number[];
  readonly #most: number;
  #total: number;

  /** At `most` values all counts are halved. */
  constructor({ values, counts, below, later }: QuantilesSnapshot = { values: [], counts: [] }, most = MOST_COUNTED) {
    this.#most = most;
    this.#values = [...values];
    this.#counts = [...counts];
    this.#below = below === undefined ? values.map(() => 0) : [...below];
    this.#later = later === undefined ? values.map(() => 0) : [...later];
    this.#total = [...this.#counts, ...this.#below].reduce((sum, count) => sum + count, 0);
  }

  /** Values that were counted, as far as they are not halved. */
  get count(): number {
    return this.#total;
  }

  /** Returns which part of the values is below one, in 0 to 1: one half for the first of all. */
  rankOf(value: number): number {
    const at = this.#placeOf(value);
    let below = 0;
    for (let index = 0; index < at; index++) below += (this.#below[index] ?? 0) + (this.#counts[index] ?? 0);
    const isKnown = this.#values[at] === value;
    const [between = 0, later = 0] = [this.#below[at], this.#later[at]];
    below += isKnown ? between + later / 2 : (between + later) / 2;
    const equal = isKnown ? (this.#counts[at] ?? 0) : 0;
    return (below + equal / 2 + 0.5) / (this.#total + 1);
  }

  /**
   * Returns where a value lies between the least and the greatest usual ones, in 0 to 1: unlike ranks, it keeps
   * distances. It is the mean over all pairs of a value of the lower end and one of the upper end. Where all values are
   * equal, or there are none, it is the rank. Of n values, k move it by at most 12 k / n (docs/decisions/0106).
   */
  positionOf(value: number): number {
    if (this.#values.length < 2) return this.rankOf(value);
    const equal = this.#shareBelow(value);
    const most = END * this.#total;
    let sum = 0;
    let beyond = BEYOND * this.#total;
    let lowLeft = most;
    for (let low = 0; lowLeft > 0 && low < this.#values.length; low++) {
      const from = this.#values[low] ?? 0;
      // All ends from here on are above.
      if (value < from) break;
      const all = (this.#below[low] ?? 0) + (this.#counts[low] ?? 0);
      const skipped = Math.min(beyond, all);
      beyond -= skipped;
      const ofLow = Math.min(lowLeft, all - skipped);
      if (ofLow <= 0) continue;
      lowLeft -= ofLow;
      sum += ofLow * this.#shareOfUpperEnd(value, { from, most, equal });
    }
    return Math.min(1, sum / (most * most));
  }

  /** Returns which part of the values that are not equal to one is below it; one half while these are few. */
  #shareBelow(value: number): number {
    const at = this.#placeOf(value);
    const equal = this.#values[at] === value ? (this.#counts[at] ?? 0) : 0;
    const below = this.rankOf(value) * (this.#total + 1) - 0.5 - equal / 2;
    return (below + EVEN * this.#total) / (this.#total - equal + 2 * EVEN * this.#total);
  }

  /** Adds up how far a value is on the way from a lower end to each of the upper ends, which `most` values are. */
  #shareOfUpperEnd(
    value: number,
    { from, most, equal }: { readonly from: number; readonly most: number; readonly equal: number },
  ): number {
    let sum = 0;
    let beyond = BEYOND * this.#total;
    let left = most;
    // Halves: 1e308 less -1e308 is not finite. A value is not below the lower end here.
    const way = value / 2 - from / 2;
    const partOf = (to: number): number => {
      if (from >= to) return value === to ? equal : Number(value > to);
      if (value >= to) return 1;
      const whole = to / 2 - from / 2;
      // Halves of the least numbers that there are may be the same.
      return whole > 0 ? way / whole : 0;
    };
    for (let high = this.#values.length - 1; left > 0 && high >= 0; high--) {
      const to = this.#values[high] ?? 0;
      const [counted = 0, below = 0] = [this.#counts[high], this.#below[high]];
      const skipped = Math.min(beyond, counted);
      const skippedBelow = Math.min(beyond - skipped, below);
      beyond -= skipped + skippedBelow;
      const own = Math.min(left, counted - skipped);
      const between = Math.min(left - own, below - skippedBelow);
      left -= own + between;
      sum += own * partOf(to);
      // Nobody knows how far up they lie: no more than what is sure is held against the others.
      if (between > 0) sum += between * partOf(this.#values[high - 1] ?? to);
    }
    return sum;
  }

  /** Counts a finite value as so much of one. */
  add(value: number, weight = 1): void {
    const at = this.#placeOf(value);
    if (this.#values[at] === value) {
      this.#counts[at] = (this.#counts[at] ?? 0) + weight;
    } else {
      this.#later.splice(at, 0, (this.#below[at] ?? 0) + (this.#later[at] ?? 0));
      this.#values.splice(at, 0, value);
      this.#counts.splice(at, 0, weight);
      this.#below.splice(at, 0, 0);
      if (this.#values.length > BINS) this.#blur();
    }
    this.#total += weight;
    if (this.#total < this.#most) return;
    for (const numbers of [this.#counts, this.#below, this.#later]) {
      for (let index = 0; index < numbers.length; index++) numbers[index] = (numbers[index] ?? 0) / 2;
    }
    this.#total /= 2;
  }

  /** Takes a value off again, as far as it was not forgotten since. Of one that bins have blurred the place may be. */
  remove(value: number, weight = 1): void {
    const at = this.#placeOf(value);
    const from = this.#values[at] === value ? this.#counts : this.#below;
    const removed = Math.min(weight, from[at] ?? 0);
    if (removed === 0) return;
    from[at] = (from[at] ?? 0) - removed;
    this.#total -= removed;
    if (from === this.#below || (this.#counts[at] ?? 0) > 0) return;
    const isLast = at === this.#values.length - 1;
    if (isLast && (this.#below[at] ?? 0) > 0) return;
    if (!isLast) this.#below[at + 1] = (this.#below[at + 1] ?? 0) + (this.#below[at] ?? 0);
    for (const numbers of [this.#values, this.#counts, this.#below, this.#later]) numbers.splice(at, 1);
  }

  /** Returns the values of both, those of each counted as a part of what they are. */
  mixedWith(other: Quantiles, [ownPart, otherPart]: readonly [ownPart: number, otherPart: number]): Quantiles {
    const values: number[] = [];
    const counts: number[] = [];
    const below: number[] = [];
    const later: number[] = [];
    let [own, next] = [0, 0];
    while (own < this.#values.length || next < other.#values.length) {
      const [ofOwn, ofOther] = [this.#countAt(own), other.#countAt(next)];
      const value = Math.min(ofOwn.value, ofOther.value);
      const [isOwn, isOther] = [ofOwn.value === value, ofOther.value === value];
      values.push(value);
      counts.push((isOwn ? ownPart * ofOwn.count : 0) + (isOther ? otherPart * ofOther.count : 0));
      below.push((isOwn ? ownPart * ofOwn.below : 0) + (isOther ? otherPart * ofOther.below : 0));
      // Of a value that one of them does not know, what lies below its next one may be less.
      const ofBoth = (isOwn ? 0 : ownPart * ofOwn.below) + (isOther ? 0 : otherPart * ofOther.below);
      later.push(ofBoth + ownPart * ofOwn.later + otherPart * ofOther.later);
      own += Number(isOwn);
      next += Number(isOther);
    }
    return new Quantiles({ values, counts, below, later });
  }

  #countAt(at: number) {
    const [value = Number.POSITIVE_INFINITY, count = 0] = [this.#values[at], this.#counts[at]];
    const [below = 0, later = 0] = [this.#below[at], this.#later[at]];
    return { value, count, below, later };
  }

  toSnapshot(): QuantilesSnapshot {
    const known = { values: [...this.#values], counts: [...this.#counts] };
    const isExact = this.#below.every((count) => count === 0) && this.#later.every((count) => count === 0);
    return isExact ? known : { ...known, below: [...this.#below], later: [...this.#later] };
  }

  /** Position of the first value that is not below. */
  #placeOf(value: number): number {
    let low = 0;
    let high = this.#values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#values[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets a value: what is left of it is that it lies below the next one. The least and the greatest stay. */
  #blur(): void {
    let least = Number.POSITIVE_INFINITY;
    let at = 1;
    for (let index = 1; index + 1 < this.#values.length; index++) {
      const own = (this.#below[index] ?? 0) + (this.#counts[index] ?? 0);
      const blurred = own + (this.#below[index + 1] ?? 0) + (this.#later[index + 1] ?? 0);
      if (blurred >= least) continue;
      least = blurred;
      at = index;
    }
    const own = (this.#below[at] ?? 0) + (this.#counts[at] ?? 0);
    this.#below[at + 1] = (this.#below[at + 1] ?? 0) + own;
    for (const numbers of [this.#values, this.#counts, this.#below, this.#later]) numbers.splice(at, 1);
  }
}
