import type { Ajv, Options, SchemaValidateFunction } from "ajv";
import { createPatternDoubt } from "./pattern-doubt.ts";

/** Notes, while a value is validated, that a keyword may be read in two ways and the ways differ. One thread validates at a time. */
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
  return ajv;
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

/** Returns whether a decimal fraction is a multiple of another: the quotient of their floats is off by two steps at most. */
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
