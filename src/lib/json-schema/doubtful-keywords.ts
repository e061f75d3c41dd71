import type { Ajv, AnySchemaObject, Options, SchemaValidateFunction } from "ajv";

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
/** A character of two code units. */
const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/**
 * Notes, while a value is validated, that a keyword may be read in two ways and the ways differ. One thread validates
 * at a time.
 */
export const doubt = { isNoted: false };

/** Beyond ASCII, and a line break that some count as one: lengths depend on what is counted. */
const UNEVEN = /[^\0-\x7f]|\r\n/;

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * Replaces the keywords of numbers and lengths that validators read in two ways: decimal fractions or floats;
 * characters, code units, bytes or code points. The reading of the specification decides.
 */
export function addDoubtfulKeywords<Validator extends Ajv>(ajv: Validator): Validator {
  const replace = (keyword: string, type: "number" | "string", validate: SchemaValidateFunction) =>
    ajv.removeKeyword(keyword).addKeyword({ keyword, type, schemaType: "number", errors: false, validate });
  replace("multipleOf", "number", (factor: number, data: number) => {
    return noting(isMultiple(data, factor), Number.isInteger(data / factor));
  });
  replace("minLength", "string", (least: number, data: string) => {
    return noting(codePoints(data) >= least, Buffer.byteLength(data) >= least);
  });
  replace("maxLength", "string", (most: number, data: string) => {
    const fits = codePoints(data) <= most;
    return noting(fits, fits || (UNEVEN.test(data) && countGraphemes(data, most) <= most));
  });
  // Some read `nullable` beside `enum` as one more value, as OpenAPI did before 3.0.3.
  const validate: SchemaValidateFunction = (isNullable: boolean, data: unknown, beside) => {
    if (isNullable && data === null && leavesOutNull(beside)) doubt.isNoted = true;
    return true;
  };
  const nullable = { keyword: "nullable", schemaType: "boolean", errors: false, validate } as const;
  ajv.removeKeyword("nullable").addKeyword({ ...nullable, before: "const" });
  return ajv;
}

function leavesOutNull(schema: AnySchemaObject | undefined): boolean {
  const values: unknown = schema?.["enum"];
  return (Array.isArray(values) && !values.includes(null)) || (schema?.["const"] ?? null) !== null;
}

/** Compiles a pattern as the specification has it, and notes where engines of other languages may read it otherwise. */
export const doubtfulPatterns: NonNullable<NonNullable<Options["code"]>["regExp"]> = Object.assign(
  (pattern: string, flags: string) => {
    const strict = new RegExp(pattern, flags);
    const isDoubtful = createPatternDoubt(pattern);
    const test = (text: string): boolean => {
      const isFound = strict.test(text);
      if (isDoubtful(text, isFound)) doubt.isNoted = true;
      return isFound;
    };
    // The validator knows patterns apart by their texts.
    return { test, toString: () => String(strict) };
  },
  { code: "new RegExp" },
);

/** Returns one reading, and notes whether the other differs. */
function noting(reading: boolean, other: boolean): boolean {
  if (reading !== other) doubt.isNoted = true;
  return reading;
}

/**
 * Returns whether a decimal fraction is a multiple of another: the quotient of their floats is off by two steps at
 * most.
 */
function isMultiple(value: number, factor: number): boolean {
  const quotient = value / factor;
  if (!Number.isFinite(quotient)) return true;
  return Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
}

function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const isHigh = (text.charCodeAt(at) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count -= 1;
  }
  return count;
}

/** Counts what people take for characters, no further than one above `most`. */
function countGraphemes(text: string, most: number): number {
  let count = 0;
  for (const _ of graphemes.segment(text)) if (++count > most) break;
  return count;
}

/**
 * Returns a test of whether engines of other languages may find a pattern where JavaScript's does not, or the other way
 * round: with `\d` and `\w` of all scripts, `.` for all but a line feed or for one code unit, and `$` before the last
 * line feed.
 */
function createPatternDoubt(pattern: string): (text: string, isFound: boolean) => boolean {
  const { wider, hasNarrower } = widen(pattern);
  const wide = compile(wider, "u");
  const units = compile(pattern, "");
  // Nobody knows which way a pattern goes that takes more in one place and less in another.
  const isUnclear = wide === undefined || hasNarrower;
  return (text, isFound) =>
    (isUnclear && BEYOND_ASCII.test(text)) ||
    (!isFound && (wide?.test(text) === true || (PAIR.test(text) && units?.test(text) === true)));
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

function compile(pattern: string, flags: "" | "u"): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}
