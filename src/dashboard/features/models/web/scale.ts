/** A scale from the left to the right edge of a plot. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  /** Round values to put lines at, in their order; the first and the last are the ends. */
  readonly ticks: readonly number[];
}

const TICKS = 4;

/** Returns a scale with round ends that has room for all values, and does not leave its bounds. */
export function roundScale(values: readonly number[], bounds: { readonly low: number; readonly high: number }): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = most - least || Math.abs(most) || 1;
  const step = roundStep(spread / TICKS);
  const first = Math.max(bounds.low, Math.floor(least / step) * step);
  const end = Math.min(bounds.high, Math.max(first + step, Math.ceil(most / step) * step));
  // A single value at the upper bound has room only below it.
  const low = end > first ? first : end - step;
  const count = Math.round((end - low) / step);
  // Counted, not added up: sums of tenths drift.
  const ticks = Array.from({ length: count + 1 }, (_, index) => tidy(low + index * step));
  return { low: tidy(low), high: tidy(end), ticks };
}

/** Returns where a value stands on a scale, as a percentage of its width. */
export function findPosition(value: number, { low, high }: Scale): number {
  return Math.min(100, Math.max(0, ((value - low) / (high - low)) * 100));
}

/** Returns how many digits behind the point tell values apart that lie as far from each other as these. */
export function digitsFor(values: readonly number[]): number {
  const spread = Math.max(...values) - Math.min(...values);
  return spread === 0 ? 3 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(spread))));
}

/** The next 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least * 0.999_999) ?? 10) * power;
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
