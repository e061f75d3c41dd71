import type { JsonObject } from "./json.ts";
import { readChoice } from "./read.ts";

/**
 * Reads a word. Vendors add words to their lists every month, so that one which Attune does not know is no mistake: it
 * goes to an upstream of the same format, and is a named loss elsewhere. Throws WireError for what is no word at all.
 */
export function readOpenWord(value: unknown, path: string, known: readonly string[]): string {
  return isNewWord(value, known) ? value : readChoice(value, path, known);
}

/** Tells whether a value is a word, and none of those that are known. */
export function isNewWord(value: unknown, known: readonly string[]): value is string {
  return typeof value === "string" && value !== "" && !known.includes(value);
}

/** Returns the members of both; undefined if there are none. */
export function joinMembers(rest: JsonObject | undefined, more: JsonObject | undefined): JsonObject | undefined {
  if (rest === undefined || more === undefined) return rest ?? more;
  return { ...rest, ...more };
}

/** Returns the words of a table. */
export function listWords<Word extends string>(table: Readonly<Record<Word, unknown>>): readonly Word[] {
  return Object.keys(table) as Word[];
}

/** Returns the word that stands for `value` in a table; undefined if there is none. */
export function findWord<Word extends string>(
  table: Readonly<Record<Word, unknown>>,
  value: unknown,
): Word | undefined {
  return listWords(table).find((word) => table[word] === value);
}
