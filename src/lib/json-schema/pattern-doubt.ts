/** Classes as engines read them that take more than ASCII for digits and letters. */
const WIDER: Readonly<Record<string, string>> = {
  "\\d": "\\p{Nd}",
  "\\w": "\\p{L}\\p{M}\\p{N}\\p{Pc}",
  "\\s": "\\s\\x1c-\\x1f\\x85",
};

/** Pieces of a pattern: an escape with its braces, the ends of classes, or one character. */
const PIECE = /\\[pPuxk](?:\{[^}]*\})?|\\.|\[\^?|\]|[\s\S]/gu;

/** Takes less where engines take more for letters and digits: nobody knows which way such a pattern goes. */
const DEPENDS = /\\[bBDWS]|\[\^[^\]]*\\[dws]/;

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Returns a test of whether engines of other languages may find a pattern where JavaScript's does not, or the other way
 * round: with `\d` and `\w` of all scripts, `.` for all but a line feed, and `$` before the last line feed.
 */
export function createPatternDoubt(pattern: string): (text: string, isFound: boolean) => boolean {
  const wide = compile(widen(pattern));
  const isUnclear = wide === undefined || DEPENDS.test(pattern);
  return (text, isFound) => (isUnclear && BEYOND_ASCII.test(text)) || (!isFound && wide?.test(text) === true);
}

function widen(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(PIECE, (piece) => {
    if (piece.startsWith("[") && !isInClass) isInClass = true;
    else if (piece === "]") isInClass = false;
    const wider = WIDER[piece];
    if (wider !== undefined) return isInClass ? wider : `[${wider}]`;
    if (isInClass) return piece;
    if (piece === ".") return "[^\\n]";
    return piece === "$" ? "(?=\\n?$)" : piece;
  });
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
