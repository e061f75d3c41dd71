import { hasLongNumber } from "../../lib/scan-json.ts";
import { parseExact } from "./exact-numbers.ts";

/** A JSON object whose members are not yet checked. */
export type JsonObject = { [name: string]: unknown };

/**
 * Finds numbers that a double may not hold: 16 characters or more, or an exponent. Words inside strings may look like
 * such numbers; that costs time and nothing else.
 */
const SUSPECT = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/** Characters up to which the expression is quicker than to skip the strings. */
const SHORT = 1024;

/**
 * Parses JSON text. Numbers that a double cannot hold (2^53+1, 1e400) become raw values which `JSON.stringify` writes
 * as they came; where the code asks for a number, such a value is not one. A text without long numbers, which is nearly
 * every one, does not pay for the slower, exact parse; `mayHaveLong` is for who knows already. Throws SyntaxError.
 */
export function parseJson(
  text: string,
  mayHaveLong = text.length <= SHORT ? SUSPECT.test(text) : hasLongNumber(text),
): unknown {
  return mayHaveLong ? parseExact(text) : JSON.parse(text);
}

/** Tells whether `value` is a JSON object: neither null, nor an array, nor a raw number. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const isRawNumber = Object.getPrototypeOf(value) === null && "rawJSON" in value && Object.isFrozen(value);
  return !isRawNumber;
}

/** Returns the string, or "" for anything else. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the object, or an empty one for anything else. */
export function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Parses text that should be a JSON object; returns undefined if it is not one. */
export function parseJsonObject(text: string): JsonObject | undefined {
  return objectBy(parseJson, text);
}

/**
 * The same for who looks at it and hands nothing on: numbers that a double cannot hold come rounded. To keep a hundred
 * thousand of them takes ten times as long.
 */
export function lookAtJsonObject(text: string): JsonObject | undefined {
  return objectBy(JSON.parse, text);
}

function objectBy(parse: (text: string) => unknown, text: string): JsonObject | undefined {
  try {
    const value = parse(text);
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
    defineMember(rest, name, object[name]);
  }
  return rest;
}

/** Sets a member. One named __proto__ is defined, since to assign it would change the object's prototype. */
export function defineMember(object: JsonObject, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Returns the members of `object` that are neither in `known` nor null, which means "not given"; undefined if none are
 * left.
 */
export function extraMembers(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  let rest: JsonObject | undefined;
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (known.has(name) || value === undefined || value === null) continue;
    rest ??= {};
    defineMember(rest, name, value);
  }
  return rest;
}

/**
 * Puts the members of `extension` into `target` and returns it. Objects on both sides are merged; any other member that
 * `target` has stays, unless it is null.
 */
export function mergeMembers(target: JsonObject, extension: JsonObject | undefined): JsonObject {
  if (extension === undefined) return target;
  for (const [name, value] of Object.entries(extension)) {
    const known = Object.hasOwn(target, name) ? target[name] : undefined;
    if (known === undefined || known === null) defineMember(target, name, value);
    else if (isJsonObject(known) && isJsonObject(value)) mergeMembers(known, value);
  }
  return target;
}

/** Returns the members that are not undefined, in their order. */
export function definedMembers(members: JsonObject): JsonObject {
  const given: JsonObject = {};
  for (const name in members) if (members[name] !== undefined) given[name] = members[name];
  return given;
}
