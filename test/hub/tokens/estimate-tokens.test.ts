import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { estimateInputTokens } from "../../../src/hub/tokens/estimate-tokens.ts";

type Input = MessageInitShape<typeof InferenceInputSchema>;
type Block = NonNullable<Input["system"]>[number];

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const said = (...content: Block[]): Input => ({ messages: [{ content }] });

const cases: readonly (readonly [name: string, input: Input, tokens: number])[] = [
  ["an empty request, which is still a prompt", {}, 1],
  ["a text of 9 characters", said(text("Say hello")), 3],
  ["the system prompt and the messages together", { system: [text("Be nice.")], ...said(text("1234")) }, 3],
  ["a call: name and arguments", said({ kind: { case: "toolUse", value: { name: "look", arguments: "{}{}" } } }), 2],
  ["a result", said({ kind: { case: "toolResult", value: { content: [text("12345678")] } } }), 2],
  ["thinking: summary and text", said({ kind: { case: "thinking", value: { summary: ["1234"], text: "5678" } } }), 2],
  ["a refusal", said({ kind: { case: "refusal", value: { text: "1234" } } }), 1],
  ["a document of text", said({ kind: { case: "document", value: { source: { case: "text", value: "12345" } } } }), 2],
  [
    "a document of blocks",
    said({ kind: { case: "document", value: { source: { case: "content", value: { blocks: [text("12345")] } } } } }),
    2,
  ],
  [
    "an image, whose tokens its bytes do not tell",
    said({
      kind: {
        case: "image",
        value: { source: { case: "inline", value: { mediaType: "image/png", base64: "A".repeat(400) } } },
      },
    }),
    1,
  ],
  [
    "a block that only one format knows",
    said({ kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: '{"a":1}' } } }),
    2,
  ],
  [
    "tools: names, descriptions and schemas",
    {
      tools: [
        { kind: { case: "function", value: { name: "look", description: "Look", parametersJson: "{}" } } },
        { kind: { case: "custom", value: { name: "ab" } } },
        { kind: { case: "opaque", value: { dialect: Dialect.RESPONSES, json: "{  }" } } },
      ],
    },
    4,
  ],
];

describe("estimateInputTokens()", () => {
  it.each(cases)("counts %s", (_name, input, tokens) => {
    expect(estimateInputTokens(create(InferenceInputSchema, input))).toBe(tokens);
  });
});
