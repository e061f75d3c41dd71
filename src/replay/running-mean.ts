/** Errors of which one in twenty is accepted, over all moments at which somebody looks. */
const ERROR = 0.05;
/** Number of values at which the interval is made as narrow as it can be. */
const TUNED_FOR = 1000;
const RHO_SQUARED = (-2 * Math.log(ERROR) + Math.log(-2 * Math.log(ERROR) + 1)) / TUNED_FOR;

/** A mean with the bounds that it is believed to lie between. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The mean of values that come one after another, with an interval that holds at every number of them at once (an
 * asymptotic confidence sequence: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, 2021). Who looks every day is not
 * fooled more often than who looks once.
 */
export class RunningMean {
  count = 0;
  #mean = 0;
  /** Sum of squared distances to the mean, by Welford. */
  #squares = 0;

  add(value: number): void {
    this.count += 1;
    const before = value - this.#mean;
    this.#mean += before / this.count;
    this.#squares += before * (value - this.#mean);
  }

  get mean(): number {
    return this.#mean;
  }

  /** Undefined before there are two values: nothing is known of how much they vary. */
  interval(): Interval | undefined {
    if (this.count < 2) return undefined;
    const grown = this.count * RHO_SQUARED + 1;
    const spread = this.#squares / (this.count - 1);
    const factor = ((2 * grown) / (this.count * this.count * RHO_SQUARED)) * Math.log(Math.sqrt(grown) / ERROR);
    const reach = Math.sqrt(spread * factor);
    return { mean: this.#mean, low: this.#mean - reach, high: this.#mean + reach };
  }
}
