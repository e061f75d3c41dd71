import { defineMember, type JsonObject } from "./json.ts";

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
