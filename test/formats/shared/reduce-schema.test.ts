import { describe, expect, it } from "vitest";
import { type JsonObject, parseJson } from "../../../src/formats/shared/json.ts";
import { reduceSchema } from "../../../src/formats/shared/reduce-schema.ts";
import { ANTHROPIC_SUBSET, OPENAI_SUBSET, type SchemaSubset } from "../../../src/formats/shared/schema-subset.ts";

const text = { type: "string" };
const closed = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const SUBSETS: readonly (readonly [string, SchemaSubset])[] = [
  ["Anthropic", ANTHROPIC_SUBSET],
  ["OpenAI", OPENAI_SUBSET],
];

/** Reduces the schema of a property named `a`. */
function reduceOne(schema: unknown, subset: SchemaSubset) {
  const reduced = reduceSchema(closed({ a: schema }), subset);
  if (reduced === undefined) return undefined;
  return { schema: (reduced.schema.properties as JsonObject).a, lost: reduced.lost };
}

describe.each(SUBSETS)("reduceSchema() for %s", (_name, subset) => {
  it.each([
    ["an object without properties", closed({})],
    ["numbers, texts, lists and choices", closed({ n: { type: "integer" }, e: { type: "string", enum: ["b", "a"] } })],
    ["a type or null", closed({ a: { type: ["string", "null"], description: "A name" } })],
    ["a list that must not be empty", closed({ a: { type: "array", items: text, minItems: 1 } })],
    ["definitions", { ...closed({ a: { $ref: "#/$defs/d" } }), $defs: { d: closed({ e: text }) } }],
    ["a name that is a reference's", closed({ $ref: text, properties: text })],
  ])("leaves %s as it is", (_what, schema) => {
    const reduced = reduceSchema(schema, subset);
    expect(JSON.stringify(reduced)).toBe(JSON.stringify({ schema, lost: [] }));
  });

  it("closes objects, wherever they are", () => {
    const open = { type: "object", properties: { a: text }, required: ["a"] };
    const shut = { ...open, additionalProperties: false };
    const all = (one: JsonObject) => ({
      type: "object",
      properties: { list: { type: "array", items: one }, choice: { anyOf: [one, { type: "null" }] } },
      required: ["list", "choice"],
      $defs: { d: one },
    });
    expect(reduceSchema(all(open), subset)).toEqual({
      schema: { ...all(shut), additionalProperties: false },
      lost: [],
    });
  });

  it("names an object that was open on purpose", () => {
    const schema = { ...closed({ a: text }), additionalProperties: true };
    expect(reduceSchema(schema, subset)).toEqual({ schema: closed({ a: text }), lost: ["additionalProperties"] });
  });

  it("takes an object with properties and without a type for one", () => {
    expect(reduceOne({ properties: { b: text }, required: ["b"] }, subset)).toEqual({
      schema: closed({ b: text }),
      lost: [],
    });
  });

  it("moves what is refused into the description, in its order", () => {
    const schema = { type: "string", minLength: 2, description: "A name", maxLength: 9, title: "N" };
    expect(JSON.stringify(reduceOne(schema, subset))).toBe(
      JSON.stringify({
        schema: { type: "string", description: 'A name\n\n{"minLength":2,"maxLength":9}', title: "N" },
        lost: ["properties.a.minLength", "properties.a.maxLength"],
      }),
    );
  });

  it("moves keywords that it does not know", () => {
    expect(reduceOne({ type: "string", contentEncoding: "base64", "x-order": 1 }, subset)).toEqual({
      schema: { type: "string", description: '{"contentEncoding":"base64","x-order":1}' },
      lost: ["properties.a.contentEncoding", "properties.a.x-order"],
    });
  });

  it.each([
    ["a format that it does not know", { type: "string", format: "iri" }, "format"],
    ["a pattern that looks around", { type: "string", pattern: "^(?!x)" }, "pattern"],
    ["an enum of objects", { type: "object", properties: {}, required: [], enum: [{}] }, "enum"],
  ])("moves %s", (_what, schema, keyword) => {
    expect(reduceOne(schema, subset)?.lost).toEqual([`properties.a.${keyword}`]);
  });

  it("turns oneOf into anyOf, and names that", () => {
    expect(reduceOne({ oneOf: [text, closed({ b: text })], discriminator: { propertyName: "b" } }, subset)).toEqual({
      schema: { anyOf: [text, closed({ b: text })], description: '{"discriminator":{"propertyName":"b"}}' },
      lost: ["properties.a.oneOf", "properties.a.discriminator"],
    });
  });

  it("turns allOf of one schema into anyOf of it", () => {
    const schema = { ...closed({ a: { allOf: [{ $ref: "#/$defs/d" }], title: "A" } }), $defs: { d: text } };
    const reduced = { ...closed({ a: { anyOf: [{ $ref: "#/$defs/d" }], title: "A" } }), $defs: { d: text } };
    expect(reduceSchema(schema, subset)).toEqual({ schema: reduced, lost: [] });
  });

  it("leaves a reference alone in a choice where something stands beside it", () => {
    const schema = { ...closed({ a: { $ref: "#/$defs/d", description: "The first" } }), $defs: { d: text } };
    const reduced = closed({ a: { anyOf: [{ $ref: "#/$defs/d" }], description: "The first" } });
    expect(reduceSchema(schema, subset)).toEqual({ schema: { ...reduced, $defs: { d: text } }, lost: [] });
  });

  it("leaves out the names and notes of a schema itself", () => {
    const schema = { $schema: "http://json-schema.org/draft-07/schema#", $id: "x", $comment: "y", ...closed({}) };
    expect(reduceSchema(schema, subset)).toEqual({ schema: closed({}), lost: [] });
  });

  it.each([
    ["a map", { type: "object", additionalProperties: text }],
    ["a map beside properties", { type: "object", properties: { b: text }, additionalProperties: text }],
    ["an object of any members", { type: "object" }],
    ["an object or null of any members", { type: ["object", "null"], additionalProperties: true }],
    ["any value", {}],
    ["any value, with a title", { title: "A" }],
    ["true", true],
    ["all of several", { allOf: [closed({}), closed({})] }],
    ["a reference to another document", { $ref: "https://example.com/schema.json" }],
    ["a reference to nothing", { $ref: "#/$defs/d" }],
    ["an anchor", { $ref: "#d" }],
  ])("cannot hold a model to %s", (_what, schema) => {
    expect(reduceOne(schema, subset)).toBeUndefined();
  });

  it("keeps the order of members, numbers that a double cannot hold, and a property named __proto__", () => {
    const json =
      '{"required":["__proto__","b"],"properties":{"b":{"enum":[9007199254740993,"x"],"type":["integer","string"]},' +
      '"__proto__":{"maxLength":9007199254740993,"type":"string"}},"type":"object","additionalProperties":false}';
    expect(JSON.stringify(reduceSchema(parseJson(json) as JsonObject, subset)?.schema)).toBe(
      '{"required":["__proto__","b"],"properties":{"b":{"enum":[9007199254740993,"x"],"type":["integer","string"]},' +
        '"__proto__":{"type":"string","description":"{\\"maxLength\\":9007199254740993}"}},"type":"object",' +
        '"additionalProperties":false}',
    );
  });

  it("does not change the schema that it is given", () => {
    const schema = { type: "object", properties: { a: { type: "string", minLength: 1 } }, required: ["a"] };
    const before = JSON.stringify(schema);
    reduceSchema(schema, subset);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it("looks at each schema once, however many references lead to it", () => {
    // Expanded, these would be 2 ** 5000 schemas.
    const names = Array.from({ length: 5000 }, (_, index) => `d${index}`);
    const $defs = Object.fromEntries(
      names.map((name, index) => {
        const next = names[index + 1];
        return [
          name,
          next === undefined ? text : { anyOf: [{ $ref: `#/$defs/${next}` }, { $ref: `#/$defs/${next}` }] },
        ];
      }),
    );
    const schema = { ...closed({ a: { $ref: "#/$defs/d0" } }), $defs };
    expect(reduceSchema(schema, subset)).toEqual({ schema, lost: [] });
  });

  it("reduces what is nested as deep as a request may be", () => {
    let schema: JsonObject = { type: "string", minLength: 1 };
    for (let depth = 0; depth < 1000; depth++) schema = { type: "array", items: schema };
    expect(reduceOne(schema, subset)?.lost).toEqual([`properties.a${".items".repeat(1000)}.minLength`]);
  });
});

describe("reduceSchema()", () => {
  it("moves bounds for Anthropic", () => {
    const number = { type: "number", minimum: 1, maximum: 5, exclusiveMinimum: 0, exclusiveMaximum: 6, multipleOf: 2 };
    const list = { type: "array", items: text, minItems: 2, maxItems: 3, uniqueItems: true };
    expect(reduceSchema(closed({ number, list }), ANTHROPIC_SUBSET)).toEqual({
      schema: closed({
        number: {
          type: "number",
          description: '{"minimum":1,"maximum":5,"exclusiveMinimum":0,"exclusiveMaximum":6,"multipleOf":2}',
        },
        list: { type: "array", items: text, description: '{"minItems":2,"maxItems":3,"uniqueItems":true}' },
      }),
      lost: [
        ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map(
          (name) => `properties.number.${name}`,
        ),
        ...["minItems", "maxItems", "uniqueItems"].map((name) => `properties.list.${name}`),
      ],
    });
  });

  it("leaves bounds to OpenAI, but for those of texts and of what is unique", () => {
    const number = { type: "number", minimum: 1, maximum: 5, exclusiveMinimum: 0, exclusiveMaximum: 6, multipleOf: 2 };
    const list = { type: "array", items: text, minItems: 2, maxItems: 3 };
    const schema = closed({ number, list });
    expect(reduceSchema(schema, OPENAI_SUBSET)).toEqual({ schema, lost: [] });
    expect(reduceOne({ ...list, uniqueItems: true }, OPENAI_SUBSET)?.lost).toEqual(["properties.a.uniqueItems"]);
  });

  it("leaves optional properties to Anthropic, and cannot hold OpenAI to them", () => {
    const schema = closed({ a: text, b: text }, ["a"]);
    expect(reduceSchema(schema, ANTHROPIC_SUBSET)).toEqual({ schema, lost: [] });
    expect(reduceSchema(schema, OPENAI_SUBSET)).toBeUndefined();
    expect(reduceOne(schema, OPENAI_SUBSET)).toBeUndefined();
  });

  it.each([
    ["itself", { ...closed({ a: { $ref: "#" } }) }],
    ["itself in a list", closed({ a: { type: "array", items: { $ref: "#/properties/a" } } })],
    [
      "itself by a definition",
      {
        ...closed({ a: { $ref: "#/$defs/a" } }),
        $defs: { a: closed({ b: { $ref: "#/$defs/b" } }), b: { $ref: "#/$defs/a" } },
      },
    ],
  ])("leaves a schema that contains %s to OpenAI, and cannot hold Anthropic to it", (_what, schema) => {
    expect(reduceSchema(schema, OPENAI_SUBSET)).toEqual({ schema, lost: [] });
    expect(reduceSchema(schema, ANTHROPIC_SUBSET)).toBeUndefined();
  });

  it("finds definitions by names that a pointer escapes", () => {
    const schema = { ...closed({ a: { $ref: "#/$defs/x~1y%20z" } }), $defs: { "x/y z": text } };
    expect(reduceSchema(schema, ANTHROPIC_SUBSET)).toEqual({ schema, lost: [] });
  });

  it.each([
    ["a list", { type: "array", items: text }],
    ["a choice", { anyOf: [closed({}), closed({ a: text })] }],
    ["a reference", { $ref: "#/$defs/d", $defs: { d: closed({}) } }],
  ])("leaves an outermost schema that is %s to Anthropic alone", (_what, schema) => {
    expect(reduceSchema(schema, ANTHROPIC_SUBSET)).toEqual({ schema, lost: [] });
    expect(reduceSchema(schema, OPENAI_SUBSET)).toBeUndefined();
  });

  it("cannot hold OpenAI to a list of anything", () => {
    expect(reduceOne({ type: "array" }, OPENAI_SUBSET)).toBeUndefined();
    expect(reduceOne({ type: "array" }, ANTHROPIC_SUBSET)).toEqual({ schema: { type: "array" }, lost: [] });
  });
});
