/** A schema in the words of JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** Further keywords of a schema. */
type More = Schema;

/** Schemas of the members of an object, by their names. */
export type Members = Readonly<Record<string, Schema>>;

/** Describes a text. */
export function text(description: string, more: More = {}): Schema {
  return { type: "string", description, ...more };
}

/** Describes a text that may be one of a list of words, or a newer word. */
export function word(known: readonly string[], description: string): Schema {
  return text(`${description}: ${known.map((each) => `\`${each}\``).join(", ")}, or a newer word`);
}

/** Describes a text that is one of a list. */
export function choice(choices: readonly string[], description: string): Schema {
  return { enum: choices, type: "string", description };
}

/** Describes a whole number of 32 bits. */
export function integer(description: string, more: More = {}): Schema {
  return { type: "integer", format: "int32", description, ...more };
}

/** Describes a whole number that 32 bits may not hold: a time, or a sum over many calls. */
export function long(description: string): Schema {
  return integer(description, { format: "int64" });
}

/** Describes a number. */
export function number(description: string, more: More = {}): Schema {
  return { type: "number", format: "double", description, ...more };
}

/** Describes the id of an answer, which answers, events and lists of calls have. */
export function answerId(description: string): Schema {
  return text(description, { format: "uuid" });
}

/** Describes true or false. */
export function flag(description: string): Schema {
  return { type: "boolean", description };
}

/** Describes a list. */
export function list(items: Schema, description: string, more: More = {}): Schema {
  return { type: "array", items, description, ...more };
}

/** Describes an object with the given members; those that are not named as optional are required. */
export function object(members: Members, description: string, optional: readonly string[] = []): Schema {
  const required = Object.keys(members).filter((name) => !optional.includes(name));
  return { type: "object", description, properties: members, ...(required.length > 0 && { required }) };
}

/** Describes an object of a request: the members that are named are required, and others are carried on. */
export function request(members: Members, description: string, required: readonly string[] = []): Schema {
  return { type: "object", description, properties: members, ...(required.length > 0 && { required }) };
}

/** Describes an object whose members have names of their own. */
export function record(values: Schema, description: string): Schema {
  return { type: "object", description, additionalProperties: values };
}

/** Describes an object whose members are not looked at; generators of types forbid reading those that are not allowed here. */
export function anyObject(description: string): Schema {
  return { type: "object", description, additionalProperties: true };
}

/** Describes a value of any type. */
export function anything(description: string): Schema {
  return { description };
}

/** Describes a value that may be null. */
export function orNull(schema: Schema): Schema {
  const { type } = schema;
  return typeof type === "string" && schema.enum === undefined
    ? { ...schema, type: [type, "null"] }
    : { anyOf: [schema, { type: "null" }] };
}

/** Describes a value that has one of several forms. */
export function oneOf(forms: readonly Schema[], description: string): Schema {
  return { oneOf: forms, description };
}

/** Refers to a schema of the document. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Describes a member that says which form an object has. */
export function constant(value: string): Schema {
  return { const: value, type: "string" };
}

/**
 * Describes an object that has one of several forms, or a newer one, under its name: generators make a type of each
 * form, which has the form's own name.
 */
export function openForms(name: string, forms: Members, description: string): Members {
  const known = Object.keys(forms).map(ref);
  return { ...forms, [name]: { anyOf: [...known, ref("NewerForm")], description } };
}

/** Schemas that every part may refer to. */
export const COMMON: Members = {
  // Generators of Java write no class for a form that is a mere map.
  NewerForm: {
    ...anyObject("A newer form, passed on unchanged to an upstream of the same format"),
    properties: { type: { type: "string", description: "Its kind" } },
  },
};

/** Tells whether a form stands for all that are not known. */
export function isNewerForm(schema: Schema): boolean {
  return schema["$ref"] === ref("NewerForm")["$ref"] || schema === COMMON["NewerForm"];
}

/** Returns members without those of the given names. */
export function withoutMembers(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}
