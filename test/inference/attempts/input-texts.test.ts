import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { inputTexts } from "../../../src/inference/attempts/input-texts.ts";

describe("inputTexts()", () => {
  it("has what people wrote in each place of a request, and no names", () => {
    const schema = { properties: { city: { description: "where", enum: ["Oslo"], default: { a: "b" } } } };
    const input = createHubInput({
      system: [{ kind: { case: "text", value: { text: "system" } } }],
      messages: [
        {
          content: [
            { kind: { case: "text", value: { text: "prompt" } } },
            { kind: { case: "image", value: { source: { case: "url", value: "https://a.example" } } } },
            { kind: { case: "toolUse", value: { id: "c", name: "look", arguments: '{"q":1}' } } },
          ],
        },
      ],
      tools: [
        {
          kind: {
            case: "function",
            value: { name: "look", description: "looks", parametersJson: JSON.stringify(schema) },
          },
        },
      ],
      stopSequences: ["END"],
      endUserId: "ada",
      extension: { dialect: Dialect.CHAT, json: '{"user":"u-7","prediction":{"content":"draft"}}' },
      metadata: { order: "77" },
      outputFormat: {
        kind: { case: "jsonSchema", value: { name: "out", schemaJson: '{"title":"Out","required":["a"]}' } },
      },
    });
    expect([...inputTexts(input)]).toEqual([
      "prompt",
      '{"q":1}',
      "system",
      "END",
      "ada",
      "77",
      "u-7",
      "draft",
      "looks",
      "where",
      "Oslo",
      "b",
      "Out",
      "https://a.example",
    ]);
  });
});
