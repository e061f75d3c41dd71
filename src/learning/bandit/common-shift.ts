import { fadeFigures } from "./fade-figures.ts";

/** Answers of base after which a new spell begins. */
const SPELL = 20;
/** Evidence, in answers of base, from which on there is a shift, and the most of it; once it is gone the shift ends. */
const BEGINS_AT = 3;
const MOST_EVIDENCE = 4;
/** Taken off the evidence by each answer of base: half a standard deviation, a part of the shift, or the least. */
const STEP = 0.5;
const STEP_IN_SHIFT = 0.7;
const LEAST_STEP = 0.05;
/** Standard deviations by which base may be farther off than was seen, and the least variance that is assumed. */
const DOUBT = 0.5;
const LEAST_VARIANCE = 0.05;
/** Loss of others in a spell that is noticed, and the part of their answers that it has to be beyond that. */
const NOTICED = 3;
const NOTICED_SHARE = 0.05;
/** The part of a shift of base that counts as known where others' loss is noticed. */
const KNOWN = 0.5;

/** Places of counts, and of sums beside base's mean, of base and of others in a stretch of time. */
const BASE_COUNT = 0;
const BASE_SUM = 1;
const COUNT = 2;
const SUM = 3;
const LENGTH = 4;
/** Places of the spell before, of the one that lasts, and of the shift, if there is one. */
const EARLIER = 0;
const NOW = 4;
const SHIFT = 8;
/** Evidence that base is below its mean, and above it. */
const BELOW = 12;
const ABOVE = 13;
/** Of shifts that have ended: the gain of others that base shared, and the sum that its own mean has moved by for it. */
const GAIN = 14;
const MOVED = 15;

/**
 * The part of a metric's gain that base shared: a provider or a machine in trouble slows all models down, and base was
 * measured mostly before. While base is off its mean, values of others count as shared as far as base is.
 */
export class CommonShift {
  readonly figures = new Float64Array(MOVED + 1);

  /** Counts values whose sum is so much above base's mean without shifts. `variance` is that of one value of base. */
  add(isBase: boolean, count: number, sum: number, variance: number): void {
    const { figures } = this;
    const isShifted = this.#isShifted;
    const place = isBase ? BASE_COUNT : COUNT;
    this.#count(NOW + place, count, sum);
    if (isShifted) this.#count(SHIFT + place, count, sum);
    if (!isBase) return;
    if (count < 0) {
      // What a value that is taken back was evidence of is not known any more.
      if (isShifted && !this.#isShifted) figures.fill(0, SHIFT, ABOVE + 1);
      return;
    }
    const off = isShifted ? this.#off : 0;
    const step = count * Math.max(LEAST_STEP, STEP * Math.sqrt(variance), STEP_IN_SHIFT * Math.abs(off));
    const below = Math.min(MOST_EVIDENCE, Math.max(0, (figures[BELOW] ?? 0) - sum - step));
    const above = Math.min(MOST_EVIDENCE, Math.max(0, (figures[ABOVE] ?? 0) + sum - step));
    figures[BELOW] = below;
    figures[ABOVE] = above;
    if (isShifted && (off < 0 ? below : above) === 0) this.#end();
    if (!isShifted && Math.max(below, above) >= BEGINS_AT) this.#begin(below >= BEGINS_AT);
    if ((figures[NOW + BASE_COUNT] ?? 0) < SPELL) return;
    figures.copyWithin(EARLIER, NOW, NOW + LENGTH).fill(0, NOW, NOW + LENGTH);
  }

  /** Returns the gain that base shared, below 0 for a loss, as far as base's mean has not moved by it: of so many values. */
  gainOf(count: number, baseCount: number): number {
    const gain = this.#at(GAIN) + this.#sharedGain;
    // Most are left here, at each decision.
    if (gain === 0) return 0;
    const within = count * this.meanMovedBy(baseCount);
    return gain * within > 0 ? Math.sign(gain) * Math.max(0, Math.abs(gain) - Math.abs(within)) : gain;
  }

  /** Returns by how much shared shifts have moved base's mean of so many values. */
  meanMovedBy(baseCount: number): number {
    return (this.#at(MOVED) + this.#moved) / Math.max(1, baseCount);
  }

  /** Returns whether others do so much worse now that base is needed beside them: it may do no better. */
  get isDoubtful(): boolean {
    const count = this.#at(NOW + COUNT);
    const known = this.#isShifted ? KNOWN * count * Math.max(0, -this.#off) : 0;
    return -this.#at(NOW + SUM) - known > NOTICED + NOTICED_SHARE * count;
  }

  fade(kept: number): void {
    fadeFigures([this.figures], kept);
  }

  #at(place: number): number {
    return this.figures[place] ?? 0;
  }

  #count(place: number, count: number, sum: number): void {
    const { figures } = this;
    figures[place] = (figures[place] ?? 0) + count;
    figures[place + 1] = (figures[place + 1] ?? 0) + sum;
  }

  get #isShifted(): boolean {
    return (this.figures[SHIFT + BASE_COUNT] ?? 0) > 0;
  }

  /** Distance of base from its mean in the shift. */
  get #off(): number {
    return this.#at(SHIFT + BASE_SUM) / this.#at(SHIFT + BASE_COUNT);
  }

  /** Begins a shift with the spells in which base showed it. */
  #begin(isBelow: boolean): void {
    const { figures } = this;
    for (let at = 0; at < LENGTH; at++) figures[SHIFT + at] = this.#at(EARLIER + at) + this.#at(NOW + at);
    if (this.#off < 0 !== isBelow) figures.fill(0, SHIFT, SHIFT + LENGTH);
  }

  #end(): void {
    const gain = this.#at(GAIN) + this.#sharedGain;
    const moved = this.#at(MOVED) + this.#moved;
    this.figures.fill(0);
    this.figures[GAIN] = gain;
    this.figures[MOVED] = moved;
  }

  /** The gain of others in the shift, as far as base's reaches: a loss with its doubt. */
  get #sharedGain(): number {
    if (!this.#isShifted) return 0;
    const sum = this.#at(SHIFT + SUM);
    if (this.#off * sum <= 0) return 0;
    const off = Math.abs(this.#off);
    const deviation = Math.sqrt(Math.max(LEAST_VARIANCE, off * (1 - off)) / this.#at(SHIFT + BASE_COUNT));
    // Values of others from before the shift may be taken back in it.
    const count = Math.max(0, this.#at(SHIFT + COUNT));
    return Math.sign(sum) * Math.min(count * (off + DOUBT * deviation), Math.abs(sum));
  }

  /** The part of base's sum in the shift that others shared. */
  get #moved(): number {
    const gain = this.#sharedGain;
    if (gain === 0) return 0;
    const shared = (Math.abs(gain) * this.#at(SHIFT + BASE_COUNT)) / this.#at(SHIFT + COUNT);
    return Math.sign(gain) * Math.min(shared, Math.abs(this.#at(SHIFT + BASE_SUM)));
  }
}
