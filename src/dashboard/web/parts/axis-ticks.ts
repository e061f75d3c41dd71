/** Returns every nth of the labels of an axis, counted from the last one, so that there are at most so many. */
export function everyNth(labels: readonly string[], most: number): string[] {
  const step = Math.max(1, Math.ceil(labels.length / most));
  return labels.filter((_, at) => (labels.length - 1 - at) % step === 0);
}

const STEPS = [1, 2, 5, 10] as const;
const MOST_STEPS = 5;

/**
 * Returns the ticks of an axis from a low to a high value: both ends and what lies between, in steps of 1, 2 or 5 times
 * a power of ten, of which there are at most five. Counts have no ticks between whole numbers.
 */
export function axisTicks(low: number, high: number, isWhole = false): number[] {
  const span = high - low;
  if (!(span > 0)) return isWhole ? [low, low + 1] : [low];
  const power = 10 ** Math.floor(Math.log10(span / MOST_STEPS));
  // Rounding of decimal fractions may leave a step a hair too small.
  const nice = STEPS.find((step) => span / (step * power) <= MOST_STEPS + 1e-9) ?? 10;
  const step = isWhole ? Math.max(1, nice * power) : nice * power;
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toFixed(decimals)));
}
