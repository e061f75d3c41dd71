import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { satisfySchema } from "../../../../src/upstream/sandbox/json/satisfy-schema.ts";
import { UnsatisfiableSchema } from "../../../../src/upstream/sandbox/json/unsatisfiable-schema.ts";

type Schema = Record<string, unknown>;

const bounds = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat({ max: 50 })).map(([low, size]) => [low, low + size]);
const lengths = fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 })).map(([low, size]) => [low, low + size]);
const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));

/** Schemas of plain values; each has at least one. */
const leaf: fc.Arbitrary<Schema> = fc.oneof(
  lengths.map(([minLength, maxLength]) => ({ type: "string", minLength, maxLength })),
  fc
    .constantFrom("^[A-Z]{3}-\\d{4}$", "^#[0-9a-f]{6}$", "^(cat|dog)$", "\\d+", "^[a-z]+@[a-z]+\\.com$", "^\\S{2,5}$")
    .map((pattern) => ({ type: "string", pattern })),
  fc.constantFrom("date", "date-time", "email", "uuid", "uri", "unknown").map((format) => ({ type: "string", format })),
  bounds.map(([minimum, maximum]) => ({ type: "integer", minimum, maximum })),
  bounds.map(([exclusiveMinimum, maximum]) => ({ type: "number", exclusiveMinimum, maximum: Number(maximum) + 1 })),
  bounds.map(([minimum, exclusiveMaximum]) => ({
    type: "number",
    minimum,
    exclusiveMaximum: Number(exclusiveMaximum) + 1,
  })),
  fc
    .integer({ min: 1, max: 20 })
    .chain((multipleOf) =>
      fc
        .integer({ min: -50, max: 50 })
        .map((minimum) => ({ type: "integer", multipleOf, minimum, maximum: minimum + 20 })),
    ),
  fc
    .uniqueArray(scalar, { minLength: 1, maxLength: 5, comparator: "SameValueZero" })
    .map((values) => ({ enum: values })),
  scalar.map((value) => ({ const: value })),
  fc.constantFrom("boolean", "null", "string", "number", "integer").map((type) => ({ type })),
  fc.constantFrom(["string", "null"], ["null", "integer"], ["boolean", "string"]).map((type) => ({ type })),
  fc.constantFrom({}, { description: "anything" }, { $ref: "#/$defs/shared" }, { $ref: "#/$defs/tree" }),
);

const names = fc.constantFrom("city", "unit", "a b", "x-y", "constructor", "toString", "日本");

const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
  const object = fc
    .tuple(
      fc.uniqueArray(fc.tuple(names, tie("schema")), { maxLength: 4, selector: ([name]) => name }),
      fc.nat(),
      fc.boolean(),
    )
    .map(([members, mask, isClosed]) => ({
      type: "object",
      properties: Object.fromEntries(members),
      required: members.filter((_member, index) => (mask >> index) % 2 === 1).map(([name]) => name),
      ...(isClosed ? { additionalProperties: false } : {}),
    }));
  const array = fc
    .tuple(tie("schema"), fc.nat({ max: 3 }), fc.nat({ max: 2 }))
    .map(([items, minItems, more]) => ({ type: "array", items, minItems, maxItems: minItems + more }));
  const distinct = fc
    .tuple(fc.nat({ max: 3 }), fc.constantFrom("string", "integer", "number"))
    .map(([minItems, type]) => ({ type: "array", items: { type }, minItems, uniqueItems: true }));
  const tuple = fc
    .array(tie("schema"), { minLength: 1, maxLength: 3 })
    .map((prefixItems) => ({ type: "array", prefixItems, items: false, minItems: prefixItems.length }));
  const choice = fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf }));
  const exclusive = tie("schema").map((inner) => ({
    oneOf: [{ type: "null" }, { type: "object", properties: { inner }, required: ["inner"] }],
  }));
  const together = fc.tuple(tie("schema"), leaf).map(([one, other]) => ({
    allOf: [
      { type: "object", properties: { one }, required: ["one"] },
      { properties: { other }, required: ["other"] },
    ],
  }));
  const conditional = tie("schema").map((extra) => ({
    type: "object",
    properties: { kind: { enum: ["a", "b"] }, extra },
    required: ["kind"],
    if: { properties: { kind: { const: "a" } } },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON schema.
    then: { required: ["extra"] },
  }));
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      object,
      array,
      distinct,
      tuple,
      choice,
      exclusive,
      together,
      conditional,
    ),
  };
});

