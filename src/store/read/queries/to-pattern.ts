import { hasEquivalents } from "../../../lib/canonical-equivalents.ts";

/** A letter with the marks that follow it. */
const LETTER = /[^\p{M}]\p{M}*|\p{M}+/gsu;

/**
 * Returns a pattern of LIKE, with `!` as its escape, for what may contain a text in any case. Letters match anything
 * where the engines fold their case differently, or where a text may spell them in other ways (UAX 15): compare what is
 * found by foldCase().
 */
export function toPattern(text: string): string {
  const letters = (text.normalize("NFC").match(LETTER) ?? []).map((letter) => {
    if (/\p{M}/u.test(letter) || hasEquivalents(letter)) return "%";
    if (letter.charCodeAt(0) < 128) return "!%_".includes(letter) ? `!${letter}` : letter;
    return letter.toLowerCase() === letter.toUpperCase() ? letter : "%";
  });
  return `%${letters.join("")}%`;
}
