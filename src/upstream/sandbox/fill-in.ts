import { isJsonObject, type JsonObject } from "../../formats/shared/json.ts";

/** A number or a quoted word of a text. */
interface Literal {
  readonly value: string | number;
  /** The word before it, where nothing but `:`, `=` or a space stands between them: the `city` of `city: "Paris"`. */
  readonly label: string | undefined;
  /** Characters of a word; 0 for a number. */
  readonly length: number;
}

/** Most that are read of one text. */
const MAX_LITERALS = 50;

/**
 * Quoted words of one line, and numbers that are no part of a word. Whichever begins first is taken whole, so that a
 * number in quotes is a word. An apostrophe inside of a word quotes nothing.
 */
const LITERAL =
  /"([^"\n]{1,2000})"|“([^“”\n]{1,2000})”|`([^`\n]{1,2000})`|(?<![\p{L}\p{N}])'([^'\n]{1,2000})'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}_.-])(-?\d{1,15}(?:\.\d{1,15})?)(?![\p{L}\p{N}_]|\.\d)/gu;

const LABEL = /([\p{L}\p{N}_-]{1,64})(?: is|:|=)?\s?$/u;

/** Characters before a literal in which its label is looked for. */
const LABEL_LENGTH = 70;

/** Reads the numbers and the quoted words of a text, in their order. */
export function readLiterals(text: string): Literal[] {
  const literals: Literal[] = [];
  for (const match of text.matchAll(LITERAL)) {
    const word = match[1] ?? match[2] ?? match[3] ?? match[4];
    const label = LABEL.exec(text.slice(Math.max(0, match.index - LABEL_LENGTH), match.index))?.[1];
    literals.push({ value: word ?? Number(match[5]), label, length: [...(word ?? "")].length });
    if (literals.length === MAX_LITERALS) break;
  }
  return literals;
}

/** Keywords with which the value of one property may bear on another one, or on the whole. */
const ENTANGLING = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "const",
  "enum",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
];

/** Keywords of a property that are understood here. What has others keeps its example. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  ...["type", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment"],
  ...["enum", "minLength", "maxLength", "items", "minItems", "maxItems"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

/** The placeholder to fill in, and its source. */
interface FillIn {
  readonly valueJson: string;
  readonly schemaJson: string;
  readonly text: string;
  /** Name of the tool whose arguments these are: in quotes it is no argument. */
  readonly toolName?: string;
}

/**
 * Puts the numbers and the quoted words of a text into a value that was made for a schema, where it is an object: those
 * with the name of a property before them into that, the others in their order into the properties that take them. The
 * schema accepts what it returns: a property whose schema is not plain keeps the value that it had.
 */
export function fillIn({ valueJson, schemaJson, text, toolName }: FillIn): string {
  const [value, schema] = [parse(valueJson), parse(schemaJson)];
  if (!isJsonObject(value) || !isJsonObject(schema) || !isJsonObject(schema["properties"])) return valueJson;
  if (ENTANGLING.some((keyword) => keyword in schema)) return valueJson;
  const { properties } = schema;
  const literals = labelled(readLiterals(text), properties).filter((literal) => literal.value !== toolName);
  const plain = Object.entries(value).flatMap(([name]): [string, JsonObject][] => {
    const property = Object.hasOwn(properties, name) ? plainSchema(properties[name]) : undefined;
    return property === undefined ? [] : [[name, property]];
  });
  const words = new Set(text.split(/[^\p{L}\p{N}_-]+/u));
  const left = new Set(literals);
  const found = new Map<string, unknown>();
  const take = (literal: Literal | undefined, name: string): void => {
    if (literal === undefined) return;
    found.set(name, literal.value);
    left.delete(literal);
  };
  for (const [name, property] of plain) {
    take(
      literals.find((literal) => literal.label === name && accepts(property, literal)),
      name,
    );
  }
  for (const [name, property] of plain) {
    if (found.has(name)) continue;
    if (left.size === 0 && property["enum"] === undefined) continue;
    if (property["type"] === "array") {
      const items = fillArray(property, left);
      if (items !== undefined) found.set(name, items);
      continue;
    }
    take(
      first(left, (literal) => accepts(property, literal)),
      name,
    );
    if (found.has(name) || !Array.isArray(property["enum"])) continue;
    const named = property["enum"].find((option) => typeof option === "string" && words.has(option));
    if (named !== undefined && [property["type"]].flat().includes("string")) found.set(name, named);
  }
  return JSON.stringify({ ...value, ...Object.fromEntries(found) });
}

function first<T>(items: Iterable<T>, isWanted: (item: T) => boolean): T | undefined {
  for (const item of items) if (isWanted(item)) return item;
  return undefined;
}

/** A quoted word that is the name of a property is the label of what follows: `set "city" to "Paris"`. */
function labelled(literals: readonly Literal[], properties: JsonObject): Literal[] {
  let label: string | undefined;
  return literals.flatMap((literal) => {
    if (typeof literal.value === "string" && Object.hasOwn(properties, literal.value)) {
      label = literal.value;
      return [];
    }
    const own = label === undefined ? literal : { ...literal, label };
    label = undefined;
    return [own];
  });
}

/** All that is left of what an array takes; undefined if that is nothing, or not as many as it wants. */
function fillArray(property: JsonObject, left: Set<Literal>): unknown[] | undefined {
  const items = plainSchema(property["items"]);
  if (items === undefined || items["type"] === "array") return undefined;
  const fitting = [...left].filter((literal) => accepts(items, literal));
  const { length } = fitting;
  if (length === 0 || length < Number(property["minItems"] ?? 0)) return undefined;
  const taken = fitting.slice(0, Math.min(length, Number(property["maxItems"] ?? length)));
  for (const literal of taken) left.delete(literal);
  return taken.map(({ value }) => value);
}

/** A schema of one type whose keywords are all understood; of a choice between a type and null, the type. */
function plainSchema(schema: unknown): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { anyOf, ...rest } = schema;
  if (anyOf !== undefined) {
    const first = Array.isArray(anyOf) ? anyOf[0] : undefined;
    return Object.keys(rest).every((keyword) => UNDERSTOOD.has(keyword) && keyword !== "type" && keyword !== "enum")
      ? plainSchema(first)
      : undefined;
  }
  return Object.keys(schema).every((keyword) => UNDERSTOOD.has(keyword)) ? schema : undefined;
}

function accepts(schema: JsonObject, { value, length }: Literal): boolean {
  const { enum: options, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const types = [schema["type"]].flat();
  if (options !== undefined && !(Array.isArray(options) && options.includes(value))) return false;
  if (typeof value === "string") {
    return types.includes("string") && length >= Number(minLength ?? 0) && length <= Number(maxLength ?? length);
  }
  if (!types.includes("number") && !(types.includes("integer") && Number.isInteger(value))) return false;
  if (value < Number(minimum ?? -Infinity) || value > Number(maximum ?? Infinity)) return false;
  return value > Number(exclusiveMinimum ?? -Infinity) && value < Number(exclusiveMaximum ?? Infinity);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
