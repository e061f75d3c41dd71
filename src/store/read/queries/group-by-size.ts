/** A row with a size, which is read later. */
export interface Sized {
  readonly id: string;
  readonly bytes: number;
}

/** Cuts rows into groups that are small together, in their order; one that is large by itself is alone. */
export function groupBySize(rows: readonly Sized[], most: number): string[][] {
  const groups: string[][] = [];
  let sum = Number.POSITIVE_INFINITY;
  for (const { id, bytes } of rows) {
    if (sum + bytes > most) {
      groups.push([]);
      sum = 0;
    }
    groups.at(-1)?.push(id);
    sum += bytes;
  }
  return groups;
}
