/** Lines closer than this are seen as one. */
const CLOSE_PX = 2;

/** The part of its points in which a line must lie on another one to be hidden by it. */
const MOST_OF_IT = 0.5;

/**
 * Returns the patterns of lines that lie on an earlier one for most of their points, by the names of their series: what
 * is below shows through the gaps, which are the wider the more lines there are.
 */
export function coincidingDashes(
  series: readonly { readonly name: string }[],
  rows: readonly { readonly [series: string]: unknown }[],
  { domain: [low, high], heightPx }: { readonly domain: readonly [number, number]; readonly heightPx: number },
): ReadonlyMap<string, string> {
  const dashes = new Map<string, string>();
  for (const [at, { name }] of series.entries()) {
    const below = series.slice(0, at).filter((earlier) => {
      const distances = rows.flatMap((row) => {
        const [one, other] = [row[name], row[earlier.name]];
        return typeof one === "number" && typeof other === "number" ? [Math.abs(one - other)] : [];
      });
      const close = distances.filter((distance) => (distance / (high - low)) * heightPx < CLOSE_PX);
      return close.length > 0 && close.length >= distances.length * MOST_OF_IT;
    });
    if (below.length > 0) dashes.set(name, `6 ${6 * below.length}`);
  }
  return dashes;
}
