import { isJsonObject, type JsonObject } from "../../../wire/json.ts";
import { exampleNumber, exampleString, type ScalarHints } from "./example-scalar.ts";
import { mergeSchemas } from "./merge-schemas.ts";

/** Most values in one example, and most levels. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;
/** From this level on only what is required is made, so that schemas that contain themselves come to an end. */
const LEAN_DEPTH = 6;
/** Most items that a schema may ask for. */
const MAX_ITEMS = 1000;

/** No example can be made; another choice further up may do. */
export class NoExample extends Error {
  override readonly name = "NoExample";
}

/** How an example is made. */
export interface ExampleOptions {
  readonly matching: ScalarHints["matching"];
  /**
   * 0, 1, 2 and so on make different choices: the first takes defaults and examples, the first branch of each choice, and
   * every property; the odd ones take only what is required.
   */
  readonly variant: number;
}

/** Makes a value that a JSON schema probably accepts; whether it does is for a validator to say. Throws NoExample. */
export function exampleValue(schema: unknown, options: ExampleOptions): unknown {
  return new ExampleMaker(schema, options).make(schema, { name: "value", salt: 0, depth: 0 });
}

interface Place {
  readonly name: string;
  readonly salt: number;
  readonly depth: number;
}

class ExampleMaker {
  readonly #root: unknown;
  readonly #options: ExampleOptions;
  #values = 0;

  constructor(root: unknown, options: ExampleOptions) {
    this.#root = root;
    this.#options = options;
  }

