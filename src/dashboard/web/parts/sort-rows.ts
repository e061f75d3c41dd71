/** An order of rows by one of their columns. */
export interface Sort {
  readonly heading: string;
  readonly isDescending: boolean;
}

/** A value that rows are put in order by; null comes last. */
export type SortValue = number | string | null | undefined;

/** Returns the rows in the order of a value of theirs; those without one come last either way. */
export function sortRows<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => SortValue,
  isDescending: boolean,
): readonly Row[] {
  const sign = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: sortBy(row) ?? null }))
    .sort((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      return sign * (a.value < b.value ? -1 : Number(a.value > b.value));
    })
    .map(({ row }) => row);
}

/** Returns the order after a click on a heading: the greatest first, then the least first, then as it was. */
export function nextSort(sort: Sort | undefined, heading: string): Sort | undefined {
  if (sort?.heading !== heading) return { heading, isDescending: true };
  return sort.isDescending ? { heading, isDescending: false } : undefined;
}
