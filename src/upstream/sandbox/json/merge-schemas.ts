import { isJsonObject, type JsonObject } from "../../../wire/json.ts";

type Merge = (one: unknown, other: unknown) => unknown;

const least: Merge = (one, other) => Math.min(Number(one), Number(other));
const most: Merge = (one, other) => Math.max(Number(one), Number(other));

/** How two values of one keyword become one that satisfies both; other keywords take the second value. */
const MERGES: Readonly<Record<string, Merge>> = {
  properties: (one, other) => mergeMaps(one, other),
  items: (one, other) => mergeSchemas(one, other),
  additionalProperties: (one, other) => mergeSchemas(one, other),
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  allOf: (one, other) => [...listOf(one), ...listOf(other)],
  enum: (one, other) => intersect(listOf(one), listOf(other)),
  type: (one, other) => intersect([one].flat(), [other].flat()),
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  minProperties: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
};

/** Merges two schemas into one whose values satisfy both, as far as a single schema can say it. */
export function mergeSchemas(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false;
  if (!isJsonObject(one)) return other;
  if (!isJsonObject(other)) return one;
  return mergeMembers(one, other, (name, mine, theirs) => (MERGES[name] ?? second)(mine, theirs));
}

const second: Merge = (_one, other) => other;

function mergeMaps(one: unknown, other: unknown): unknown {
  if (!isJsonObject(one) || !isJsonObject(other)) return other;
  return mergeMembers(one, other, (_name, mine, theirs) => mergeSchemas(mine, theirs));
}

function mergeMembers(
  one: JsonObject,
  other: JsonObject,
  merge: (name: string, mine: unknown, theirs: unknown) => unknown,
): JsonObject {
  const merged = new Map(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    merged.set(name, merged.has(name) ? merge(name, merged.get(name), value) : value);
  }
  return Object.fromEntries(merged);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function intersect(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  const texts = new Set(other.map((value) => JSON.stringify(value)));
  return one.filter((value) => texts.has(JSON.stringify(value)) || (value === "integer" && texts.has('"number"')));
}
