/**
 * Returns the text as both engines can hold it: PostgreSQL takes neither U+0000 nor halves of surrogate pairs, and a
 * text that it refuses would hold up the whole batch. Each of them becomes U+FFFD.
 */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", "\uFFFD") : whole;
}