  make(schema: unknown, place: Place): unknown {
    this.#values += 1;
    if (this.#values > MAX_VALUES || place.depth > MAX_DEPTH) throw new NoExample("too large");
    if (schema === false) throw new NoExample("nothing is allowed");
    if (!isJsonObject(schema)) return exampleString({}, this.#hints(place));
    const { $ref, allOf, anyOf, oneOf, ...rest } = schema;
    const deeper = { ...place, depth: place.depth + 1 };
    if (typeof $ref === "string")
      return this.make(mergeSchemas(this.#resolve($ref), { ...schema, $ref: undefined }), deeper);
    if (Array.isArray(allOf)) return this.make(allOf.reduce(mergeSchemas, { ...rest, anyOf, oneOf }), deeper);
    const choices = [anyOf, oneOf].find((list) => Array.isArray(list));
    if (Array.isArray(choices)) {
      const others = choices === anyOf ? { ...rest, oneOf } : rest;
      return this.#makeOneOf(choices, others, deeper);
    }
    return this.#makePlain(rest, place);
  }

  #makeOneOf(choices: readonly unknown[], others: JsonObject, place: Place): unknown {
    const { variant } = this.#options;
    const start = Math.floor(variant / 2) % Math.max(1, choices.length);
    const turned = [...choices.slice(start), ...choices.slice(0, start)];
    // Deep down, choices that lead nowhere deeper come first.
    const ordered = place.depth < LEAN_DEPTH ? turned : turned.toSorted((one, other) => weight(one) - weight(other));
    for (const choice of ordered) {
      try {
        return this.make(mergeSchemas(others, choice), place);
      } catch (thrown) {
        if (!(thrown instanceof NoExample) || this.#values > MAX_VALUES) throw thrown;
      }
    }
    throw new NoExample("no choice is possible");
  }

  #makePlain(schema: JsonObject, place: Place): unknown {
    if ("const" in schema) return schema["const"];
    if (Array.isArray(schema["enum"])) return pick(schema["enum"], schema, place.salt);
    if ("if" in schema) return this.make(this.#decide(schema), { ...place, depth: place.depth + 1 });
    if (this.#options.variant === 0) {
      if ("default" in schema) return schema["default"];
      if (Array.isArray(schema["examples"]) && schema["examples"].length > 0) return schema["examples"][0];
    }
    switch (typeOf(schema, place.depth < LEAN_DEPTH ? this.#options.variant >> 1 : 0)) {
      case "object":
        return this.#makeObject(schema, place);
      case "array":
        return this.#makeArray(schema, place);
      case "integer":
        return exampleNumber(schema, place.salt, true);
      case "number":
        return exampleNumber(schema, place.salt, false);
      case "boolean":
        return place.salt % 2 === 0;
      case "null":
        return null;
      default:
        return exampleString(schema, this.#hints(place));
    }
  }

  /** Takes `then` in the first variants and `else` in the next. */
  #decide(schema: JsonObject): unknown {
    const { if: condition, then: consequence = true, else: alternative = true, ...rest } = schema;
    if (this.#options.variant % 4 >= 2) return mergeSchemas(rest, alternative);
    return mergeSchemas(mergeSchemas(rest, condition), consequence);
  }

  #makeObject(schema: JsonObject, place: Place): JsonObject {
    const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    const required = new Set(stringsOf(schema["required"]));
    const lean = this.#options.variant % 2 === 1 || place.depth >= LEAN_DEPTH;
    const names = new Set([...(lean ? [] : Object.keys(properties)), ...required]);
    const limit = Number(schema["maxProperties"] ?? names.size);
    const kept = [...names].filter((name) => required.has(name) || names.size <= limit);
    for (let extra = 1; kept.length < Number(schema["minProperties"] ?? 0); extra += 1) {
      if (extra > MAX_ITEMS) throw new NoExample("too many properties");
      kept.push(Object.keys(properties).find((name) => !kept.includes(name)) ?? `extra${extra}`);
    }
    const members = kept.flatMap((name): [string, unknown][] => {
      const part = Object.hasOwn(properties, name) ? properties[name] : otherProperty(schema, name);
      try {
        return [[name, this.make(part, { name, salt: place.salt, depth: place.depth + 1 })]];
      } catch (thrown) {
        if (required.has(name) || !(thrown instanceof NoExample)) throw thrown;
        return [];
      }
    });
    return Object.fromEntries(members);
  }

  #makeArray(schema: JsonObject, place: Place): unknown[] {
    const { items, prefixItems, contains, minItems, maxItems } = schema;
    const first = [prefixItems, items].find((list) => Array.isArray(list)) ?? [];
    const rest = Array.isArray(items) ? schema["additionalItems"] : items;
    const wish = place.depth >= LEAN_DEPTH ? 0 : Math.max(first.length, rest === false ? 0 : 1);
    const containing = contains === undefined ? 0 : Number(schema["minContains"] ?? 1);
    const count = Math.max(Number(minItems ?? 0), containing, Math.min(wish, Number(maxItems ?? wish)));
    if (count > MAX_ITEMS) throw new NoExample("too many items");
    return Array.from({ length: count }, (_none, position) => {
      const part = first[position] ?? rest ?? true;
      const wanted = position < containing ? mergeSchemas(part, contains) : part;
      return this.make(wanted, { name: place.name, salt: position, depth: place.depth + 1 });
    });
  }

  /** Resolves a reference inside the schema: `#`, `#/$defs/node`. */
  #resolve(reference: string): unknown {
    if (!reference.startsWith("#")) throw new NoExample("a reference leads out of the schema");
    let found: unknown = this.#root;
    for (const step of reference.slice(1).split("/").slice(1)) {
      const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
      const holder: unknown = found;
      found =
        typeof holder === "object" && holder !== null && Object.hasOwn(holder, name)
          ? Reflect.get(holder, name)
          : undefined;
    }
    if (found === undefined) throw new NoExample("a reference leads nowhere");
    return found;
  }

  #hints({ name, salt }: Place): ScalarHints {
    return { name, salt, matching: this.#options.matching };
  }
}

function typeOf(schema: JsonObject, variant: number): unknown {
  const { type } = schema;
  if (Array.isArray(type)) {
    if (type.length === 0) throw new NoExample("no type is possible");
    return type[variant % type.length];
  }
  if (type !== undefined) return type;
  const has = (...names: string[]): boolean => names.some((name) => name in schema);
  if (has("properties", "required", "additionalProperties", "minProperties", "patternProperties")) return "object";
  if (has("items", "prefixItems", "contains", "minItems", "uniqueItems")) return "array";
  if (has("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum")) return "number";
  return "string";
}

/** A property that `properties` does not name. */
function otherProperty(schema: JsonObject, name: string): unknown {
  const patterns = isJsonObject(schema["patternProperties"]) ? schema["patternProperties"] : {};
  const match = Object.keys(patterns).find((pattern) => new RegExp(pattern, "u").test(name));
  return match === undefined ? (schema["additionalProperties"] ?? true) : patterns[match];
}

/** Takes a value of an enumeration that has one of the types. */
function pick(values: readonly unknown[], schema: JsonObject, salt: number): unknown {
  const types = schema["type"] === undefined ? undefined : [schema["type"]].flat();
  const possible = types === undefined ? values : values.filter((value) => types.includes(nameOfType(value, types)));
  if (possible.length === 0) throw new NoExample("no value is possible");
  return possible[salt % possible.length];
}

function nameOfType(value: unknown, types: readonly unknown[]): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value) && types.includes("integer")) return "integer";
  return typeof value;
}

/** How far a choice may lead: plain values first, references last. */
function weight(schema: unknown): number {
  if (!isJsonObject(schema)) return 0;
  if ("$ref" in schema) return 3;
  return schema["type"] === "object" ? 2 : schema["type"] === "array" ? 1 : 0;
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
