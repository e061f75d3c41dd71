import { defineMember, isJsonObject, type JsonObject } from "./json.ts";

/**
 * Puts the members of `extension` into `target` and returns it. Objects on both sides are merged; any other member that
 * `target` has stays, unless it is null.
 */
export function mergeMembers(target: JsonObject, extension: JsonObject | undefined): JsonObject {
  if (extension === undefined) return target;
  for (const [name, value] of Object.entries(extension)) {
    const known = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isJsonObject(known) && isJsonObject(value)) mergeMembers(known, value);
    else if (known === undefined || known === null) defineMember(target, name, value);
  }
  return target;
}
