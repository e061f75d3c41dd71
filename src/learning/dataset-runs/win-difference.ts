/** The share of requests that the second model wins, less that of the first, among those that both were asked. */
export interface WinDifference {
  readonly mean: number;
  /** Ends of the interval of 95%. */
  readonly low: number;
  readonly high: number;
}

const Z_95 = 1.96;

/**
 * Returns by how much more often the second model wins; null where no request was compared. Half a win is added to each
 * of the four outcomes of a pair, so that few requests and none won still have an interval that holds (Agresti and Min
 * 2005, "Simple improved confidence intervals for comparing matched proportions").
 */
export function winDifference([first, second]: readonly [number, number], ties: number): WinDifference | null {
  const pairs = first + second + ties;
  if (pairs === 0) return null;
  const total = pairs + 2;
  const center = (second - first) / total;
  const margin = (Z_95 * Math.sqrt(first + second + 1 - (second - first) ** 2 / total)) / total;
  return {
    mean: (second - first) / pairs,
    low: Math.max(-1, center - margin),
    high: Math.min(1, center + margin),
  };
}
