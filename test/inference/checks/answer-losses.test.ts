import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ContentBlockSchema,
  Dialect,
  type RawJson,
  RawJsonSchema,
  ToolKind,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishedSchema, FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { AnswerLosses } from "../../../src/inference/checks/answer-losses.ts";

const { CHAT, RESPONSES, MESSAGES, UNSPECIFIED: RPC } = Dialect;

const raw = (dialect: Dialect, value: unknown): RawJson =>
  create(RawJsonSchema, { dialect, json: JSON.stringify(value) });

type Block = MessageInitShape<typeof ContentBlockSchema>;
type End = MessageInitShape<typeof FinishedSchema>;

interface Answer {
  readonly blocks?: readonly Block[];
  readonly end?: End;
  readonly events?: readonly RawJson[];
  readonly stops?: string[];
}

function lost(
  caller: Dialect,
  streamed: boolean,
  { blocks = [], end = {}, events = [], stops = [] }: Answer,
): string[] {
  const losses = new AnswerLosses({ input: { dialect: caller, stopSequences: stops }, streamed });
  for (const event of events) losses.noteEvent(event);
  const content = blocks.map((block) => create(ContentBlockSchema, block));
  return losses.list(content, create(FinishedSchema, { reason: FinishReason.STOP, rawReason: "stop", ...end }));
}

const text = (extension: RawJson): Block => ({ kind: { case: "text", value: { text: "a" } }, extension });
const call = (input: string, kind: ToolKind = ToolKind.FUNCTION): Block => ({
  kind: { case: "toolUse", value: { id: "c", name: "f", arguments: input, kind } },
});
const thinking = (opaque?: string): Block => ({
  kind: { case: "thinking", value: { text: "raw", summary: ["short"], ...(opaque === undefined ? {} : { opaque }) } },
});

const CITED = text(raw(MESSAGES, { citations: [{ cited_text: "x" }] }));
const SEARCH: Block = { kind: { case: "opaque", value: raw(RESPONSES, { type: "web_search_call", id: "ws_1" }) } };
const unknownDelta = raw(MESSAGES, { type: "content_block_delta", index: 3, delta: { type: "foo_delta", foo: 1 } });
const gatheredDelta = raw(MESSAGES, { type: "content_block_delta", index: 3, delta: { type: "input_json_delta" } });
const progress = raw(RESPONSES, { type: "response.web_search_call.searching", output_index: 0 });
const news = raw(RESPONSES, { type: "response.news", n: 1 });

