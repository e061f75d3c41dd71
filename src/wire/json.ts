/** A JSON object whose members are not yet checked. */
export type JsonObject = { [name: string]: unknown };

/**
 * Numbers that a double may not hold exactly, and strings that look like them: 16 digits or more, or an exponent. Only
 * texts with such a number pay for the slower, exact parse.
 */
const INEXACT = /\d{16}|\d[eE][+-]?\d/;

interface RawJsonApi {
  rawJSON(text: string): unknown;
}

function keepExact(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined || String(value) === context.source) return value;
  if (Number.isFinite(value) && !INEXACT.test(context.source)) return value;
  return (JSON as unknown as RawJsonApi).rawJSON(context.source);
}

/**
 * Parses JSON text. Numbers that a double cannot hold (2^53+1, 1e400) become raw values which `JSON.stringify` writes as
 * they came; where the code asks for a number, such a value is not one. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  return INEXACT.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
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
