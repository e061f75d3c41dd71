/** The number below which about `share` (0 to 1) of some numbers are; NaN where there are none. */
export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? Number.NaN;
}

/** The middle of some numbers; NaN where there are none. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}
