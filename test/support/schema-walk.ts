import { isNewerForm, type Schema } from "../../src/formats/shared/schema.ts";
import { createDocument } from "../../src/openapi/document.ts";

const { schemas } = createDocument()["components"] as { readonly schemas: Readonly<Record<string, Schema>> };

/** A value of a request, and its schema. */
export interface Node {
  readonly schema: Schema;
  readonly value: unknown;
  /** Place as errors name it: `messages[0].content`. */
  readonly path: string;
  /** Returns the whole request with another value in this place. */
  readonly replace: (value: unknown) => unknown;
}

/** Returns the schemas that a value may have by a schema, references and forms replaced by what they stand for. */
function formsOf(schema: Schema): readonly Schema[] {
  const { $ref: target, oneOf, anyOf } = schema;
  if (typeof target === "string") return formsOf(schemas[target.split("/").at(-1) ?? ""] ?? {});
  const forms = (oneOf ?? anyOf) as readonly Schema[] | undefined;
  return forms === undefined ? [schema] : forms.flatMap(formsOf);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function typesOf(schema: Schema): readonly string[] {
  return formsOf(schema).flatMap(({ type }) =>
    type === undefined ? [] : [type === "integer" ? "number" : String(type)],
  );
}

/** Returns the members that a form names. */
export function membersOf(form: Schema): Readonly<Record<string, Schema>> {
  return (form["properties"] ?? {}) as Readonly<Record<string, Schema>>;
}

/** Returns the form of the schema that a value has; undefined if it is not a known one. */
export function formOf(schema: Schema, value: unknown): Schema | undefined {
  return formsOf(schema).find((form) => {
    if (isNewerForm(form) || !typesOf(form).includes(typeOf(value))) return false;
    const fixed = Object.entries(membersOf(form)).filter(([, member]) => member["const"] !== undefined);
    const object = value as Readonly<Record<string, unknown>>;
    return fixed.every(([name, member]) => (object[name] ?? member["const"]) === member["const"]);
  });
}

/** Returns a value that has none of the types of a schema; undefined if all types will do. */
export function wrongValue(schema: Schema): unknown {
  const types = typesOf(schema);
  if (types.length === 0 || formsOf(schema).some(({ type }) => type === undefined)) return undefined;
  return [17, "no", true, ["no"], { no: 1 }].find((value) => !types.includes(typeOf(value)));
}

/** Lists the values of a request that the schema names, each with its place. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  const { schema, value, path } = node;
  const form = formOf(schema, value);
  if (form === undefined || typeof value !== "object" || value === null) return;
  const names = membersOf(form);
  for (const [name, member] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const known = (isList ? form["items"] : (names[name] ?? form["additionalProperties"])) as
      | Schema
      | boolean
      | undefined;
    if (typeof known !== "object") continue;
    const copy = (other: unknown) => (isList ? value.with(Number(name), other) : { ...value, [name]: other });
    const place = isList ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
    yield* walk({ schema: known, value: member, path: place, replace: (other) => node.replace(copy(other)) });
  }
}

/** Lists the known forms of objects that a schema holds, each once. */
export function objectForms(schema: Schema, found = new Set<Schema>()): ReadonlySet<Schema> {
  for (const form of formsOf(schema)) {
    if (found.has(form) || isNewerForm(form)) continue;
    if (form["properties"] !== undefined) found.add(form);
    const items = form["items"] as Schema | undefined;
    for (const inner of [...Object.values(membersOf(form)), ...(items === undefined ? [] : [items])])
      objectForms(inner, found);
  }
  return found;
}
