/** Returns the names of series whose colour an earlier one has: a pattern tells them apart. */
export function repeatedColors(
  series: readonly { readonly name: string; readonly color: string }[],
): ReadonlySet<string> {
  const first = new Map<string, string>();
  for (const { name, color } of series) if (!first.has(color)) first.set(color, name);
  return new Set(series.filter(({ name, color }) => first.get(color) !== name).map(({ name }) => name));
}
