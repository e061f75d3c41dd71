/** Values that are told apart; with more, neighbours share a bin. */
const BINS = 64;
/** Once so many are counted, all counts are halved: what is usual may change. */
const MOST_COUNTED = 4096;
/** The part of the values at either end that is not usual: they are no nearer to each other than to the usual ones. */
const UNUSUAL = 0.01;

/** Values and how often each was seen, from the least to the greatest. */
export interface QuantilesSnapshot {
  readonly values: readonly number[];
  readonly counts: readonly number[];
}

/**
 * A running estimate of how the values of a metric are distributed: up to 64 bins, each a value and its count. It is
 * exact while there are no more values than bins. Then the two neighbours that hold the least together become one, so
 * that all bins come to hold about as much, and a rank is off by some hundredths at most.
 */
export class Quantiles {
  readonly #values: number[];
  readonly #counts: number[];
  #total: number;

  constructor({ values, counts }: QuantilesSnapshot = { values: [], counts: [] }) {
    this.#values = [...values];
    this.#counts = [...counts];
    this.#total = counts.reduce((sum, count) => sum + count, 0);
  }

  /** Values that were counted, as far as they are not halved. */
  get count(): number {
    return this.#total;
  }

  /** Returns which part of the values is below one, in 0 to 1: one half for the first of all. */
  rankOf(value: number): number {
    const at = this.#placeOf(value);
    let below = 0;
    for (let index = 0; index < at; index++) below += this.#counts[index] ?? 0;
    const equal = this.#values[at] === value ? (this.#counts[at] ?? 0) : 0;
    return (below + equal / 2 + 0.5) / (this.#total + 1);
  }

  /**
   * Returns where a value lies between the least and the greatest usual one, in 0 to 1: unlike ranks, it keeps
   * distances. Where all values are equal, or there are none, it is the rank.
   */
  positionOf(value: number): number {
    const low = this.#quantile(UNUSUAL);
    const spread = this.#quantile(1 - UNUSUAL) - low;
    // Values of 1e308 and -1e308 have no spread that a number holds.
    if (!(spread > 0 && Number.isFinite(spread))) return this.rankOf(value);
    return Math.min(1, Math.max(0, (value - low) / spread));
  }

  /** Counts a finite value. */
  add(value: number): void {
    const at = this.#placeOf(value);
    if (this.#values[at] === value) {
      this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    } else {
      this.#values.splice(at, 0, value);
      this.#counts.splice(at, 0, 1);
      if (this.#values.length > BINS) this.#join();
    }
    this.#total += 1;
    if (this.#total < MOST_COUNTED) return;
    for (let index = 0; index < this.#counts.length; index++) this.#counts[index] = (this.#counts[index] ?? 0) / 2;
    this.#total /= 2;
  }

  toSnapshot(): QuantilesSnapshot {
    return { values: [...this.#values], counts: [...this.#counts] };
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

  /** The value that so great a part of the values is below: each bin is at its value, and the line leads on between. */
  #quantile(part: number): number {
    let below = 0;
    let before: { readonly value: number; readonly at: number } | undefined;
    for (const [index, value] of this.#values.entries()) {
      const count = this.#counts[index] ?? 0;
      const at = (below + count / 2) / this.#total;
      if (at >= part) {
        if (before === undefined) return value;
        const share = (part - before.at) / (at - before.at);
        return before.value * (1 - share) + value * share;
      }
      before = { value, at };
      below += count;
    }
    return before?.value ?? 0;
  }

  #join(): void {
    let least = Number.POSITIVE_INFINITY;
    let at = 0;
    for (let index = 0; index + 1 < this.#counts.length; index++) {
      const together = (this.#counts[index] ?? 0) + (this.#counts[index + 1] ?? 0);
      if (together >= least) continue;
      least = together;
      at = index;
    }
    const [one = 0, other = 0] = [this.#counts[at], this.#counts[at + 1]];
    const [low = 0, high = 0] = [this.#values[at], this.#values[at + 1]];
    // Not their mean: one value that is far from all others would draw those that join it. Of equals, the inner one.
    const isUpper = at >= this.#counts.length / 2;
    const value = one > other || (one === other && isUpper) ? low : high;
    this.#values.splice(at, 2, value);
    this.#counts.splice(at, 2, one + other);
  }
}
