import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, MODEL, type SdkFixture, startSdkFixture } from "../support/sdk-fixture.ts";
import { chatFrames, FRAMES } from "../support/upstream-frames.ts";

let fixture: SdkFixture;

beforeAll(async () => {
  fixture = await startSdkFixture();
});

afterAll(() => fixture.close());

/** As https://ai.google.dev/gemini-api/docs/thought-signatures has it for the Chat format. */
const SIGNED = {
  id: "call_1",
  type: "function",
  function: { name: "get_weather", arguments: '{"city":"Oslo"}' },
  extra_content: { google: { thought_signature: "EqQBCgIYAhIkMTIz+/abc==" } },
};
const CALLS = chatFrames([{ tool_calls: [{ index: 0, ...SIGNED }] }], "tool_calls");
const SECOND = chatFrames([{ tool_calls: [{ index: 0, ...SIGNED, id: "call_2" }] }], "tool_calls");

/** Agents that keep what their format holds of a call: its id, name and arguments. */
const AGENTS = {
  Messages: async (model: string) => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Warm?" }];
    const tools = [{ name: "get_weather", input_schema: { type: "object" as const } }];
    for (;;) {
      const { content } = await fixture
        .anthropic()
        .messages.stream({ model, max_tokens: 64, messages, tools })
        .finalMessage();
      const calls = content.filter((block) => block.type === "tool_use");
      if (calls.length === 0) return;
      const said = calls.map(({ id, name, input }) => ({ type: "tool_use" as const, id, name, input }));
      const results = calls.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: "4" }));
      messages.push({ role: "assistant", content: said }, { role: "user", content: results });
    }
  },
  Responses: async (model: string) => {
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Warm?" }];
    const tools = [{ type: "function" as const, name: "get_weather", parameters: {}, strict: false }];
    for (;;) {
      const { output } = await fixture.openai().responses.create({ model, input, tools, store: false });
      const calls = output.filter((item) => item.type === "function_call");
      if (calls.length === 0) return;
      for (const { call_id, name, arguments: text } of calls) {
        input.push({ type: "function_call", call_id, name, arguments: text });
        input.push({ type: "function_call_output", call_id, output: "4" });
      }
    }
  },
};

describe.each(Object.entries(AGENTS))("an agent of the %s format on a model that signs its calls", (_name, run) => {
  it("sends it back what it signed, over several steps", async () => {
    fixture.upstream.answer(answerOf(CALLS), answerOf(SECOND), answerOf(FRAMES.chat.text));
    await run(MODEL.chat);
    const [, first, result, second] = fixture.lastBody()["messages"] as Record<string, unknown>[];
    expect(first?.["tool_calls"]).toEqual([SIGNED]);
    expect(result).toMatchObject({ role: "tool", tool_call_id: "call_1" });
    expect(second?.["tool_calls"]).toEqual([{ ...SIGNED, id: "call_2" }]);
  });
});
