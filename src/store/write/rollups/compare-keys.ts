/**
 * Compares rows by some of their properties, the first being the most important. Any order will do if all use the same.
 */
export function compareKeys<Name extends string>(
  names: readonly Name[],
  a: Readonly<Record<Name, string | number>>,
  b: Readonly<Record<Name, string | number>>,
): number {
  for (const name of names) {
    if (a[name] < b[name]) return -1;
    if (a[name] > b[name]) return 1;
  }
  return 0;
}
