import { addHistogram, type Histogram, percentileMs } from "./histogram.ts";
import { findParts, type HistogramName, isSum, MEASURES, type Measure, type SumName, type Values } from "./measures.ts";

/** Counted calls, as one row of the rollups has them. */
export interface CountedRow {
  readonly sums: Readonly<Partial<Record<SumName, number>>>;
  readonly histograms: Readonly<Partial<Record<HistogramName, string>>>;
}

/** Adds up calls, and tells the measures of them that it was made for. */
export class Tally<Name extends Measure> {
  readonly #names: readonly Name[];
  readonly #sums = new Map<SumName, number>();
  readonly #histograms = new Map<HistogramName, Histogram>();

  constructor(names: readonly Name[]) {
    this.#names = names;
    const { sums, histograms } = findParts(names);
    for (const sum of sums) this.#sums.set(sum, 0);
    for (const histogram of histograms) this.#histograms.set(histogram, []);
  }

  /** Adds a row of the rollups. */
  add({ sums, histograms }: CountedRow): void {
    for (const [name, before] of this.#sums) this.#sums.set(name, before + (sums[name] ?? 0));
    for (const [name, histogram] of this.#histograms) addHistogram(histogram, histograms[name] ?? "");
  }

  /**
   * Adds the calls of another tally, or takes them away; its histograms are read already, which is most of the work.
   */
  merge(other: Tally<Name>, sign: 1 | -1 = 1): void {
    for (const [name, before] of this.#sums) this.#sums.set(name, before + sign * (other.#sums.get(name) ?? 0));
    for (const [name, histogram] of this.#histograms) {
      const added = other.#histograms.get(name) ?? [];
      for (let bucket = 0; bucket < added.length; bucket += 1) {
        const count = added[bucket];
        if (count !== undefined) histogram[bucket] = (histogram[bucket] ?? 0) + sign * count;
      }
    }
  }

  /** Returns the measures. */
  values(): Values<Name> {
    return Object.fromEntries(this.#names.map((name) => [name, this.#value(name)])) as Values<Name>;
  }

  #value(name: Measure): number | null {
    if (isSum(name)) return this.#sums.get(name) ?? 0;
    const row = MEASURES[name];
    if ("histogram" in row) return percentileMs(this.#histograms.get(row.histogram) ?? [], row.share) ?? null;
    if (!("sums" in row)) return null;
    const derive: (...sums: number[]) => number | null = row.derive;
    return derive(...row.sums.map((sum) => this.#sums.get(sum) ?? 0));
  }
}

/** Returns the sum of tallies of the same measures. */
export function mergeTallies<Name extends Measure>(
  names: readonly Name[],
  tallies: Iterable<Tally<Name>>,
): Tally<Name> {
  const all = new Tally(names);
  for (const tally of tallies) all.merge(tally);
  return all;
}
