import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createHubInput } from "../../../src/hub/input.ts";
import { contentAttributes } from "../../../src/observability/telemetry/sdk/content-attributes.ts";

const textOf = (text: string) => ({ kind: { case: "text" as const, value: { text } } });
const toolUse = { id: "call_1", name: "get_weather", arguments: '{"city":"Oslo"}' };

const output = create(GenerateResponseSchema, {
  content: [
    { kind: { case: "thinking", value: { text: "Let me think." } } },
    { kind: { case: "toolUse", value: toolUse } },
  ],
  finished: { reason: FinishReason.TOOL_USE },
});

describe("contentAttributes()", () => {
  it("has prompt and answer in the JSON of the conventions", () => {
    const input = createHubInput({
      system: [textOf("Be short.")],
      messages: [
        { role: Role.USER, content: [textOf("Weather?"), { kind: { case: "image", value: {} } }] },
        { role: Role.ASSISTANT, content: [{ kind: { case: "toolUse", value: toolUse } }] },
        {
          role: Role.USER,
          content: [{ kind: { case: "toolResult", value: { toolUseId: "call_1", content: [textOf("4 degrees")] } } }],
        },
      ],
    });
    const attributes = contentAttributes({ input, output });
    const call = { type: "tool_call", id: "call_1", name: "get_weather", arguments: { city: "Oslo" } };
    expect(JSON.parse(String(attributes["gen_ai.system_instructions"]))).toEqual([
      { type: "text", content: "Be short." },
    ]);
    expect(JSON.parse(String(attributes["gen_ai.input.messages"]))).toEqual([
      { role: "user", parts: [{ type: "text", content: "Weather?" }, { type: "image" }] },
      { role: "assistant", parts: [call] },
      {
        role: "tool",
        parts: [{ type: "tool_call_response", id: "call_1", response: [{ type: "text", content: "4 degrees" }] }],
      },
    ]);
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
      { role: "assistant", parts: [{ type: "reasoning", content: "Let me think." }, call], finish_reason: "tool_call" },
    ]);
    expect(attributes["attune.content.omitted"]).toBeUndefined();
  });

  it("has reasoning of which there is a summary alone, calls without JSON, and tools by their names", () => {
    const answer = create(GenerateResponseSchema, {
      content: [
        { kind: { case: "thinking", value: { summary: ["because", "of this"], opaque: "s" } } },
        { kind: { case: "redactedThinking", value: { data: "sealed" } } },
        { kind: { case: "toolUse", value: { id: "c", name: "write", arguments: "free text" } } },
      ],
    });
    const tools = [
      { kind: { case: "function" as const, value: { name: "get_weather", description: "Weather" } } },
      { kind: { case: "custom" as const, value: { name: "write" } } },
    ];
    const attributes = contentAttributes({ input: createHubInput({ tools }), output: answer });
    expect(JSON.parse(String(attributes["gen_ai.output.messages"]))).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "because\n\nof this" },
          { type: "reasoning", content: "" },
          { type: "tool_call", id: "c", name: "write", arguments: "free text" },
        ],
        finish_reason: "error",
      },
    ]);
    expect(JSON.parse(String(attributes["gen_ai.tool.definitions"]))).toEqual([
      { type: "function", name: "get_weather" },
      { type: "custom", name: "write" },
    ]);
  });

  it("leaves out what is longer than 64 Ki characters, and says so", () => {
    const input = createHubInput({ messages: [{ role: Role.USER, content: [textOf("x".repeat(65_537))] }] });
    const attributes = contentAttributes({ input, output });
    expect(attributes["gen_ai.input.messages"]).toBeUndefined();
    expect(attributes["gen_ai.output.messages"]).toEqual(expect.any(String));
    expect(attributes["attune.content.omitted"]).toBe(true);
  });
});
