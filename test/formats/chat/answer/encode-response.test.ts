import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type ContentBlockSchema, Dialect, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type FinishedSchema,
  FinishReason,
  GenerateResponseSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeResponse } from "../../../../src/formats/chat/answer/encode-response.ts";
import { chatJson } from "../../../../src/formats/chat/raw-json.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

function encode(content: Block[], finished: MessageInitShape<typeof FinishedSchema>): string {
  return encodeResponse(
    create(GenerateResponseSchema, {
      id: "0190-id",
      model: "attune/m",
      createdAt: { seconds: 1700000000n, nanos: 999 },
      content,
      finished,
    }),
  );
}

const text = (value: string): Block => ({ kind: { case: "text", value: { text: value } } });
const usage = { inputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2, outputTokens: 7, reasoningTokens: 4 };
const head =
  '{"id":"0190-id","object":"chat.completion","created":1700000000,"model":"attune/m","system_fingerprint":null,"choices":[';
const tail =
  '],"usage":{"prompt_tokens":10,"completion_tokens":7,"total_tokens":17,"prompt_tokens_details":{"cached_tokens":3,"cache_write_tokens":2},"completion_tokens_details":{"reasoning_tokens":4}}}';

describe("encodeResponse()", () => {
  it("writes a text", () => {
    expect(encode([text("Hel"), text("lo")], { reason: FinishReason.STOP, usage })).toBe(
      `${head}{"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,"finish_reason":"stop"}${tail}`,
    );
  });

  it("writes parallel calls of both kinds, with null for content", () => {
    const content: Block[] = [
      { kind: { case: "toolUse", value: { id: "c1", name: "f", arguments: '{"a": 1.0}', kind: ToolKind.FUNCTION } } },
      {
        kind: { case: "toolUse", value: { id: "c2", name: "g", arguments: "free", kind: ToolKind.CUSTOM } },
        extension: chatJson({ extra_content: { s: 1 } }),
      },
    ];
    expect(encode(content, { reason: FinishReason.TOOL_USE, usage })).toBe(
      `${head}{"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[` +
        '{"id":"c1","type":"function","function":{"name":"f","arguments":"{\\"a\\": 1.0}"}},' +
        '{"id":"c2","type":"custom","custom":{"name":"g","input":"free"},"extra_content":{"s":1}}]},' +
        `"logprobs":null,"finish_reason":"tool_calls"}${tail}`,
    );
  });

  it("shows reasoning as text alone where nothing is sealed", () => {
    const content: Block[] = [
      { kind: { case: "thinking", value: { summary: ["one", "two"] } } },
      { kind: { case: "thinking", value: { text: "raw" } } },
      text("a"),
    ];
    expect(encode(content, { reason: FinishReason.STOP, usage })).toBe(
      `${head}{"index":0,"message":{"role":"assistant","content":"a","refusal":null,"reasoning_content":"one\\n\\ntwo\\n\\nraw"},"logprobs":null,"finish_reason":"stop"}${tail}`,
    );
  });

  it("adds reasoning_details where a signature or sealed reasoning must come back", () => {
    const content: Block[] = [
      { kind: { case: "thinking", value: { text: "raw" } } },
      { kind: { case: "thinking", value: { summary: ["s"], opaque: "SIG", id: "rs_1" } } },
      { kind: { case: "redactedThinking", value: { data: "BLOB" } } },
      text("a"),
    ];
    expect(encode(content, { reason: FinishReason.STOP, usage })).toBe(
      `${head}{"index":0,"message":{"role":"assistant","content":"a","refusal":null,"reasoning_content":"raw\\n\\ns","reasoning_details":[` +
        '{"type":"reasoning.text","text":"raw"},{"type":"reasoning.summary","summary":"s","id":"rs_1"},' +
        '{"type":"reasoning.text","text":"","signature":"SIG","id":"rs_1"},{"type":"reasoning.encrypted","data":"BLOB"}]},' +
        `"logprobs":null,"finish_reason":"stop"}${tail}`,
    );
  });

  it("writes a refusal into its own member, and log probabilities beside what they belong to", () => {
    const content: Block[] = [
      { kind: text("a").kind, logprobs: { tokens: [{ token: "a", logprob: -1, bytes: Uint8Array.of(97) }] } },
      {
        kind: { case: "refusal", value: { text: "no" } },
        logprobs: { tokens: [{ token: "no", logprob: -2, topLogprobs: [{ token: "no", logprob: -2 }] }] },
      },
    ];
    expect(encode(content, { reason: FinishReason.STOP, usage })).toBe(
      `${head}{"index":0,"message":{"role":"assistant","content":"a","refusal":"no"},"logprobs":{"content":[{"token":"a","logprob":-1,"bytes":[97],"top_logprobs":[]}],"refusal":[{"token":"no","logprob":-2,"bytes":null,"top_logprobs":[{"token":"no","logprob":-2,"bytes":null}]}]},"finish_reason":"stop"}${tail}`,
    );
  });

  it("counts the places of annotations through all texts", () => {
    const cited = (value: string): Block => ({
      kind: text(value).kind,
      annotations: {
        annotations: [
          {
            kind: { case: "urlCitation", value: { url: "https://a.example", title: "A", startIndex: 0, endIndex: 2 } },
          },
        ],
      },
    });
    expect(
      JSON.parse(encode([cited("ab"), cited("cd")], { reason: FinishReason.STOP, usage })).choices[0].message,
    ).toEqual({
      role: "assistant",
      content: "abcd",
      refusal: null,
      annotations: [0, 2].map((start) => ({
        type: "url_citation",
        url_citation: { start_index: start, end_index: start + 2, url: "https://a.example", title: "A" },
      })),
    });
  });

  it("puts members that only this dialect knows back where they were", () => {
    const extension = chatJson({
      system_fingerprint: "fp",
      choices: [{ native_finish_reason: "end", message: { annotations: [{ type: "url_citation" }] } }],
    });
    const counted = { inputTokens: 1, extension: chatJson({ cost: 2, prompt_tokens_details: { audio_tokens: 0 } }) };
    expect(encode([text("a")], { reason: FinishReason.STOP, usage: counted, extension })).toBe(
      `${head.replace("null", '"fp"')}{"index":0,"message":{"role":"assistant","content":"a","refusal":null,"annotations":[{"type":"url_citation"}]},"logprobs":null,"finish_reason":"stop","native_finish_reason":"end"}],` +
        '"usage":{"prompt_tokens":1,"completion_tokens":0,"total_tokens":1,"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":0,"audio_tokens":0},"cost":2}}',
    );
  });

  it("leaves out what only other dialects can show", () => {
    const content: Block[] = [
      { kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: '{"type":"server_tool_use"}' } } },
      {
        kind: { case: "text", value: { text: "a" } },
        extension: { dialect: Dialect.RESPONSES, json: '{"annotations":[1]}' },
      },
    ];
    expect(
      encode(content, {
        reason: FinishReason.TOOL_USE,
        usage,
        extension: { dialect: Dialect.MESSAGES, json: '{"x":1}' },
      }),
    ).toBe(
      `${head}{"index":0,"message":{"role":"assistant","content":"a","refusal":null},"logprobs":null,"finish_reason":"stop"}${tail}`,
    );
  });

  it.each([
    [FinishReason.UNSPECIFIED, "length"],
    [FinishReason.STOP, "stop"],
    [FinishReason.STOP_SEQUENCE, "stop"],
    [FinishReason.LENGTH, "length"],
    [FinishReason.CONTEXT_WINDOW, "length"],
    [FinishReason.CONTENT_FILTER, "content_filter"],
    [FinishReason.REFUSAL, "stop"],
    [FinishReason.PAUSE, "length"],
  ])("maps reason %i to %s", (reason, expected) => {
    const answer: unknown = JSON.parse(encode([text("a")], { reason, usage }));
    expect(answer).toMatchObject({ choices: [{ finish_reason: expected }] });
  });

  it.each([
    [FinishReason.UNSPECIFIED, "tool_calls"],
    [FinishReason.PAUSE, "tool_calls"],
    [FinishReason.LENGTH, "length"],
  ])("tells calls that are to be made beside reason %i: %s", (reason, expected) => {
    const call = { kind: { case: "toolUse" as const, value: { id: "a", name: "f", arguments: "{}" } } };
    const answer: unknown = JSON.parse(encode([call], { reason, usage }));
    expect(answer).toMatchObject({ choices: [{ finish_reason: expected }] });
  });

  it.each<[string, Block[], object]>([
    ["in words", [{ kind: { case: "refusal", value: { text: "No." } } }], { content: null, refusal: "No." }],
    ["without words", [], { content: null, refusal: "The model refused to answer." }],
    ["after other words", [text("a")], { content: "a", refusal: "The model refused to answer." }],
    [
      "of no words",
      [{ kind: { case: "refusal", value: { text: "" } } }],
      { content: null, refusal: "The model refused to answer." },
    ],
  ])("fills the refusal of an answer that was refused %s", (_how, content, message) => {
    const answer: unknown = JSON.parse(encode(content, { reason: FinishReason.REFUSAL, usage }));
    expect(answer).toMatchObject({ choices: [{ finish_reason: "stop", message }] });
  });
});
