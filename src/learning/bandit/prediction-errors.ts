import { fadeFigures } from "./fade-figures.ts";
import { grown } from "./grown.ts";
import { mergeFamily } from "./merge-family.ts";

/** The least variance that is expected of a reward when it is held against what it was. */
const LEAST_EXPECTED = 0.01;

/** The pull of dispersion to 1, and the least of it. */
interface DispersionSettings {
  readonly dispersionShrinkage: number;
  readonly leastDispersion: number;
}

/** Distances of rewards from what was predicted, by family. */
export class PredictionErrors {
  /** Squares of that, and what they would be of rewards that are 0 or 1. */
  squaredErrors: Float64Array;
  binomialVariances: Float64Array;

  constructor(capacity: number) {
    this.squaredErrors = new Float64Array(capacity);
    this.binomialVariances = new Float64Array(capacity);
  }

  add(family: number, weight: number, { reward, predicted }: { readonly reward: number; readonly predicted: number }) {
    const expected = Math.max(LEAST_EXPECTED, predicted * (1 - predicted));
    this.squaredErrors[family] = (this.squaredErrors[family] ?? 0) + weight * (reward - predicted) ** 2;
    this.binomialVariances[family] = (this.binomialVariances[family] ?? 0) + weight * expected;
  }

  /**
   * Returns the dispersion of rewards in families: squared errors as a part of those of rewards of 0 and 1. Grades
   * scatter less. It is drawn to 1, and never above.
   */
  dispersion(from: number, end: number, { dispersionShrinkage, leastDispersion }: DispersionSettings): number {
    let [seen, expected] = [dispersionShrinkage, dispersionShrinkage];
    for (let family = from; family < end; family++) {
      seen += this.squaredErrors[family] ?? 0;
      expected += this.binomialVariances[family] ?? 0;
    }
    return Math.min(1, Math.max(leastDispersion, seen / expected));
  }

  fade(kept: number): void {
    fadeFigures([this.squaredErrors, this.binomialVariances], kept);
  }

  /** Takes over a family from other records. */
  copy(into: number, errors: PredictionErrors, family: number): void {
    this.squaredErrors[into] = errors.squaredErrors[family] ?? 0;
    this.binomialVariances[into] = errors.binomialVariances[family] ?? 0;
  }

  /** Makes room for so many families. */
  grow(capacity: number): void {
    this.squaredErrors = grown(this.squaredErrors, capacity);
    this.binomialVariances = grown(this.binomialVariances, capacity);
  }

  /** Moves what is known of a family into another, and empties it. */
  merge(family: number, into: number): void {
    mergeFamily([this.squaredErrors, this.binomialVariances], family, into);
  }
}
