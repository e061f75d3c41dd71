import { defineMember, type JsonObject } from "./json.ts";
import { memberPath, readChoice } from "./read.ts";

/** Words that Attune knows of enumerated members, by the member's name. */
type KnownWords = Readonly<Record<string, readonly string[]>>;

/** The enumerated members of an object. */
interface OpenWords<Known extends KnownWords> {
  /** Words that are known; undefined for a member that is not given, or whose word is new. */
  readonly words: { readonly [Name in keyof Known]: Known[Name][number] | undefined };
  /** Members whose words are new, as they came; undefined if there are none. */
  readonly unknown: JsonObject | undefined;
}

/**
 * Reads enumerated members. Vendors add words to their lists every month, so that one which Attune does not know is no
 * mistake: it belongs into the extension of what holds it, with which it goes to an upstream of the same format, and is
 * a named loss elsewhere. Throws WireError for what is no word at all.
 */
export function readWords<const Known extends KnownWords>(
  object: JsonObject,
  path: string,
  known: Known,
): OpenWords<Known> {
  const words: Record<string, string | undefined> = {};
  let unknown: JsonObject | undefined;
  for (const [name, choices] of Object.entries(known)) {
    const value = object[name];
    if (value === undefined || value === null) continue;
    if (isNewWord(value, choices)) {
      unknown ??= {};
      defineMember(unknown, name, value);
    } else words[name] = readChoice(value, memberPath(path, name), choices);
  }
  return { words: words as OpenWords<Known>["words"], unknown };
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
