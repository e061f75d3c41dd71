/** Leaves a part of all figures. */
export function fadeFigures(arrays: readonly Float64Array[], kept: number): void {
  for (const values of arrays) {
    for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) * kept;
  }
}
