/** A JSON object whose members are not yet checked. */
export type JsonObject = { [name: string]: unknown };

/**
 * Finds numbers that a double may not hold: 16 characters or more, or an exponent. A text without such a number, which is
 * nearly every one, does not pay for the slower, exact parse. Words inside strings may look like such numbers; that costs
 * time and nothing else.
 */
const SUSPECT = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE])/;

interface RawJsonApi {
  rawJSON(text: string): unknown;
}

function keepExact(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  if (Number.isFinite(value) && decimalOf(context.source) === decimalOf(String(value))) return value;
  return (JSON as unknown as RawJsonApi).rawJSON(context.source);
}

/** Writes a JSON number as its digits and a power of ten, the same for all spellings of one value: 1.50, 15e-1. */
function decimalOf(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = withoutLastZeros(digits);
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${mantissa.startsWith("-") ? "-" : ""}${significant}e${power}`;
}

/** A regular expression would try each zero of a long number anew. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}

/**
 * Parses JSON text. Numbers that a double cannot hold (2^53+1, 1e400) become raw values which `JSON.stringify` writes as
 * they came; where the code asks for a number, such a value is not one. The depth of the text must have been checked: the
 * exact parse recurses. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  return SUSPECT.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
}

/** Tells whether `value` is a JSON object: neither null, nor an array, nor a raw number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

function isRawNumber(value: object): boolean {
  return Object.getPrototypeOf(value) === null && "rawJSON" in value && Object.isFrozen(value);
}

/** Parses text that should be a JSON object; returns undefined if it is not one. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the members of `object` that are not in `known` and not undefined; undefined if none are left. */
export function unknownMembers(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const name of Object.keys(object)) {
    if (known.has(name) || object[name] === undefined) continue;
    rest ??= {};
    // Defined, not assigned: a member named __proto__ stays a member.
    Object.defineProperty(rest, name, { value: object[name], enumerable: true, writable: true, configurable: true });
  }
  return rest;
}
