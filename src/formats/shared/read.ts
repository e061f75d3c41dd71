import { isJsonObject, type JsonObject } from "./json.ts";

/** A value on the wire that does not have the form it must have. */
export class WireError extends Error {
  override readonly name = "WireError";
  /** Place: `messages[2].content[0].source`. */
  readonly param: string;
  /** The problem and its remedy; the message joins path and problem. */
  readonly problem: string;

  constructor(param: string, problem: string) {
    super(param === "" ? problem : `${param}: ${problem}`);
    this.param = param;
    this.problem = problem;
  }
}

/** Joins a place and a member's name. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function expected(path: string, what: string, value: unknown): WireError {
  const problem =
    value === undefined || value === null ? `is required: ${what}` : `must be ${what}, not ${describe(value)}`;
  return new WireError(path, problem);
}

/** Checks that a value is an object. */
export function readObject(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw expected(path, "an object", value);
}

/** Checks that a value is an array. */
export function readArray(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw expected(path, "an array", value);
}

/** Checks that a value is a string. */
export function readString(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw expected(path, "a string", value);
}

/** Checks that a value is a string with something in it. */
export function readName(value: unknown, path: string): string {
  const name = readString(value, path);
  if (name === "") throw new WireError(path, "must not be empty");
  return name;
}

/** Checks that a value is a boolean. */
export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === "boolean") return value;
  throw expected(path, "true or false", value);
}

/** Checks that a value is a finite number within the bounds. */
export function readNumber(value: unknown, path: string, bounds: Bounds = {}): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw expected(path, "a number", value);
  return checkBounds(value, path, bounds);
}

/** Checks that a value is a whole number of 32 bits within the bounds. */
export function readInteger(value: unknown, path: string, bounds: Bounds = {}): number {
  if (typeof value !== "number") throw expected(path, "a whole number", value);
  if (!Number.isInteger(value)) throw new WireError(path, `must be a whole number, not ${value}`);
  return checkBounds(value, path, { max: 2147483647, min: -2147483648, ...bounds });
}

/** Checks that a value is one of the given strings. */
export function readChoice<T extends string>(value: unknown, path: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const list = choices.map((choice) => `'${choice}'`).join(", ");
  if (typeof value !== "string") throw expected(path, `one of ${list}`, value);
  throw new WireError(path, `must be one of ${list}, not '${value.slice(0, 64)}'`);
}

/** Reads an optional member: undefined and null are both "not given". */
export function optional<T, Extra extends readonly unknown[]>(
  value: unknown,
  path: string,
  read: (value: unknown, path: string, ...extra: Extra) => T,
  ...extra: Extra
): T | undefined {
  return value === undefined || value === null ? undefined : read(value, path, ...extra);
}

/** Least and greatest value allowed, both inclusive. */
export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

function checkBounds(value: number, path: string, { min, max }: Bounds): number {
  if (min !== undefined && value < min) throw new WireError(path, `must be at least ${min}, not ${value}`);
  if (max !== undefined && value > max) throw new WireError(path, `must be at most ${max}, not ${value}`);
  return value;
}
