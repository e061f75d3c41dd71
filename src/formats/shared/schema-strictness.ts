import { Dialect, type JsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { LossList } from "./losses.ts";

/** Keywords that OpenAI's strict schemas do not take. */
const REFUSED = [
  "allOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
];

/**
 * Returns the `strict` of an OpenAI format. Messages always holds to a schema and has no word for it: its callers get
 * the same where the schema is of the form that OpenAI takes as strict, and a loss where it is not.
 */
export function schemaStrictness(
  { strict }: JsonSchema,
  schema: JsonObject,
  { dialect, losses }: { readonly dialect: Dialect; readonly losses: LossList },
): boolean | undefined {
  if (strict !== undefined || dialect !== Dialect.MESSAGES) return strict;
  if (schema.type === "object" && mayBeStrict(schema)) return true;
  losses.at("output_format.strict");
  return undefined;
}

/** Every object has to require all its properties and allow no others. */
function mayBeStrict(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  if (REFUSED.some((keyword) => schema[keyword] !== undefined)) return false;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const isObject = [schema.type].flat().includes("object") || schema.properties !== undefined;
  if (isObject && !(schema.additionalProperties === false && requiresAll(schema.required, properties))) return false;
  const lists = [schema.anyOf, schema.items].flatMap((value) => (value === undefined ? [] : value));
  const maps = [schema.$defs, schema.definitions].flatMap((value) => (isJsonObject(value) ? Object.values(value) : []));
  return [...Object.values(properties), ...lists, ...maps].every(mayBeStrict);
}

function requiresAll(required: unknown, properties: JsonObject): boolean {
  return Object.keys(properties).every((name) => Array.isArray(required) && required.includes(name));
}
