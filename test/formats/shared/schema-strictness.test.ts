import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, JsonSchemaSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../../src/formats/shared/json.ts";
import { LossList } from "../../../src/formats/shared/losses.ts";
import { schemaStrictness } from "../../../src/formats/shared/schema-strictness.ts";
import { createHubInput } from "../../../src/hub/input.ts";

function decide(dialect: Dialect, schema: JsonObject, strict?: boolean) {
  const losses = new LossList("chat", createHubInput());
  const decided = schemaStrictness(create(JsonSchemaSchema, strict === undefined ? {} : { strict }), schema, {
    dialect,
    losses,
  });
  return { strict: decided, losses: losses.places };
}

const closed = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = { type: "string" };

describe("schemaStrictness()", () => {
  it.each([
    ["an object without properties", closed({})],
    ["a closed object", closed({ a: text })],
    [
      "closed objects in lists, choices and definitions",
      {
        ...closed({
          list: { type: "array", items: closed({ b: text }) },
          choice: { anyOf: [text, closed({ c: text })] },
        }),
        $defs: { d: closed({ e: text }) },
      },
    ],
  ])("is strict for a Messages caller with %s", (_what, schema) => {
    expect(decide(Dialect.MESSAGES, schema)).toEqual({ strict: true, losses: [] });
  });

  it.each([
    ["a property that may be left out", closed({ a: text, b: text }, ["a"])],
    ["an open object", { type: "object", properties: {} }],
    ["an open object in a list", closed({ list: { type: "array", items: { type: "object" } } })],
    ["an open object in a definition", { ...closed({}), $defs: { d: { properties: { a: text } } } }],
    ["an object that may be null and is open", closed({ a: { type: ["object", "null"] } })],
    ["a keyword that OpenAI does not take", closed({ a: { allOf: [text] } })],
    ["a schema that is true", closed({ a: true })],
    ["something else than an object", { type: "array", items: text }],
  ])("names the loss for a Messages caller with %s", (_what, schema) => {
    expect(decide(Dialect.MESSAGES, schema)).toEqual({ strict: undefined, losses: ["output_format.strict"] });
  });

  it.each([[true], [false], [undefined]])("leaves %s to callers of other formats, who can say it", (strict) => {
    expect(decide(Dialect.CHAT, { type: "object" }, strict)).toEqual({ strict, losses: [] });
  });
});
