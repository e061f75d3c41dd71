/** The name of a line at its end. */
export interface EndLabel {
  readonly text: string;
  /** The row of its last value. */
  readonly row: number;
  /** Pixels by which it stands below that value, so that it covers no other. */
  readonly shiftPx: number;
}

/** The height of a label. */
const LABEL_PX = 14;
/** More labels than these are a list, which the legend is. */
const MOST_LABELS = 8;
const MOST_CHARACTERS = 18;

/** Returns the labels of lines by the names of their series, on an axis of so many pixels; none where they are many. */
export function placeEndLabels(
  series: readonly { readonly name: string; readonly label: string }[],
  rows: readonly { readonly [series: string]: unknown }[],
  { domain: [low, high], heightPx }: { readonly domain: readonly [number, number]; readonly heightPx: number },
): ReadonlyMap<string, EndLabel> {
  if (series.length < 2 || series.length > MOST_LABELS || high <= low) return new Map();
  const ends = series.flatMap(({ name, label }) => {
    const row = rows.findLastIndex((each) => typeof each[name] === "number");
    const value = rows[row]?.[name];
    return typeof value === "number" ? [{ name, label, row, px: (heightPx * (high - value)) / (high - low) }] : [];
  });
  // From the top down each is moved below the one before; what passes the bottom is moved up again.
  ends.sort((one, other) => one.px - other.px);
  const places: number[] = [];
  for (const [at, { px }] of ends.entries()) places[at] = Math.max(px, (places[at - 1] ?? -LABEL_PX) + LABEL_PX);
  for (let at = ends.length - 1, most = heightPx; at >= 0; at -= 1) {
    places[at] = Math.min(places[at] ?? 0, most);
    most = (places[at] ?? 0) - LABEL_PX;
  }
  return new Map(
    ends.map(({ name, label, row, px }, at) => {
      const text = label.length > MOST_CHARACTERS ? `${label.slice(0, MOST_CHARACTERS - 1)}…` : label;
      return [name, { text, row, shiftPx: (places[at] ?? px) - px }];
    }),
  );
}
