/** Characters at the end of a text that are searched for its final answer. */
const SEARCHED = 4000;
/** Most characters of a final answer: what follows "the answer is" may be a whole essay. */
const MOST_CHARACTERS = 100;

/**
 * A line that says the final answer: `**Final answer:** 42`, or `#### 42` with a number, since other such lines are
 * headings.
 */
const MARKED_LINE = /^[\s*_>-]*(?:the\s+)?(?:final\s+)?answer\s*(?:is\b|:|：)[\s*_:]*(.+)$/isu;
const NUMBER_LINE = /^####\s+([-+]?[$€£]?\d.*)$/su;
/** In the middle of a line it is said in these words only. */
const MARKED_WORDS = /\b(?:the|final)\s+answer\s+is\b:?\s*(.+)$/isu;

/**
 * Returns the final answer that a text names as such: in a box as mathematics has it, behind `####`, or as "the answer
 * is".
 */
export function readFinalAnswer(text: string): string | undefined {
  const end = text.slice(-SEARCHED);
  const boxed = lastBox(end);
  if (boxed !== undefined) return boxed;
  for (const line of end.split(/\r?\n/).reverse()) {
    const found = (NUMBER_LINE.exec(line) ?? MARKED_LINE.exec(line) ?? MARKED_WORDS.exec(line))?.[1]?.trim() ?? "";
    if (found !== "") return found.length <= MOST_CHARACTERS ? found : undefined;
  }
  return undefined;
}

/** Returns the content of the last `\boxed{...}`, which may hold braces itself. */
function lastBox(text: string): string | undefined {
  const mark = "\\boxed{";
  const start = text.lastIndexOf(mark);
  if (start === -1) return undefined;
  const from = start + mark.length;
  let depth = 1;
  for (let at = from; at < text.length && at - from <= MOST_CHARACTERS; at++) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && --depth === 0) return text.slice(from, at);
  }
  return undefined;
}

/**
 * Returns a short answer without what does not change its meaning: case, spaces, emphasis, quotes, the full stop, and
 * how a number is written.
 */
export function normalise(text: string): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[*_`$"'“”‘’«»]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replace(/^[\s(]+/u, "")
    .replace(/(?<![.,;:!?)\s])[.,;:!?)\s]+$/u, "");
  return toPlainNumber(plain) ?? plain;
}

/** `1,234.50` is `1234.5`. */
function toPlainNumber(text: string): string | undefined {
  const isNumber = /^[+-]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(text);
  if (!isNumber || text.length > 15) return undefined;
  return `${Number(text.replaceAll(",", ""))}`;
}
