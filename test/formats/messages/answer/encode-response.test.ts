import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Dialect, RawJsonSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeResponse } from "../../../../src/formats/messages/answer/encode-response.ts";
import { fold, ID, toolAnswer } from "../request/answer.ts";

const rawJson = (json: string, dialect: Dialect = Dialect.MESSAGES) => create(RawJsonSchema, { dialect, json });

/** The content of an answer with one block, as text. */
function contentOf(...content: MessageInitShape<typeof ContentBlockSchema>[]): string {
  const text = encodeResponse(create(GenerateResponseSchema, { id: ID, model: "m", content }));
  return text.slice(text.indexOf('"content":') + '"content":'.length, text.indexOf(',"stop_reason"'));
}

describe("encodeResponse()", () => {
  it("writes every key of the format", () => {
    expect(encodeResponse(fold(toolAnswer()))).toBe(
      `{"id":"${ID}","type":"message","role":"assistant","model":"attune/m","content":[` +
        '{"type":"thinking","thinking":"Two cities.","signature":"c2lnbmF0dXJl"},' +
        '{"type":"text","text":"I look \\"both\\" up 🌦.\\n"},' +
        '{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Paris"},"caller":{"type":"direct"}},' +
        '{"type":"tool_use","id":"toolu_2","name":"get_time","input":{},"caller":{"type":"direct"}}],' +
        '"stop_reason":"tool_use","stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,' +
        '"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":5,' +
        '"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":40,' +
        '"output_tokens_details":{"thinking_tokens":9},"server_tool_use":null,"service_tier":null,"speed":null,"inference_geo":null}}',
    );
  });

  const blocks: readonly [string, MessageInitShape<typeof ContentBlockSchema>, string][] = [
    [
      "thinking in parts",
      { kind: { case: "thinking", value: { summary: ["One.", "Two."], text: "raw" } } },
      '[{"type":"thinking","thinking":"One.\\n\\nTwo.","signature":""}]',
    ],
    [
      "raw thinking",
      { kind: { case: "thinking", value: { text: "raw", opaque: "s" } } },
      '[{"type":"thinking","thinking":"raw","signature":"s"}]',
    ],
    [
      "redacted thinking",
      { kind: { case: "redactedThinking", value: { data: "ZA==" } } },
      '[{"type":"redacted_thinking","data":"ZA=="}]',
    ],
    ["a refusal", { kind: { case: "refusal", value: { text: "No." } } }, '[{"type":"text","text":"No."}]'],
    [
      "citations",
      { kind: { case: "text", value: { text: "x" } }, extension: rawJson('{"citations":[{"cited_text":"y"}]}') },
      '[{"type":"text","text":"x","citations":[{"cited_text":"y"}]}]',
    ],
    [
      "members of another format",
      { kind: { case: "text", value: { text: "x" } }, extension: rawJson('{"annotations":[]}', Dialect.RESPONSES) },
      '[{"type":"text","text":"x"}]',
    ],
    [
      "exact numbers, order of keys and repeated keys",
      {
        kind: {
          case: "toolUse",
          value: { id: "t", name: "f", arguments: '{"2":9007199254740993,"1":1e400,"a":1,"a":2}' },
        },
        extension: rawJson('{"caller":{"type":"code_execution_20260120","tool_id":"srv"},"toolset_name":"browser"}'),
      },
      '[{"type":"tool_use","id":"t","name":"f","input":{"2":9007199254740993,"1":1e400,"a":1,"a":2},"caller":{"type":"code_execution_20260120","tool_id":"srv"},"toolset_name":"browser"}]',
    ],
    [
      "arguments that are no object",
      { kind: { case: "toolUse", value: { id: "t", name: "f", arguments: "[1]" } } },
      '[{"type":"tool_use","id":"t","name":"f","input":{},"caller":{"type":"direct"}}]',
    ],
    [
      "a block that only this format knows",
      { kind: { case: "opaque", value: rawJson('{"type":"server_tool_use","id":"srv","input":{}}') } },
      '[{"type":"server_tool_use","id":"srv","input":{}}]',
    ],
    [
      "nothing for an item that only another format knows",
      { kind: { case: "opaque", value: rawJson('{"type":"web_search_call"}', Dialect.RESPONSES) } },
      "[]",
    ],
  ];

  it.each(blocks)("writes %s", (_what, block, expected) => {
    expect(contentOf(block)).toBe(expected);
  });

  it("merges members of the message and of its usage, and splits what was written to the cache", () => {
    const response = create(GenerateResponseSchema, {
      id: ID,
      model: "m",
      finished: {
        reason: FinishReason.REFUSAL,
        extension: rawJson('{"stop_details":{"type":"refusal","category":"cyber"},"container":{"id":"c"},"x":1}'),
        usage: {
          inputTokens: 1,
          cacheReadTokens: 2,
          cacheWriteTokens: 7,
          cacheWrite5mTokens: 3,
          cacheWrite1hTokens: 4,
          outputTokens: 5,
          extension: rawJson('{"service_tier":"standard","iterations":[]}'),
        },
      },
    });
    expect(JSON.parse(encodeResponse(response))).toEqual({
      id: ID,
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: "refusal",
      stop_sequence: null,
      stop_details: { type: "refusal", category: "cyber" },
      container: { id: "c" },
      diagnostics: null,
      x: 1,
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: 7,
        cache_read_input_tokens: 2,
        cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
        output_tokens: 5,
        output_tokens_details: null,
        server_tool_use: null,
        service_tier: "standard",
        speed: null,
        inference_geo: null,
        iterations: [],
      },
    });
  });

  it("does not split what an upstream of another format wrote to its cache", () => {
    const finished = { usage: { cacheWriteTokens: 7 } };
    const { usage } = JSON.parse(encodeResponse(create(GenerateResponseSchema, { finished })));
    expect(usage).toMatchObject({ cache_creation_input_tokens: 7, cache_creation: null });
  });
});
