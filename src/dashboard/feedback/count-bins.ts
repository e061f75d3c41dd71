/** Values of a range, and how many there are. */
interface Bin {
  readonly from: number;
  /** Only of the last bin part of it. */
  readonly to: number;
  readonly count: number;
}

const BINS = 10;

/** Counts values in ten bins of the same width; where all are alike, in one. */
export function countBins(values: readonly number[]): Bin[] {
  if (values.length === 0) return [];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (least === most) return [{ from: least, to: most, count: values.length }];
  const width = (most - least) / BINS;
  const counts = Array.from({ length: BINS }, () => 0);
  for (const value of values) {
    const place = Math.min(BINS - 1, Math.floor((value - least) / width));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count, place) => ({
    from: tidy(least + place * width),
    to: tidy(least + (place + 1) * width),
    count,
  }));
}

/** Sums of tenths drift. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
