const COLORS = 8;

/** Colour of what is taken together. */
export const OTHERS_COLOR = "var(--attune-series-others)";

/** Returns one of the eight colours of series. */
export function seriesColor(index: number): string {
  return `var(--attune-series-${index % COLORS})`;
}

/**
 * Gives names their colours: each has the one of its place among all that are known, on every page and in every time,
 * so that it is recognised. Two that are shown and would have the same one are told apart: the later one takes the next
 * that is free.
 */
export function chooseColors(shown: readonly string[], known: readonly string[]): ReadonlyMap<string, string> {
  const places = new Map(known.map((name, place) => [name, place]));
  const findPlace = (name: string) => places.get(name) ?? known.length;
  const colors = new Map<string, string>();
  const taken = new Set<number>();
  for (const name of [...shown].sort((a, b) => findPlace(a) - findPlace(b) || (a < b ? -1 : 1))) {
    let index = findPlace(name) % COLORS;
    while (taken.has(index) && taken.size < COLORS) index = (index + 1) % COLORS;
    taken.add(index);
    colors.set(name, seriesColor(index));
  }
  return colors;
}
