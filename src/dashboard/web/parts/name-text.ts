import { MOST_FIRST_WORDS } from "../../../hub/first-words.ts";

/** Characters that do not show, or that change the direction of what stands around them. */
const HIDDEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const [ISOLATE, END] = ["\u2068", "\u2069"];

/**
 * Writes a name that someone gave, for titles, lists of choices and sentences: what does not show is a mark, and a name
 * that is written from right to left does not change the order of what stands around it.
 */
export function nameText(name: string): string {
  const shown = name.replace(HIDDEN, "\ufffd");
  return RIGHT_TO_LEFT.test(shown) ? `${ISOLATE}${shown}${END}` : shown;
}

/** Writes a text that someone gave, of several lines: only what changes directions is a mark. */
export function plainText(text: string): string {
  return text.replace(HIDDEN, (hidden) => (/[\n\r\t]/.test(hidden) ? hidden : "\ufffd"));
}

/** Writes the first words of a prompt or an answer, with an ellipsis where it goes on. */
export function firstWordsText(words: string): string {
  return nameText(words.length < MOST_FIRST_WORDS - 1 ? words : `${words}…`);
}

/** Characters of a name beside others in a chart. */
const SHORT = 36;

/** Writes a name for the legend of a chart: the beginning of a long one. */
export function shortName(name: string): string {
  const characters = [...name];
  return nameText(characters.length <= SHORT ? name : `${characters.slice(0, SHORT - 1).join("")}…`);
}
