/** Room of a chart on a phone of 390 pixels; of an item beside its words, as chart.css has it; and of a letter. */
const PHONE_PX = 310;
const ITEM_PX = 32;
const LETTER_PX = 7;

/** Returns how many lines the legend of a chart takes on a phone, where its items are put one after the other. */
export function legendLines(labels: readonly string[]): number {
  let [lines, leftPx] = [1, PHONE_PX];
  for (const { length } of labels) {
    const itemPx = Math.min(PHONE_PX, ITEM_PX + LETTER_PX * length);
    if (itemPx > leftPx) [lines, leftPx] = [lines + 1, PHONE_PX];
    leftPx -= itemPx;
  }
  return lines;
}
