/** A mean with its 95 % confidence interval. */
export interface Estimate {
  readonly n: number;
  readonly mean: number;
  /** Undefined where one value says nothing of the spread. */
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** Quantile of the normal distribution for 95 % on both sides. */
const Z = 1.959964;
/** The same of Student's distribution for 1 to 5 degrees of freedom, where the series below is too far off. */
const T = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706];

/** Returns the mean of floats from their number, sum and sum of squares, with Student's interval. */
export function estimateMean(n: number, sum: number, sumOfSquares: number): Estimate {
  const mean = sum / n;
  if (n < 2) return { n, mean, low: undefined, high: undefined };
  // Rounding can bring the difference below zero where all values are the same.
  const variance = Math.max(0, sumOfSquares - sum * mean) / (n - 1);
  const half = studentQuantile(n - 1) * Math.sqrt(variance / n);
  // Squares of values from 0 to 1 are no greater than they are: the mean of scores is one as well.
  const isScore = sum <= n && sumOfSquares <= sum;
  const [least, most] = isScore ? [0, 1] : [-Infinity, Infinity];
  return { n, mean, low: Math.max(least, mean - half), high: Math.min(most, mean + half) };
}

/** Returns the share of booleans that are true, with Wilson's interval, which stays within 0 and 1. */
export function estimateShare(n: number, successes: number): Estimate {
  const share = successes / n;
  const weight = Z ** 2 / n;
  const centre = (share + weight / 2) / (1 + weight);
  const half = (Z / (1 + weight)) * Math.sqrt((share * (1 - share)) / n + weight / (4 * n));
  return { n, mean: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** Expansion by Fisher and Cornish; from 6 degrees of freedom on it is right to three digits. */
function studentQuantile(degrees: number): number {
  const exact = T[degrees - 1];
  if (exact !== undefined) return exact;
  return (
    Z +
    (Z ** 3 + Z) / (4 * degrees) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * degrees ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * degrees ** 3)
  );
}
