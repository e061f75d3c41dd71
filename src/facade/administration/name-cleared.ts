import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { DocumentSchema } from "../../../gen/attune/admin/v1/document_pb.ts";
import { LimitsSchema } from "../../../gen/attune/admin/v1/limits_pb.ts";
import { ControlsSchema, ShadowControlsSchema } from "../../../gen/attune/workload/v1/workload_pb.ts";
import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";

/** Members that a document of projects may empty, by their names in JSON and in files. */
const OF_SETTINGS = { disabled_optimizations: ["disabledOptimizations"], aliases: [] };
const OF_KEYS = { permissions: [], expires_at: ["expiresAt"], tags: [] };

/** The parts of a document of which each member may be taken away by itself. */
const PARTS: ReadonlySet<string> = new Set(
  [LimitsSchema, ControlsSchema, ShadowControlsSchema].map(({ typeName }) => typeName),
);

/**
 * Returns a document of projects in which members that are empty on purpose are named: a message has them as those that
 * are not there, and what a document does not mention stays as it is.
 */
export function nameCleared(document: JsonObject): JsonObject {
  const named = mapList(document, "projects", (project) => {
    const keys = mapList(project, "keys", (key) => withNames(key, ["cleared", "cleared"], findEmpty(key, OF_KEYS)));
    const settings = project["settings"];
    if (!isJsonObject(settings)) return keys;
    return withNames(keys, ["clearedSettings", "cleared_settings"], findEmpty(settings, OF_SETTINGS));
  });
  return withNames(named, ["cleared", "cleared"], [...findPlaces(DocumentSchema, document, "")]);
}

/** Finds the places of empty members of limits and of learning, such as `projects[0].limits.usd_per_day`. */
function* findPlaces(schema: DescMessage, object: JsonObject, place: string): Generator<string> {
  for (const field of schema.fields) {
    const value = object[field.name in object ? field.name : field.localName];
    const own = `${place}${field.name}`;
    if (PARTS.has(schema.typeName) && isEmpty(value)) yield own;
    else yield* findWithin(field, value, own);
  }
}

function* findWithin({ message }: DescField, value: unknown, place: string): Generator<string> {
  if (message === undefined) return;
  if (isJsonObject(value)) yield* findPlaces(message, value, `${place}.`);
  if (!Array.isArray(value)) return;
  for (const [at, each] of value.entries()) {
    if (isJsonObject(each)) yield* findPlaces(message, each, `${place}[${at}].`);
  }
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
