/** Moves the figures of a family into those of another, and empties them. */
export function mergeFamily(byFamily: readonly Float64Array[], family: number, into: number): void {
  for (const values of byFamily) {
    values[into] = (values[into] ?? 0) + (values[family] ?? 0);
    values[family] = 0;
  }
}
