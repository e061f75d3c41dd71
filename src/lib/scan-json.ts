const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Characters from which on a double may not hold a number without an exponent. */
const LONG_NUMBER = 16;

/** Most that JSON text may hold of what costs for each piece, whatever its bytes. */
export interface JsonLimits {
  /** Levels of nested objects and arrays. */
  readonly jsonDepth: number;
  /** Values: members of objects and items of arrays, at all levels. */
  readonly jsonValues: number;
  /**
   * Members of one object: what names a hundred thousand costs far more than as many items of an array. No limit if
   * absent.
   */
  readonly jsonMembers?: number;
}

/** Says in words which limit a text goes beyond. */
export function describeExcess(exceeded: keyof JsonLimits, limits: JsonLimits): string {
  const limit = limits[exceeded];
  switch (exceeded) {
    case "jsonDepth":
      return `is nested deeper than ${limit} levels`;
    case "jsonValues":
      return `holds more than the ${limit} values that this service accepts in one request`;
    case "jsonMembers":
      return `holds an object of more than the ${limit} members that this service accepts in one`;
    default:
      return exceeded satisfies never;
  }
}

/** The counts over the texts so far. */
interface JsonTally {
  values: number;
  /** True if one of them has a number that a double may not hold: 16 characters or more, or an exponent. */
  hasLongNumber: boolean;
}

/**
 * Returns the limit that JSON text goes beyond, or undefined. It reads only as far as it must: a text of little but
 * values is refused long before it is read whole. Strings are skipped. Several texts that share a `tally` share the
 * limit of values.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over the characters of every request
export function scanJson(
  text: string,
  { jsonDepth, jsonValues, jsonMembers = Number.POSITIVE_INFINITY }: JsonLimits,
  tally: JsonTally = { values: 0, hasLongNumber: false },
): keyof JsonLimits | undefined {
  let depth = 0;
  /** Members so far of the object at each level that is open. */
  const members: number[] = [];
  let { values } = tally;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      // Nearly every string has no escaped quote.
      const end = text.indexOf('"', at + 1);
      at = end !== -1 && text.charCodeAt(end - 1) !== BACKSLASH ? end : stringEnd(text, at + 1);
    } else if (code === COLON) {
      const count = (members[depth] ?? 0) + 1;
      if (count > jsonMembers) return "jsonMembers";
      members[depth] = count;
    } else if (code === COMMA) {
      values += 1;
      if (values > jsonValues) return "jsonValues";
    } else if (code >= ZERO && code <= NINE) {
      const end = digitsEnd(text, at);
      if (isLong(text, at, end)) tally.hasLongNumber = true;
      at = end - 1;
    } else if (code === 0x7b || code === 0x5b) {
      // The first value of the object or array; each comma is one more.
      values += 1;
      depth += 1;
      if (depth > jsonDepth) return "jsonDepth";
      members[depth] = 0;
      if (values > jsonValues) return "jsonValues";
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  tally.values = values;
  return undefined;
}

/**
 * Tells whether JSON text has a number that a double may not hold, as scanJson() does. Words inside strings are none.
 */
export function hasLongNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      // Nearly every string has no escaped quote.
      const end = text.indexOf('"', at + 1);
      at = end !== -1 && text.charCodeAt(end - 1) !== BACKSLASH ? end : stringEnd(text, at + 1);
    } else if (code >= ZERO && code <= NINE) {
      const end = digitsEnd(text, at);
      if (isLong(text, at, end)) return true;
      at = end - 1;
    }
  }
  return false;
}

const OTHER = /[^\d.]/g;

/** Returns where the digits and points end that begin at `start`. */
function digitsEnd(text: string, start: number): number {
  const near = start + LONG_NUMBER;
  for (let end = start + 1; end < near; end++) {
    const code = text.charCodeAt(end);
    if ((code < ZERO || code > NINE) && code !== POINT) return end;
  }
  // One of millions of digits is for the parser to refuse; the expression is many times faster to its end.
  OTHER.lastIndex = near;
  return OTHER.exec(text)?.index ?? text.length;
}

function isLong(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end);
  return end - start >= LONG_NUMBER || next === 0x65 || next === 0x45;
}

/** Returns the position of the quote that ends the string which begins at `start`; the text's length if none does. */
export function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
