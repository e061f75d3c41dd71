import { type JsonObject, unknownMembers } from "./json.ts";

/** Returns the members of `object` that are neither in `known` nor null, which means "not given"; undefined if none are left. */
export function extraMembers(object: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const rest = unknownMembers(object, known);
  if (rest === undefined) return undefined;
  for (const name of Object.keys(rest)) if (rest[name] === null) delete rest[name];
  return Object.keys(rest).length > 0 ? rest : undefined;
}