const cases: [what: string, answer: Answer, callers: Partial<Record<"chat" | "responses" | "messages", string[]>>][] = [
  [
    "citations",
    { blocks: [CITED] },
    { chat: ["answer.content[0].citations"], responses: ["answer.content[0].citations"] },
  ],
  [
    "an item of a hosted tool",
    { blocks: [CITED, SEARCH] },
    {
      chat: ["answer.content[0].citations", "answer.content[1].web_search_call"],
      responses: ["answer.content[0].citations"],
      messages: ["answer.content[1].web_search_call"],
    },
  ],
  [
    "log probabilities and what a message says of itself",
    {
      blocks: [
        {
          ...text(
            raw(RESPONSES, { logprobs: [{ token: "a" }], annotations: [], $item: { status: "incomplete", x: 1 } }),
          ),
          itemExtension: raw(RESPONSES, { phase: "final_answer", status: "completed" }),
        },
      ],
    },
    {
      chat: ["answer.content[0].logprobs", "answer.content[0].x", "answer.content[0].phase"],
      messages: ["answer.content[0].logprobs", "answer.content[0].x", "answer.content[0].phase"],
    },
  ],
  [
    "members of a Chat answer",
    {
      end: {
        extension: raw(CHAT, {
          system_fingerprint: "fp",
          service_tier: "default",
          provider: "p",
          choices: [
            {
              stop_reason: "END",
              native_finish_reason: "x",
              message: { annotations: [{}, { url: "u" }], audio: null },
            },
          ],
        }),
        usage: {
          extension: raw(CHAT, { prompt_tokens_details: { audio_tokens: 0, image_tokens: 7 }, cost: 0.5 }),
        },
      },
    },
    {
      responses: [
        "answer.provider",
        "answer.choices[0].native_finish_reason",
        "answer.choices[0].message.annotations",
        "answer.usage.prompt_tokens_details.image_tokens",
        "answer.usage.cost",
      ],
      messages: [
        "answer.provider",
        "answer.choices[0].native_finish_reason",
        "answer.choices[0].message.annotations",
        "answer.usage.prompt_tokens_details.image_tokens",
        "answer.usage.cost",
      ],
    },
  ],
  [
    "members of a Response, most of which repeat the request",
    {
      end: {
        extension: raw(RESPONSES, {
          temperature: 1,
          reasoning: { effort: "low" },
          truncation: "auto",
          moderation: { flagged: false },
        }),
      },
    },
    { chat: ["answer.moderation"], messages: ["answer.moderation"] },
  ],
  [
    "why it was refused, and where it ran",
    {
      end: {
        reason: FinishReason.REFUSAL,
        extension: raw(MESSAGES, { stop_details: { type: "refusal", category: "cyber" }, container: { id: "c" } }),
        usage: { extension: raw(MESSAGES, { service_tier: "standard", server_tool_use: { web_search_requests: 0 } }) },
      },
    },
    {
      chat: ["answer.stop_details.category", "answer.container"],
      responses: ["answer.stop_details.category", "answer.container"],
    },
  ],
  [
    "tokens that are kept for an hour",
    { end: { usage: { cacheWriteTokens: 3, cacheWrite5mTokens: 2, cacheWrite1hTokens: 1 } } },
    {
      chat: ["answer.usage.cache_creation.ephemeral_1h_input_tokens"],
      responses: ["answer.usage.cache_creation.ephemeral_1h_input_tokens"],
    },
  ],
  ["tokens that are kept for five minutes", { end: { usage: { cacheWriteTokens: 3, cacheWrite5mTokens: 3 } } }, {}],
  ["a direct call", { blocks: [{ ...call("{}"), extension: raw(MESSAGES, { caller: { type: "direct" } }) }] }, {}],
  [
    "which of two stop sequences it was",
    { end: { reason: FinishReason.STOP_SEQUENCE, stopSequence: "B" }, stops: ["A", "B"] },
    { chat: ["answer.stop_sequence"], responses: ["answer.stop_sequence"] },
  ],
  ["the one stop sequence", { end: { reason: FinishReason.STOP_SEQUENCE, stopSequence: "B" }, stops: ["B"] }, {}],
  ["a pause", { end: { reason: FinishReason.PAUSE, rawReason: "pause_turn" } }, { chat: ["answer.finish_reason"] }],
  [
    "a reason that nobody knows",
    { end: { reason: FinishReason.UNSPECIFIED, rawReason: "bored" } },
    { chat: ["answer.finish_reason"] },
  ],
  [
    "a reason that nobody knows, beside a call",
    { blocks: [call("{}")], end: { reason: FinishReason.UNSPECIFIED, rawReason: "bored" } },
    { chat: ["answer.finish_reason"], responses: ["answer.finish_reason"] },
  ],
  [
    "raw reasoning and its summary",
    { blocks: [thinking()] },
    { chat: ["answer.content[0].summary"], messages: ["answer.content[0].summary"] },
  ],
  ["the same, sealed", { blocks: [thinking("s")] }, { messages: ["answer.content[0].summary"] }],
  ["arguments that are an object", { blocks: [call(' {"a":1}'), call("")] }, {}],
  [
    "arguments that are none",
    { blocks: [call("[1]"), call("x", ToolKind.CUSTOM)] },
    { messages: ["answer.content[0].input", "answer.content[1].input"] },
  ],
];

const callers = { chat: CHAT, responses: RESPONSES, messages: MESSAGES } as const;

describe("AnswerLosses", () => {
  describe.each(cases)("of %s", (_what, answer, expected) => {
    it.each(["chat", "responses", "messages"] as const)("are named to a caller of %s", (caller) => {
      for (const streamed of [false, true])
        expect(lost(callers[caller], streamed, answer)).toEqual(expected[caller] ?? []);
    });

    it("are none over RPC", () => {
      for (const streamed of [false, true]) expect(lost(RPC, streamed, answer)).toEqual([]);
    });
  });

  it("are those of a whole Messages answer where arguments break after they began as an object", () => {
    expect(lost(MESSAGES, false, { blocks: [call('{"a":')] })).toEqual(["answer.content[0].input"]);
    expect(lost(MESSAGES, true, { blocks: [call('{"a":')] })).toEqual([]);
  });

  it.each([
    ["streamed, to another format", CHAT, true, ["answer.content[3].foo_delta", "answer.response.news"]],
    ["whole, to another format", CHAT, false, ["answer.content[3].foo_delta"]],
    ["streamed, over RPC", RPC, true, []],
    ["whole, over RPC", RPC, false, ["answer.content[3].foo_delta"]],
    ["whole, to the format that adds to blocks so", MESSAGES, false, ["answer.content[3].foo_delta"]],
    ["streamed, to the format that adds to blocks so", MESSAGES, true, ["answer.response.news"]],
  ] as const)("of events, %s", (_what, caller, streamed, expected) => {
    const events = [unknownDelta, gatheredDelta, progress, news, news];
    expect(lost(caller, streamed, { events })).toEqual(expected);
  });
});
