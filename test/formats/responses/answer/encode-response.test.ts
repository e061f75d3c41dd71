import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect, RawJsonSchema, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { answer, codec, resource, respond, SUFFIX, summary, text } from "./answer.ts";

const STOP = { reason: FinishReason.STOP };

function responses(object: unknown) {
  return create(RawJsonSchema, { dialect: Dialect.RESPONSES, json: JSON.stringify(object) });
}

function outputText(value: string) {
  return { type: "output_text", text: value, annotations: [], logprobs: [] };
}

describe("encodeResponse()", () => {
  it("encodes a text with every member of the format, in its order", () => {
    const usage = { inputTokens: 7, cacheReadTokens: 3, cacheWriteTokens: 2, outputTokens: 5, reasoningTokens: 1 };
    const body = respond(answer([[{ kind: { case: "text", value: {} } }, text("Hi"), text("!")]], { ...STOP, usage }));
    const expected = resource({
      output: [
        {
          id: `msg_${SUFFIX}_0`,
          type: "message",
          role: "assistant",
          status: "completed",
          content: [outputText("Hi!")],
        },
      ],
      usage: {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 17,
      },
    });
    expect(body).toEqual(expected);
    expect(Object.keys(body)).toEqual(Object.keys(expected));
  });

  it("gives an item whose id its upstream has used before one of its own", () => {
    const call = { id: "call_1", name: "f", kind: ToolKind.FUNCTION };
    const before = { kind: { case: "text", value: {} }, itemId: "msg_1" } as const;
    const between = { kind: { case: "toolUse", value: call }, itemId: "fc_1" } as const;
    const body = respond(answer([[before, text("a")], [between], [before, text("b")]], STOP));
    expect(body["output"]).toMatchObject([{ id: "msg_1" }, { id: "fc_1" }, { id: `msg_${SUFFIX}_2` }]);
  });

  it("repeats the request", () => {
    const request = codec.decodeRequest({
      model: "attune/m",
      input: "Hello",
      instructions: "Be brief.",
      max_output_tokens: 50,
      max_tool_calls: 2,
      parallel_tool_calls: false,
      prompt_cache_key: "key",
      reasoning: { effort: "low" },
      safety_identifier: "user-1",
      service_tier: "flex",
      store: true,
      temperature: 0.2,
      text: { format: { type: "json_object" }, verbosity: null },
      tool_choice: { type: "function", name: "f" },
      tools: [{ type: "function", name: "f" }, { type: "web_search" }],
      top_p: 0.5,
      truncation: "auto",
      metadata: { a: "1" },
      user: "someone",
    });
    expect(respond(answer([], STOP), request)).toEqual(
      resource({
        instructions: "Be brief.",
        max_output_tokens: 50,
        max_tool_calls: 2,
        parallel_tool_calls: false,
        prompt_cache_key: "key",
        reasoning: { effort: "low", summary: null },
        safety_identifier: "user-1",
        service_tier: "flex",
        temperature: 0.2,
        text: { format: { type: "json_object" } },
        tool_choice: { type: "function", name: "f" },
        tools: [
          { type: "function", name: "f", description: null, parameters: null, strict: null },
          { type: "web_search" },
        ],
        top_p: 0.5,
        truncation: "auto",
        metadata: { a: "1" },
        user: "someone",
      }),
    );
  });

  it("makes items of reasoning, text, refusal, calls and what only this format knows", () => {
    const call = { id: "call_1", name: "f", kind: ToolKind.FUNCTION };
    const custom = { id: "call_2", name: "shell", kind: ToolKind.CUSTOM, arguments: "ls" };
    const body = respond(
      answer(
        [
          [
            { kind: { case: "thinking", value: {} } },
            summary(0, "Fir"),
            summary(0, "st"),
            summary(1, "Second"),
            { case: "thinking", value: "Raw" },
            { case: "opaque", value: "gAAA==" },
          ],
          [{ kind: { case: "redactedThinking", value: { data: "EqQB" } } }],
          [{ kind: { case: "text", value: {} } }, text("One")],
          [{ kind: { case: "refusal", value: {} } }, text("No.")],
          [{ kind: { case: "toolUse", value: call } }, { case: "arguments", value: '{"a":1}' }],
          [{ kind: { case: "toolUse", value: custom } }],
          [
            {
              kind: { case: "opaque", value: responses({ type: "web_search_call", id: "ws_1", status: "completed" }) },
            },
          ],
          [
            {
              kind: {
                case: "opaque",
                value: create(RawJsonSchema, { dialect: Dialect.MESSAGES, json: '{"type":"server_tool_use"}' }),
              },
            },
          ],
          [{ kind: { case: "text", value: {} } }, text("Two")],
        ],
        { reason: FinishReason.TOOL_USE },
      ),
    );
    expect(body.output).toEqual([
      {
        id: `rs_${SUFFIX}_0`,
        type: "reasoning",
        summary: [
          { type: "summary_text", text: "First" },
          { type: "summary_text", text: "Second" },
        ],
        content: [{ type: "reasoning_text", text: "Raw" }],
        encrypted_content: "gAAA==",
      },
      { id: `rs_${SUFFIX}_1`, type: "reasoning", summary: [], encrypted_content: "EqQB" },
      {
        id: `msg_${SUFFIX}_2`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [outputText("One"), { type: "refusal", refusal: "No." }],
      },
      {
        id: `fc_${SUFFIX}_3`,
        type: "function_call",
        call_id: "call_1",
        name: "f",
        arguments: '{"a":1}',
        status: "completed",
      },
      {
        id: `ctc_${SUFFIX}_4`,
        type: "custom_tool_call",
        call_id: "call_2",
        name: "shell",
        input: "ls",
        status: "completed",
      },
      { type: "web_search_call", id: "ws_1", status: "completed" },
      { id: `msg_${SUFFIX}_6`, type: "message", role: "assistant", status: "completed", content: [outputText("Two")] },
    ]);
  });

  it("keeps the items of an upstream of this format as they were", () => {
    const annotation = { type: "url_citation", url: "https://a", title: "A", start_index: 0, end_index: 1 };
    const body = respond(
      answer(
        [
          [
            {
              kind: { case: "text", value: {} },
              itemId: "msg_a",
              itemExtension: responses({ phase: "commentary" }),
            },
            text("a"),
            { case: "raw", value: responses({ annotations: [annotation] }) },
          ],
          [{ kind: { case: "text", value: {} }, itemId: "msg_a" }, text("b")],
          [{ kind: { case: "text", value: {} }, itemId: "msg_b" }, text("c")],
        ],
        {
          ...STOP,
          extension: responses({ service_tier: "flex", temperature: null, user: null, moderation: null, top_p: 0.98 }),
        },
      ),
    );
    expect(body).toEqual(
      resource({
        output: [
          {
            id: "msg_a",
            type: "message",
            role: "assistant",
            status: "completed",
            content: [{ ...outputText("a"), annotations: [annotation] }, outputText("b")],
            phase: "commentary",
          },
          { id: "msg_b", type: "message", role: "assistant", status: "completed", content: [outputText("c")] },
        ],
        service_tier: "flex",
        top_p: 0.98,
        moderation: null,
      }),
    );
  });

  const incomplete: [reason: FinishReason, raw: string, details: string][] = [
    [FinishReason.LENGTH, "length", "max_output_tokens"],
    [FinishReason.CONTEXT_WINDOW, "model_context_window_exceeded", "max_output_tokens"],
    [FinishReason.CONTENT_FILTER, "content_filter", "content_filter"],
    [FinishReason.REFUSAL, "refusal", "content_filter"],
    [FinishReason.PAUSE, "max_messages", "max_messages"],
  ];

  it.each(incomplete)("tells that reason %i leaves the answer incomplete", (reason, rawReason, details) => {
    const call = { id: "call_1", name: "f", kind: ToolKind.FUNCTION, arguments: '{"a":' };
    const blocks: Parameters<typeof answer>[0] = [
      [{ kind: { case: "text", value: { text: "a" } } }],
      [{ kind: { case: "toolUse", value: call } }],
    ];
    expect(respond(answer(blocks, { reason, rawReason }))).toMatchObject({
      status: "incomplete",
      completed_at: null,
      incomplete_details: { reason: details },
      output: [{ status: "completed" }, { status: "incomplete", arguments: '{"a":' }],
    });
  });

  it("takes a refusal in words for a complete answer", () => {
    const blocks: Parameters<typeof answer>[0] = [[{ kind: { case: "refusal", value: { text: "No." } } }]];
    expect(respond(answer(blocks, { reason: FinishReason.REFUSAL }))).toMatchObject({
      status: "completed",
      incomplete_details: null,
    });
  });

  it.each([
    ["a text that it cut off", { kind: { case: "text", value: { text: "I" } } }],
    ["a call", { kind: { case: "toolUse", value: { id: "c", name: "f", arguments: "{}" } } }],
  ] as const)("does not take a refusal behind %s for a complete answer", (_what, first) => {
    const blocks: Parameters<typeof answer>[0] = [[first], [{ kind: { case: "refusal", value: { text: "No." } } }]];
    expect(respond(answer(blocks, { reason: FinishReason.REFUSAL }))).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
    });
  });

  it("takes a refusal behind a text without words for a complete answer", () => {
    const blocks: Parameters<typeof answer>[0] = [
      [{ kind: { case: "text", value: { text: "" } } }],
      [{ kind: { case: "refusal", value: { text: "No." } } }],
    ];
    expect(respond(answer(blocks, { reason: FinishReason.REFUSAL }))).toMatchObject({ status: "completed" });
  });

  it("gives back what only this format counts", () => {
    const usage = {
      inputTokens: 1,
      cacheWriteTokens: 4,
      outputTokens: 1,
      extension: responses({
        input_tokens_details: { cache_write_tokens_details: { ttl_30m_tokens: 4, ttl_12h_tokens: 0 } },
      }),
    };
    expect(respond(answer([], { ...STOP, usage })).usage).toEqual({
      input_tokens: 5,
      input_tokens_details: {
        cached_tokens: 0,
        cache_write_tokens: 4,
        cache_write_tokens_details: { ttl_30m_tokens: 4, ttl_12h_tokens: 0 },
      },
      output_tokens: 1,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 6,
    });
  });
});
