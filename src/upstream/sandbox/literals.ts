/** A number or a quoted word of a text. */
export interface Literal {
  readonly value: string | number;
  /** The word before it, where nothing but `:`, `=` or a space stands between them: the `city` of `city: "Paris"`. */
  readonly label: string | undefined;
  /** Characters of a word; 0 for a number. */
  readonly length: number;
}

/** Most that are read of one text. */
const MAX_LITERALS = 50;

/**
 * Quoted words of one line, and numbers that are no part of a word. Whichever begins first is taken whole, so that a
 * number in quotes is a word. An apostrophe inside of a word quotes nothing.
 */
const LITERAL =
  /"([^"\n]{1,2000})"|“([^“”\n]{1,2000})”|`([^`\n]{1,2000})`|(?<![\p{L}\p{N}])'([^'\n]{1,2000})'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_.-])(-?\d{1,15}(?:\.\d{1,15})?)(?![\p{L}\p{N}_]|\.\d)/gu;

const LABEL = /([\p{L}\p{N}_-]{1,64})(?: is|:|=)?\s?$/u;

/** Characters before a literal in which its label is looked for. */
const LABEL_LENGTH = 70;

/** Reads the numbers and the quoted words of a text, in their order. */
export function readLiterals(text: string): Literal[] {
  const literals: Literal[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const word = match[1] ?? match[2] ?? match[3] ?? match[4];
    const label = LABEL.exec(text.slice(Math.max(0, match.index - LABEL_LENGTH), match.index))?.[1];
    literals.push({ value: word ?? Number(match[5]), label, length: [...(word ?? "")].length });
    if (literals.length === MAX_LITERALS) break;
  }
  return literals;
}
