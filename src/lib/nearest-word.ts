/** Most letters in which a word that was meant differs. */
const MOST_EDITS = 2;

/** Returns the word that somebody meant who has written another one; undefined where none is near. */
export function nearestWord(written: string, words: readonly string[]): string | undefined {
  // What is long is no slip, and comparing it takes time.
  if (written.length > 64) return undefined;
  const near = words.map((word) => ({ word, edits: editsBetween(written.toLowerCase(), word.toLowerCase()) }));
  const [best] = near.toSorted((one, other) => one.edits - other.edits);
  return best !== undefined && best.edits <= Math.min(MOST_EDITS, best.word.length / 3) ? best.word : undefined;
}

/** Counts the letters to add, to leave out, to change, or to exchange with their neighbour. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const exchange = isExchanged ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
