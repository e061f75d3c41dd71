/** Strings, with the colon after a name, and numbers; a string without an end is read once, to the end of the text. */
const TOKEN = /"[^"\\]*(?:\\[\s\S]?[^"\\]*)*"?(\s*:)?|-?\d[\d.eE+-]*/g;

/** JSON of which parsers make different values. */
interface Ambiguities {
  /** A number that a double may not hold: more than 15 digits, or beyond its range. */
  readonly hasLongNumber: boolean;
  /** Numbers that are equal and written otherwise: 1 and 1.0, 0 and -0. */
  readonly hasOtherSpelling: boolean;
  /** An object that names a member twice. */
  readonly repeatsName: boolean;
}

/** Finds what parsers read in several ways, in a text that parses to a value. */
export function findAmbiguities(json: string, value: unknown): Ambiguities {
  let [hasLongNumber, hasOtherSpelling, names] = [false, false, 0];
  for (const [token, colon] of json.matchAll(TOKEN)) {
    if (colon !== undefined) names += 1;
    if (token.startsWith('"')) continue;
    const number = Number(token);
    const digits = token
      .replace(/[eE].*/, "")
      .replace(/[-.]/g, "")
      .replace(/^0+/, "");
    hasLongNumber ||= digits.length > 15 || !Number.isFinite(number) || (number === 0 && digits !== "");
    hasOtherSpelling ||= String(number) !== token;
  }
  return { hasLongNumber, hasOtherSpelling, repeatsName: names !== countNames(value) };
}

function countNames(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((total, inner) => total + countNames(inner), own);
}
