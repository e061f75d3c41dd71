import { defineMember, isJsonObject, type JsonObject } from "./json.ts";
import { hasValidReferences } from "./schema-references.ts";
import type { SchemaSubset } from "./schema-subset.ts";

/** A schema as a target takes it. */
interface ReducedSchema {
  readonly schema: JsonObject;
  /** Places below the schema of what it says no more: `properties.age.minimum`. */
  readonly lost: readonly string[];
}

/** Names and notes of a schema itself, which ask nothing of an answer. */
const SILENT: ReadonlySet<string> = new Set(["$schema", "$id", "$comment"]);

/** Keywords that may stand in a schema that is a reference or a choice. */
const BESIDE: ReadonlySet<string> = new Set(["$ref", "$defs", "definitions", "title", "description", "default"]);

/**
 * Reduces a schema to what a target takes: objects are closed, keywords that it refuses move into the description.
 * Returns undefined for a schema that it cannot hold a model to: maps, values of any type, and what the subset says.
 * Takes time in proportion to the schema; the order of members and the numbers stay as they are.
 */
export function reduceSchema(schema: JsonObject, subset: SchemaSubset): ReducedSchema | undefined {
  const reducer = new SchemaReducer(subset);
  const reduced = reducer.reduce(schema, "");
  if (!reducer.isPossible || !isJsonObject(reduced)) return undefined;
  if (subset.requiresObject && (reduced.type !== "object" || reduced.anyOf !== undefined)) return undefined;
  return hasValidReferences(reduced, subset) ? { schema: reduced, lost: reducer.lost } : undefined;
}

/** A keyword as it goes on; undefined if the target does not take it. */
type Taken = readonly [keyword: string, value: unknown] | undefined;

class SchemaReducer {
  readonly lost: string[] = [];
  isPossible = true;
  readonly #subset: SchemaSubset;

  constructor(subset: SchemaSubset) {
    this.#subset = subset;
  }

  /** Depth is that of the request's JSON, which is limited. */
  reduce(schema: unknown, path: string): unknown {
    if (!isJsonObject(schema)) return this.#refuse(schema);
    const facts = getFacts(schema);
    const reduced: JsonObject = {};
    const moved: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (SILENT.has(keyword) || (keyword === "type" && facts.choice !== undefined)) continue;
      const place = path === "" ? keyword : `${path}.${keyword}`;
      const taken = this.#take([keyword, value], facts, place);
      if (taken !== undefined) defineMember(reduced, ...taken);
      else {
        defineMember(moved, keyword, value);
        this.lost.push(place);
      }
    }
    if (facts.isObject) this.#close(schema, reduced, path);
    this.#checkType(reduced);
    return withReferenceAlone(describe(reduced, moved));
  }

  #refuse<Value>(value: Value): Value {
    this.isPossible = false;
    return value;
  }

  #take([keyword, value]: readonly [string, unknown], facts: SchemaFacts, place: string): Taken {
    if (keyword === facts.choice && Array.isArray(value)) {
      // Exactly one becomes at least one; all of one is one of one.
      if (keyword === "oneOf") this.lost.push(place);
      return ["anyOf", value.map((one, index) => this.reduce(one, `${place}[${index}]`))];
    }
    if (!this.#subset.keywords.has(keyword) || keyword === "anyOf") return undefined;
    if (facts.standsAlone && !BESIDE.has(keyword)) return undefined;
    switch (keyword) {
      case "properties":
      case "$defs":
      case "definitions":
        return isJsonObject(value) ? [keyword, this.#reduceEach(value, place)] : undefined;
      case "items":
        return isJsonObject(value) ? [keyword, this.reduce(value, place)] : undefined;
      default:
        return this.#takesValue(keyword, value) ? [keyword, value] : undefined;
    }
  }

  #reduceEach(schemas: JsonObject, path: string): JsonObject {
    const reduced: JsonObject = {};
    for (const [name, schema] of Object.entries(schemas)) {
      defineMember(reduced, name, this.reduce(schema, `${path}.${name}`));
    }
    return reduced;
  }

  #takesValue(keyword: string, value: unknown): boolean {
    const { formats, refusedPattern, mostMinItems } = this.#subset;
    switch (keyword) {
      case "enum":
        return Array.isArray(value) && value.every(isPrimitive);
      case "const":
        return isPrimitive(value);
      case "format":
        return typeof value === "string" && formats.has(value);
      case "pattern":
        return typeof value === "string" && !refusedPattern.test(value);
      case "minItems":
        return typeof value === "number" && value <= mostMinItems;
      default:
        return true;
    }
  }

  /** A map has names that the schema does not know, so that closing it would leave nothing of it. */
  #close(schema: JsonObject, reduced: JsonObject, path: string): void {
    const { additionalProperties: others, properties, required } = schema;
    const isMap = properties === undefined ? others !== false : isJsonObject(others) && Object.keys(others).length > 0;
    if (isMap) this.#refuse(schema);
    else if (others !== undefined && others !== false) this.lost.push(`${path}${path && "."}additionalProperties`);
    reduced.type ??= "object";
    reduced.additionalProperties = false;
    if (!this.#subset.requiresAll || !isJsonObject(properties)) return;
    const names = new Set(Array.isArray(required) ? required : []);
    if (!Object.keys(properties).every((name) => names.has(name))) this.#refuse(schema);
  }

  #checkType(reduced: JsonObject): void {
    const isTyped = ["type", "anyOf", "$ref", "enum", "const"].some((keyword) => reduced[keyword] !== undefined);
    const isBareArray = [reduced.type].flat().includes("array") && reduced.items === undefined;
    if (!isTyped || (isBareArray && this.#subset.requiresItems)) this.#refuse(reduced);
  }
}

/** The form of a schema. */
interface SchemaFacts {
  /** True if it is a reference or a choice, beside which its own form would say little. */
  readonly standsAlone: boolean;
  readonly isObject: boolean;
  /** The keyword whose alternatives it is; undefined if it is none, or more than a choice. */
  readonly choice: "anyOf" | "oneOf" | "allOf" | undefined;
}

function getFacts(schema: JsonObject): SchemaFacts {
  const isReference = schema.$ref !== undefined;
  const choice = isReference || schema.properties !== undefined ? undefined : getChoice(schema);
  const isNamedObject = [schema.type].flat().includes("object") || schema.properties !== undefined;
  const standsAlone = isReference || choice !== undefined;
  return { standsAlone, choice, isObject: isNamedObject && !standsAlone };
}

function getChoice({ anyOf, oneOf, allOf }: JsonObject): SchemaFacts["choice"] {
  if (Array.isArray(anyOf)) return "anyOf";
  if (Array.isArray(oneOf)) return "oneOf";
  return Array.isArray(allOf) && allOf.length === 1 ? "allOf" : undefined;
}

/** Numbers that a double cannot hold are objects here. */
function isPrimitive(value: unknown): boolean {
  return !Array.isArray(value) && !isJsonObject(value);
}

/** The model reads what it is not held to. */
function describe(reduced: JsonObject, moved: JsonObject): JsonObject {
  if (Object.keys(moved).length === 0) return reduced;
  const { description } = reduced;
  const prefix = typeof description === "string" && description !== "" ? `${description}\n\n` : "";
  reduced.description = prefix + JSON.stringify(moved);
  return reduced;
}

function withReferenceAlone(schema: JsonObject): JsonObject {
  const { $ref, ...others } = schema;
  const isAlone = Object.keys(others).every((keyword) => keyword === "$defs" || keyword === "definitions");
  return $ref === undefined || isAlone ? schema : { anyOf: [{ $ref }], ...others };
}
