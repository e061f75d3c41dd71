import { expect, it } from "vitest";
import { satisfySchema } from "../../../../src/upstream/sandbox/json/satisfy-schema.ts";

it.each([
  ["a property", '{"properties":{"__proto__":{"const":1}},"required":["__proto__"]}', '{"__proto__":1}'],
  [
    "a reference",
    '{"$defs":{"__proto__":{"const":1}},"properties":{"a":{"$ref":"#/$defs/__proto__"}},"required":["a"]}',
    '{"a":1}',
  ],
  ["a text", '{"properties":{"a":{"enum":["__proto__"]}},"required":["a"]}', '{"a":"__proto__"}'],
])("satisfySchema() finds an object for a schema with %s of the name __proto__", (_what, schema, found) => {
  expect(satisfySchema(schema, "object")).toBe(found);
});
