import { describe, expect, it } from "vitest";
import { fitInputSchema } from "../../../../src/formats/messages/request/fit-input-schema.ts";
import { LossList } from "../../../../src/formats/shared/losses.ts";
import { createHubInput } from "../../../../src/hub/input.ts";

const text = { type: "string" };

function fitted(schema: Record<string, unknown>) {
  const losses = new LossList(undefined, createHubInput({}));
  return { schema: fitInputSchema(schema, "tools[0].parameters_json", losses), losses: losses.places };
}

describe("fitInputSchema()", () => {
  it("leaves an object as it is, and says the type of one that has none", () => {
    const schema = { type: "object", properties: { q: { anyOf: [text, { type: "null" }] } } };
    expect(fitted(schema)).toEqual({ schema, losses: [] });
    expect(fitted({})).toEqual({ schema: { type: "object" }, losses: [] });
    expect(fitted({ type: ["object", "null"] })).toEqual({ schema: { type: "object" }, losses: [] });
  });

  it.each(["oneOf", "anyOf", "allOf"])("joins the branches of %s, which the format refuses at the top", (name) => {
    const branches = [
      { type: "object", properties: { from: text, q: { type: "number" } }, required: ["from"] },
      { type: "object", properties: { to: text }, required: ["to"] },
    ];
    expect(fitted({ type: "object", properties: { q: text }, required: ["q"], [name]: branches })).toEqual({
      schema: { type: "object", properties: { to: text, from: text, q: text }, required: ["q"] },
      losses: [`tools[0].parameters_json.${name}`],
    });
  });

  it("drops a union that only says which members are needed", () => {
    expect(fitted({ type: "object", properties: { q: text }, anyOf: [{ required: ["q"] }] }).schema).toEqual({
      type: "object",
      properties: { q: text },
    });
  });
});
