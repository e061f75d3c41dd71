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
  return strip(schema);
}

function strip(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    const items = schema.map(strip);
    return items.every((item, at) => item === schema[at]) ? schema : items;
  }
  if (!isObject(schema)) return schema;
  const isReference = typeof schema["$ref"] === "string";
  const members = Object.entries(schema).filter(([name]) => !isReference || name === "$ref" || HOLDS_SCHEMAS.has(name));
  const stripped = members.map(([name, value]) => [name, HOLDS_VALUES.has(name) ? value : strip(value)] as const);
  const isSame = stripped.every(([name, value]) => value === schema[name]);
  return isSame && members.length === Object.keys(schema).length ? schema : Object.fromEntries(stripped);
}
