import { randomUUID } from "node:crypto";
import { stringEnd } from "../../lib/scan-json.ts";

/** Begins the strings that stand for numbers while their text is parsed; nobody who sends text can know it. */
const MARK = `number ${randomUUID()} `;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Most characters of a number. */
const MAX_LENGTH = 1000;

/** A number that nobody means: its digits would have to be read again at every step. */
export class LongNumberError extends SyntaxError {
  override readonly name = "LongNumberError";

  constructor() {
    super(`a number has more than ${MAX_LENGTH} characters: send it as a string`);
  }
}

const INTEGER = /^-?\d+$/;

/**
 * An integer with more than the 17 digits that a double is told apart by: it needs not be converted to be known as
 * inexact.
 */
const TOO_PRECISE = /^-?[1-9]\d{16,}[1-9]$/;

interface RawJsonApi {
  rawJSON(text: string): unknown;
}

/**
 * Parses JSON text, and keeps numbers that a double cannot hold as raw values. JSON.parse() with a reviver would do it
 * too, at ten times the cost for every value of the text. Throws SyntaxError, and LongNumberError for numbers of more
 * than 1,000 characters.
 */
export function parseExact(text: string): unknown {
  const marked = markNumbers(text);
  const value: unknown = JSON.parse(marked);
  return marked === text ? value : restoreNumbers(value);
}

/**
 * The same in steps, for a long text: each of them takes its share of the time, and `pause` is awaited between them, so
 * that a hundred thousand numbers do not hold the event loop for the sum.
 */
export async function parseExactInSteps(text: string, pause: () => Promise<void> | undefined): Promise<unknown> {
  const marked = markNumbers(text);
  await pause();
  const value: unknown = JSON.parse(marked);
  if (marked === text) return value;
  await pause();
  return restoreNumbers(value);
}

/** Puts strings in the place of the numbers that a double cannot hold. */
function markNumbers(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(text, at + 1);
    } else if (isOfNumber(code)) {
      const end = numberEnd(text, at);
      const number = text.slice(at, end);
      if (!isExact(number)) {
        pieces.push(text.slice(copied, at), `"${MARK}${number}"`);
        copied = end;
      }
      at = end - 1;
    }
  }
  return copied === 0 ? text : pieces.join("") + text.slice(copied);
}

function numberEnd(text: string, begin: number): number {
  let end = begin + 1;
  while (isOfNumber(text.charCodeAt(end))) {
    end += 1;
    if (end - begin > MAX_LENGTH) throw new LongNumberError();
  }
  return end;
}

/** Tells whether a character is a digit, a sign, a point, or the E of an exponent. */
function isOfNumber(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  return code === 0x2d || code === 0x2e || code === 0x2b || code === 0x65 || code === 0x45;
}

/** Tells whether a double has the same value; what is no number is left for the parser to refuse. */
function isExact(number: string): boolean {
  if (number.length < 16 && !/[eE]/.test(number)) return true;
  if (TOO_PRECISE.test(number)) return false;
  if (!NUMBER.test(number)) return true;
  const value = Number(number);
  const written = String(value);
  if (written === number) return true;
  // Two integers without an exponent are the same only if they are written alike.
  if (INTEGER.test(number) && INTEGER.test(written)) return false;
  return Number.isFinite(value) && getDecimal(number) === getDecimal(written);
}

/** Writes a JSON number as its digits and a power of ten, the same for all spellings of one value: 1.50, 15e-1. */
function getDecimal(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${mantissa.startsWith("-") ? "-" : ""}${significant}e${power}`;
}

/** Puts raw values in the place of the strings that stand for numbers. */
function restoreNumbers(value: unknown): unknown {
  const root = [value];
  const open: object[] = [root];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const holder = at as Record<string, unknown>;
    for (const name of Object.keys(holder)) {
      const child = holder[name];
      if (typeof child === "object" && child !== null) open.push(child);
      else if (typeof child === "string" && child.startsWith(MARK)) {
        holder[name] = (JSON as unknown as RawJsonApi).rawJSON(child.slice(MARK.length));
      }
    }
  }
  return root[0];
}
