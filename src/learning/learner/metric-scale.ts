import { Quantiles, type QuantilesSnapshot } from "./quantiles.ts";

/** Values of answers of base, or of others, that count in full however few the others are. */
const FULL_COUNT = 100;

/** The stored values of a number metric. */
export interface MetricScaleSnapshot extends QuantilesSnapshot {
  /** Values of answers that base did not give; the others are of base. None if absent. */
  readonly ofOthers?: QuantilesSnapshot;
}

/**
 * What is usual of a number metric. Answers of base and of all other models count for the same, however many of either
 * are served: by the values of a better model alone, its own usual answers would seem poor.
 */
export class MetricScale {
  readonly #ofBase: Quantiles;
  readonly #ofOthers: Quantiles;
  #mixed: Quantiles | undefined;

  constructor({ ofOthers, ...ofBase }: MetricScaleSnapshot = { values: [], counts: [] }) {
    this.#ofBase = new Quantiles(ofBase);
    this.#ofOthers = new Quantiles(ofOthers);
  }

  /** Returns where a value lies between the least and the greatest usual ones; see Quantiles.positionOf(). */
  positionOf(value: number): number {
    this.#mixed ??= mix(this.#ofBase, this.#ofOthers);
    return this.#mixed.positionOf(value);
  }

  /** Counts a finite value as so much of one. */
  add(value: number, { weight, isBase }: { readonly weight: number; readonly isBase: boolean }): void {
    (isBase ? this.#ofBase : this.#ofOthers).add(value, weight);
    this.#mixed = undefined;
  }

  /** Takes a value off again, as far as it was not forgotten since. */
  remove(value: number, { weight, isBase }: { readonly weight: number; readonly isBase: boolean }): void {
    (isBase ? this.#ofBase : this.#ofOthers).remove(value, weight);
    this.#mixed = undefined;
  }

  toSnapshot(): MetricScaleSnapshot {
    const ofBase = this.#ofBase.toSnapshot();
    return this.#ofOthers.count === 0 ? ofBase : { ...ofBase, ofOthers: this.#ofOthers.toSnapshot() };
  }
}

function mix(ofBase: Quantiles, ofOthers: Quantiles): Quantiles {
  if (ofBase.count === 0) return ofOthers;
  if (ofOthers.count === 0) return ofBase;
  const most = Math.max(FULL_COUNT, Math.min(ofBase.count, ofOthers.count));
  return ofBase.mixedWith(ofOthers, [Math.min(1, most / ofBase.count), Math.min(1, most / ofOthers.count)]);
}
