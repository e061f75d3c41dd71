/**
 * Control characters, ends of lines and paragraphs, and the formatting characters that change the direction of text: a
 * name that has one does not show what it is.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const HIDDEN = /[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Returns the first character of a name that does not show, as U+202E; undefined if all do. */
export function hiddenCharacter(name: string): string | undefined {
  const [found] = HIDDEN.exec(name) ?? [];
  return found === undefined ? undefined : `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Says what is wrong with a name; undefined if nothing is. */
export function hiddenCharacterProblem(name: string): string | undefined {
  const found = hiddenCharacter(name);
  if (found === undefined) return undefined;
  return `must not have control characters, nor characters that change the direction of text; it has ${found}`;
}

/** Says what is wrong with a text that is not well-formed: UTF-8 cannot write it. */
export const HALF_CHARACTER = "holds half of a surrogate pair, which isn't a character";
