/** Classes as engines read them that take more than ASCII for digits and letters. */
const WIDER: Readonly<Record<string, string>> = {
  "\\d": "\\p{Nd}",
  "\\w": "\\p{L}\\p{M}\\p{N}\\p{Pc}",
  "\\s": "\\s\\x1c-\\x1f\\x85",
};

/** Pieces of a pattern: an escape with its braces, the ends of classes, or one character. */
const PIECE = /\\[pPuxk](?:\{[\w=]*\})?|\\.|\[\^?|\]|[\s\S]/gu;

/** Escapes that take less where engines take more for letters and digits, as negated classes with these do. */
const NARROWER: ReadonlySet<string> = new Set(["\\b", "\\B", "\\D", "\\W", "\\S"]);

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Returns a test of whether engines of other languages may find a pattern where JavaScript's does not, or the other way
 * round: with `\d` and `\w` of all scripts, `.` for all but a line feed, and `$` before the last line feed.
 */
export function createPatternDoubt(pattern: string): (text: string, isFound: boolean) => boolean {
  const { wider, hasNarrower } = widen(pattern);
  const wide = compile(wider);
  // Nobody knows which way a pattern goes that takes more in one place and less in another.
  const isUnclear = wide === undefined || hasNarrower;
  return (text, isFound) => (isUnclear && BEYOND_ASCII.test(text)) || (!isFound && wide?.test(text) === true);
}

function widen(pattern: string): { readonly wider: string; readonly hasNarrower: boolean } {
  let [opening, hasNarrower] = ["", false];
  const wider = pattern.replaceAll(PIECE, (piece) => {
    if (piece.startsWith("[") && opening === "") opening = piece;
    else if (piece === "]") opening = "";
    const more = WIDER[piece];
    hasNarrower ||= NARROWER.has(piece) || (more !== undefined && opening === "[^");
    if (more !== undefined) return opening === "" ? `[${more}]` : more;
    if (opening !== "") return piece;
    if (piece === ".") return "[^\\n]";
    return piece === "$" ? "(?=\\n?$)" : piece;
  });
  return { wider, hasNarrower };
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
