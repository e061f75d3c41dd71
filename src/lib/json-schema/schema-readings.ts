import { isObject } from "../is-object.ts";

/** Members of a reference that hold schemas for others to refer to. */
const HOLDS_SCHEMAS: ReadonlySet<string> = new Set(["$defs", "definitions", "$id", "$anchor"]);
/** Members that hold values, and no schemas. */
const HOLDS_VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/**
 * Returns a schema as drafts up to 7 read it: what stands beside a `$ref` says nothing. Returns the schema itself where
 * that is the same, or where it names a draft that reads it otherwise.
 */
export function withoutReferenceSiblings(schema: unknown): unknown {
  if (isObject(schema) && typeof schema["$schema"] === "string" && /20(?:19|20)-/.test(schema["$schema"]))
    return schema;
  return mapSchema(schema, (object) => {
    if (typeof object["$ref"] !== "string") return object;
    const entries = Object.entries(object);
    const members = entries.filter(([name]) => name === "$ref" || HOLDS_SCHEMAS.has(name));
    return members.length === entries.length ? object : Object.fromEntries(members);
  });
}

/**
 * Returns a schema as OpenAPI reads it: of the names that are required, those that are `readOnly` or `writeOnly` are so
 * in one direction alone, and nobody says which one this is. Returns the schema itself where it has none.
 */
export function withoutOneWayNames(schema: unknown): unknown {
  return mapSchema(schema, (object) => {
    const { required, properties } = object;
    if (!Array.isArray(required) || !isObject(properties)) return object;
    const names = required.filter((name) => !isOneWay(properties[String(name)]));
    return names.length === required.length ? object : { ...object, required: names };
  });
}

function isOneWay(schema: unknown): boolean {
  return isObject(schema) && (schema["readOnly"] === true || schema["writeOnly"] === true);
}

type Schema = Readonly<Record<string, unknown>>;

/** Changes the objects of a schema, from the innermost on; what is not changed stays the same. */
function mapSchema(schema: unknown, change: (object: Schema) => Schema): unknown {
  if (Array.isArray(schema)) {
    const items = schema.map((item) => mapSchema(item, change));
    return items.every((item, at) => item === schema[at]) ? schema : items;
  }
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema).map(
    ([name, value]) => [name, HOLDS_VALUES.has(name) ? value : mapSchema(value, change)] as const,
  );
  return change(members.every(([name, value]) => value === schema[name]) ? schema : Object.fromEntries(members));
}
