import type { JsonObject } from "./json.ts";

/** Returns the members that are not undefined, in their order. */
export function definedMembers(members: JsonObject): JsonObject {
  const given: JsonObject = {};
  for (const name in members) if (members[name] !== undefined) given[name] = members[name];
  return given;
}
