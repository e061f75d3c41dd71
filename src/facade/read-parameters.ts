import { InferenceError } from "../hub/error.ts";

/**
 * Returns what reads the parameters of an address by their names: each once at most, undefined where it is absent.
 * Throws INVALID_REQUEST, at once for one that is not known.
 */
export function readParameters<Name extends string>(
  query: unknown,
  known: readonly Name[],
): (name: Name) => string | undefined {
  const given = query as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) {
    throw InferenceError.invalid(unknown.slice(0, 64), `is not known here; there are ${known.join(", ")}`);
  }
  return (name) => {
    const value = given[name];
    if (value === undefined || typeof value === "string") return value;
    throw InferenceError.invalid(name, "must be given once");
  };
}