const document = schema.map((root) => ({
  ...root,
  $defs: {
    shared: { type: "object", properties: { n: { type: "integer", minimum: 3 } }, required: ["n"] },
    tree: {
      type: "object",
      properties: { value: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/tree" } } },
      required: ["value", "children"],
      additionalProperties: false,
    },
  },
}));

function isAccepted(by: unknown, text: string): boolean {
  const options = { strict: false, validateFormats: false, logger: false, ownProperties: true } as const;
  return new Ajv2020(options).compile(by as Schema)(JSON.parse(text));
}

describe("satisfySchema()", () => {
  it("finds a value for every schema that has one, always the same", () => {
    fc.assert(
      fc.property(document, (root) => {
        const text = satisfySchema(JSON.stringify(root), "any");
        expect(isAccepted(root, text)).toBe(true);
        expect(satisfySchema(JSON.stringify(root), "any")).toBe(text);
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it.each([
    "{}",
    "true",
    '{"properties":{"a":{"type":"string"}}}',
    '{"type":"object","properties":{"a":{"type":"integer"},"b":{"enum":["x","y"]}}}',
    '{"anyOf":[{"type":"string"},{"type":"object","required":["a"]}]}',
    '{"type":["null","object"]}',
  ])("finds an object for %s", (schemaJson) => {
    const text = satisfySchema(schemaJson, "object");
    expect(JSON.parse(text)).toBeTypeOf("object");
    expect(isAccepted(JSON.parse(schemaJson), text)).toBe(true);
  });

  it("takes every property, and what the schema has for an example", () => {
    const properties = { a: { type: "string", default: "d" }, b: { type: "string", examples: ["e"] }, c: { const: 1 } };
    expect(satisfySchema(JSON.stringify({ type: "object", properties }), "any")).toBe('{"a":"d","b":"e","c":1}');
  });

  it.each([
    '{"default":5,"type":"string"}',
    '{"type":"number","multipleOf":0.1,"minimum":0.35}',
    '{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}',
    '{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}',
    '{"type":"object","minProperties":2}',
    '{"type":"object","patternProperties":{"^n":{"type":"integer"}},"required":["n1"]}',
    '{"definitions":{"a/b":{"const":1}},"$ref":"#/definitions/a~1b"}',
  ])("finds a value for %s", (schemaJson) => {
    expect(isAccepted(JSON.parse(schemaJson), satisfySchema(schemaJson, "any"))).toBe(true);
  });

  it.each([
    '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"const":1},{"const":2}],"type":"array"}',
    '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"const":1}],"additionalItems":false,"type":"array"}',
  ])("finds a value for %s of an older draft", (schemaJson) => {
    expect(
      new Ajv({ strict: false }).compile(JSON.parse(schemaJson))(JSON.parse(satisfySchema(schemaJson, "any"))),
    ).toBe(true);
  });

  it("ends a schema that contains itself", () => {
    const node = {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
      required: ["next"],
    };
    expect(isAccepted(node, satisfySchema(JSON.stringify(node), "any"))).toBe(true);
  });

  it.each([
    ["{", "the schema is not valid JSON"],
    ["5", "the schema is not valid: a schema must be an object or a boolean"],
    ["false", "the sandbox finds no value that the schema accepts"],
    ['{"type":"integer","minimum":2,"maximum":1}', "the sandbox finds no value that the schema accepts"],
    [
      '{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}',
      "the sandbox finds no value that the schema accepts",
    ],
    [
      '{"$ref":"https://example.com/s.json"}',
      "the schema is not valid: can't resolve reference https://example.com/s.json from id #",
    ],
    ['{"pattern":"("}', /^the schema is not valid: Invalid regular expression/],
    ['{"type":"array","minItems":1e9}', "the schema asks for too much for the sandbox: minItems may be 1000 at most"],
    [
      '{"type":"string","minLength":1e9}',
      "the schema asks for too much for the sandbox: minLength may be 100000 at most",
    ],
    ['{"pattern":"((a{999}){999}){999}"}', "a pattern of the schema repeats too much for the sandbox"],
    [JSON.stringify({ description: "x".repeat(300_000) }), "the schema is too large for the sandbox"],
  ])("refuses %.80s", (schemaJson, message) => {
    expect(() => satisfySchema(schemaJson, "any")).toThrow(UnsatisfiableSchema);
    expect(() => satisfySchema(schemaJson, "any")).toThrow(message);
  });

  it("gives up on a pattern that would keep it busy for years", () => {
    const begin = performance.now();
    const schemaJson = JSON.stringify({ type: "string", default: `${"a".repeat(60)}!`, pattern: "^(a+)+$" });
    expect(() => satisfySchema(schemaJson, "any")).toThrow("finding a value for the schema takes too long");
    expect(performance.now() - begin).toBeLessThan(15_000);
  });

  it("gives up on lists of lists of lists", () => {
    let nested: object = { type: "null" };
    for (let level = 0; level < 5; level += 1) nested = { type: "array", items: nested, minItems: 500 };
    expect(() => satisfySchema(JSON.stringify(nested), "any")).toThrow(UnsatisfiableSchema);
  }, 30_000);
});
