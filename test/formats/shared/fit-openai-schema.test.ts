import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { fitAnswerSchema, fitParameters, withProperties } from "../../../src/formats/shared/fit-openai-schema.ts";
import type { JsonObject } from "../../../src/formats/shared/json.ts";
import { LossList } from "../../../src/formats/shared/losses.ts";
import { createHubInput } from "../../../src/hub/input.ts";

const text = { type: "string" };
const closed = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const optional = closed({ a: text, b: text }, ["a"]);

function decide(dialect: Dialect, schema: JsonObject, strict?: boolean) {
  const losses = new LossList("chat", createHubInput());
  const fitted = fitAnswerSchema(strict === undefined ? {} : { strict }, schema, { dialect, losses });
  return { ...fitted, losses: losses.places };
}

describe("fitAnswerSchema()", () => {
  it("holds to the schema of a Messages caller, who has no word for it", () => {
    expect(decide(Dialect.MESSAGES, closed({ a: text }))).toEqual({
      schema: closed({ a: text }),
      strict: true,
      losses: [],
    });
  });

  it("closes objects, and names what moves into the description", () => {
    const schema = { type: "object", properties: { a: { ...text, minLength: 1 } }, required: ["a"] };
    expect(decide(Dialect.MESSAGES, schema)).toEqual({
      schema: closed({ a: { ...text, description: '{"minLength":1}' } }),
      strict: true,
      losses: ["output_format.schema_json.properties.a.minLength"],
    });
  });

  it.each([
    [Dialect.MESSAGES, undefined],
    [Dialect.CHAT, true],
    [Dialect.RESPONSES, true],
    [Dialect.UNSPECIFIED, true],
  ])("drops strict and leaves the schema whole where OpenAI cannot be held to it (dialect %i)", (dialect, strict) => {
    const schema = { ...optional, properties: { a: { ...text, minLength: 1 }, b: text } };
    expect(decide(dialect, schema, strict)).toEqual({ schema, strict: undefined, losses: ["output_format.strict"] });
  });

  it.each([[false], [undefined]])("leaves %s to callers who can say it", (strict) => {
    expect(decide(Dialect.CHAT, { type: "object" }, strict)).toEqual({
      schema: { type: "object" },
      strict,
      losses: [],
    });
  });

  it("names the schema itself behind its first hundred places", () => {
    const names = Array.from({ length: 5000 }, (_, index) => `p${index}`);
    const schema = closed(Object.fromEntries(names.map((name) => [name, { ...text, minLength: 1 }])));
    const { losses } = decide(Dialect.CHAT, schema, true);
    expect(losses).toHaveLength(101);
    expect(losses).toContain("output_format.schema_json");
  });
});

describe("fitParameters()", () => {
  function fitTool(schema: JsonObject, strict: boolean | undefined) {
    const losses = new LossList("chat", createHubInput());
    const tool = { parametersJson: JSON.stringify(schema), ...(strict === undefined ? {} : { strict }) };
    return { fitted: fitParameters(tool, "tools[1]", losses), losses: losses.places };
  }

  it("reduces the parameters of a strict function", () => {
    expect(fitTool({ type: "object", properties: {}, minProperties: 0 }, true)).toEqual({
      fitted: {
        schema: { type: "object", properties: {}, description: '{"minProperties":0}', additionalProperties: false },
        strict: true,
      },
      losses: ["tools[1].parameters_json.minProperties"],
    });
  });

  it("drops strict where OpenAI cannot be held to them", () => {
    expect(fitTool(optional, true)).toEqual({
      fitted: { schema: optional, strict: undefined },
      losses: ["tools[1].strict"],
    });
  });

  it.each([[false], [undefined]])("leaves a function whose strict is %s", (strict) => {
    expect(fitTool(optional, strict)).toEqual({ fitted: undefined, losses: [] });
  });
});

describe("withProperties()", () => {
  it.each([
    ['{"type":"object"}', '{"properties":{},"type":"object"}'],
    [
      ' { "$schema": "x", "type": "object", "maximum": 1e400 }',
      ' {"properties":{}, "$schema": "x", "type": "object", "maximum": 1e400 }',
    ],
    ['{"type":"object","properties":{}}', '{"type":"object","properties":{}}'],
    ['{"type":"string"}', '{"type":"string"}'],
    ["{}", "{}"],
    ["[]", "[]"],
    ["{", "{"],
  ])("returns %s as %s", (json, expected) => {
    expect(withProperties(json)).toBe(expected);
  });
});
