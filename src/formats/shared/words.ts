/** Returns the words of a table. */
export function wordsOf<Word extends string>(table: Readonly<Record<Word, unknown>>): readonly Word[] {
  return Object.keys(table) as Word[];
}

/** Returns the word that stands for `value` in a table; undefined if there is none. */
export function wordOf<Word extends string>(table: Readonly<Record<Word, unknown>>, value: unknown): Word | undefined {
  return wordsOf(table).find((word) => table[word] === value);
}
