import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";

/** Members that a document of projects may empty, by their names in JSON and in files. */
const OF_SETTINGS = { disabled_optimizations: ["disabledOptimizations"], aliases: [] };
const OF_KEYS = { permissions: [], expires_at: ["expiresAt"], tags: [] };

/**
 * Returns a document of projects in which members that are empty on purpose are named: a message has them as those that
 * are not there, and what a document does not mention stays as it is.
 */
export function nameCleared(document: JsonObject): JsonObject {
  return mapList(document, "projects", (project) => {
    const keys = mapList(project, "keys", (key) => withNames(key, ["cleared", "cleared"], findEmpty(key, OF_KEYS)));
    const settings = project["settings"];
    if (!isJsonObject(settings)) return keys;
    return withNames(keys, ["clearedSettings", "cleared_settings"], findEmpty(settings, OF_SETTINGS));
  });
}

function mapList(object: JsonObject, name: string, change: (each: JsonObject) => JsonObject): JsonObject {
  const list = object[name];
  if (!Array.isArray(list)) return object;
  return { ...object, [name]: list.map((each: unknown) => (isJsonObject(each) ? change(each) : each)) };
}

function findEmpty(object: JsonObject, names: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(names).flatMap(([name, others]) => {
    const written = [name, ...others].find((each) => each in object);
    return written !== undefined && isEmpty(object[written]) ? [name] : [];
  });
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Adds names to those that the list has already, by either way to write its own name. */
function withNames(object: JsonObject, [name, other]: readonly [string, string], found: readonly string[]): JsonObject {
  if (found.length === 0) return object;
  const { [name]: own, [other]: spelled = own, ...rest } = object;
  return { ...rest, [name]: [...new Set([...(Array.isArray(spelled) ? (spelled as unknown[]) : []), ...found])] };
}
