/** A source of numbers that gives the same ones for the same seed: Mulberry32. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to before 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from 0 to before the end. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** Returns a number around the median: as latencies and token counts are spread. */
  logNormal(median: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(sigma * normal);
  }

  /** Returns one of the values, each as often as its weight says. */
  pick<Value>(choices: readonly (readonly [Value, number])[]): Value {
    let left = this.next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    const [last] = choices.slice(-1);
    if (last === undefined) throw new Error("there is nothing to pick from");
    return last[0];
  }
}
