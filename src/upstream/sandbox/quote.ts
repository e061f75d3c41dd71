/** Most UTF-16 units of a text that are repeated. */
const MAX_QUOTE_LENGTH = 2000;

/** Repeats a text, or the beginning of a long one. */
export function quote(text: string): string {
  if (text.length <= MAX_QUOTE_LENGTH) return text;
  return `${text.slice(0, MAX_QUOTE_LENGTH).toWellFormed()}...`;
}
