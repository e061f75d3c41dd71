/** Answers of base after which a new spell begins. */
const SPELL = 20;
/** Standard deviations and answers that base has to be off its mean by, and the least variance that is assumed. */
const LEAST_DEVIATIONS = 3.5;
const LEAST_OFF = 2.5;
const LEAST_VARIANCE = 0.05;
/** Loss of others in a spell that is noticed, and the part of their answers that it has to be beyond that. */
const NOTICED = 3;
const NOTICED_SHARE = 0.05;

/** Places of the figures of a spell: counts and sums beside base's mean, of base and of others. */
const BASE_COUNT = 0;
const BASE_SUM = 1;
const COUNT = 2;
const SUM = 3;
/** The part of the others' sum that base has shared. */
const SHARED = 4;
/** Places of the spell before, of the one that lasts, and of the shared gain of all before them. */
const EARLIER = 0;
const NOW = 5;
const SETTLED = 10;

/**
 * The part of a metric's gain that base shared: a provider or a machine in trouble slows all models down, and base was
 * measured mostly before. Values of others count as shared as far as base's own were off its mean at the same time.
 */
export class CommonShift {
  readonly figures = new Float64Array(SETTLED + 1);

  /** Counts values whose sum is so much above base's mean. `variance` is that of one value of base. */
  add(isBase: boolean, count: number, sum: number, variance: number): void {
    const { figures } = this;
    const at = NOW + (isBase ? BASE_COUNT : COUNT);
    figures[at] = (figures[at] ?? 0) + count;
    figures[at + 1] = (figures[at + 1] ?? 0) + sum;
    if (!isBase) return;
    this.#share(EARLIER, variance);
    this.#share(NOW, variance);
    if ((figures[NOW + BASE_COUNT] ?? 0) < SPELL) return;
    figures[SETTLED] = this.#at(SETTLED) + this.#at(EARLIER + SHARED);
    figures.copyWithin(EARLIER, NOW, SETTLED).fill(0, NOW, SETTLED);
  }

  /** Returns the gain that base shared: below 0 for a loss. */
  get gain(): number {
    const { figures } = this;
    return (figures[SETTLED] ?? 0) + (figures[EARLIER + SHARED] ?? 0) + (figures[NOW + SHARED] ?? 0);
  }

  /** Returns whether others do so much worse now that base is needed beside them: it may do no better. */
  get isDoubtful(): boolean {
    const { figures } = this;
    return -(figures[NOW + SUM] ?? 0) > NOTICED + NOTICED_SHARE * (figures[NOW + COUNT] ?? 0);
  }

  fade(kept: number): void {
    for (const [at, figure] of this.figures.entries()) this.figures[at] = figure * kept;
  }

  #at(place: number): number {
    return this.figures[place] ?? 0;
  }

  /** Notes how much of the others' gain base has shared, by the spell in which it was the farthest off. */
  #share(spell: number, variance: number): void {
    const { figures } = this;
    const sum = figures[spell + SUM] ?? 0;
    for (const beside of [EARLIER, NOW]) {
      const baseSum = figures[beside + BASE_SUM] ?? 0;
      // Most are left here, at each answer of base.
      if (baseSum * sum <= 0 || Math.abs(baseSum) < LEAST_OFF) continue;
      const baseCount = this.#at(beside + BASE_COUNT);
      // Observations that are taken back may be of an earlier spell.
      if (baseCount <= 0) continue;
      const off = Math.abs(baseSum) / baseCount;
      const deviation = (ofOne: number) => Math.sqrt(Math.max(variance, LEAST_VARIANCE, ofOne) / baseCount);
      if (off <= LEAST_DEVIATIONS * deviation(0)) continue;
      const part = Math.min(this.#at(spell + COUNT) * (off + deviation(off * (1 - off))), Math.abs(sum));
      // Later answers of base in a spell don't undo what was shared before.
      if (part > Math.abs(this.#at(spell + SHARED))) this.figures[spell + SHARED] = Math.sign(sum) * part;
    }
  }
}
