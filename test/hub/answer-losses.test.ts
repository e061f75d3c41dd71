import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  type ContentBlockSchema,
  Dialect,
  ToolKind,
  type UsageSchema,
} from "../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type GenerateResponse,
  GenerateResponseSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { chatCodec } from "../../src/formats/chat/codec.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { createResponsesCodec } from "../../src/formats/responses/codec.ts";
import type { DialectCodec } from "../../src/formats/shared/codec.ts";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import { AnswerLosses } from "../../src/inference/checks/answer-losses.ts";
import { replayEvents } from "../../src/inference/history/replay-events.ts";
import { isNoAnswerLoss } from "./no-losses.ts";
import { type FieldCase, setFields } from "./set-fields.ts";

type Block = MessageInitShape<typeof ContentBlockSchema>;

const CALLERS: Readonly<Record<string, { readonly codec: DialectCodec; readonly body: JsonObject }>> = {
  chat: {
    codec: chatCodec,
    body: { messages: [{ role: "user", content: "Hi" }], stream: true, stream_options: { include_usage: true } },
  },
  responses: {
    codec: createResponsesCodec(() => 0),
    body: { input: "Hi", stream: true, include: ["reasoning.encrypted_content"] },
  },
  messages: {
    codec: messagesCodec,
    body: { messages: [{ role: "user", content: "Hi" }], max_tokens: 5, stream: true },
  },
};

const TEXT: Block = { kind: { case: "text", value: { text: "Hi" } } };
const call = (kind: ToolKind, input: string): Block => ({
  kind: { case: "toolUse", value: { id: "call_1", name: "look_up", arguments: input, kind } },
});

/** Answers that together hold every kind of block that an upstream's answer may have. */
const ANSWERS: Readonly<Record<string, readonly Block[]>> = {
  "a text": [TEXT],
  "a text that cites a page": [
    {
      ...TEXT,
      annotations: {
        annotations: [{ kind: { case: "urlCitation", value: { url: "https://example.com", title: "A" } } }],
      },
      logprobs: { tokens: [{ token: "Hi", logprob: -1, topLogprobs: [{ token: "Hi", logprob: -1 }] }] },
    },
  ],
  "a refusal": [{ kind: { case: "refusal", value: { text: "No." } } }],
  thinking: [{ kind: { case: "thinking", value: { summary: ["Hm."], opaque: "c2ln" } } }, TEXT],
  "sealed thinking": [{ kind: { case: "redactedThinking", value: { data: "c2VhbA==" } } }, TEXT],
  "a call": [call(ToolKind.FUNCTION, "{}")],
  "a custom call": [call(ToolKind.CUSTOM, "x")],
};

/** 1237 is the number that setFields() sets: a part of what is written to caches is told only if the parts add up. */
const usageOf = (cacheWriteTokens: number): MessageInitShape<typeof UsageSchema> => ({
  inputTokens: 5000,
  outputTokens: 5000,
  cacheReadTokens: 40,
  cacheWriteTokens,
});

function answer(content: readonly Block[], cacheWriteTokens: number): GenerateResponse {
  const calls = content.some(({ kind }) => kind?.case === "toolUse");
  const reason = calls ? FinishReason.TOOL_USE : FinishReason.STOP;
  const finished = { reason, rawReason: "stop", usage: usageOf(cacheWriteTokens) };
  return create(GenerateResponseSchema, { id: "0190-id", model: "m", content: [...content], finished });
}

const cases = Object.entries(ANSWERS).flatMap(([scene, content]) =>
  [Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES].flatMap((dialect) =>
    [1237, 2000].flatMap((written) =>
      setFields(GenerateResponseSchema, answer(content, written), dialect).map((one) => ({ ...one, scene, dialect })),
    ),
  ),
);

/** What a caller gets of an answer, and what it is told that it does not get. */
function give(
  response: GenerateResponse,
  { codec, body }: { codec: DialectCodec; body: JsonObject },
  streamed: boolean,
) {
  const request = codec.decodeRequest({ model: "m", ...body });
  const input = { dialect: codec.dialect, stopSequences: ["a", "b"] };
  const { content, finished } = response;
  const losses = finished === undefined ? [] : new AnswerLosses({ input, streamed }).list(content, finished);
  if (!streamed) return { text: codec.encodeResponse(response, request), losses };
  const [started, ...others] = replayEvents(response);
  if (started?.event.case === "started" && finished?.usage !== undefined) started.event.value.usage = finished.usage;
  const events = started === undefined ? [] : [started, ...others];
  return { text: codec.createEventEncoder(request).encode(events), losses };
}

function isTold(
  one: FieldCase<GenerateResponse>,
  caller: { codec: DialectCodec; body: JsonObject },
  streamed: boolean,
) {
  const now = give(one.root, caller, streamed);
  const before = give(one.before, caller, streamed);
  // The input of a custom call may have been lost before it was another one.
  const isInput = one.field.endsWith(".ToolUseBlock.arguments");
  if (now.losses.some((loss) => !before.losses.includes(loss) || (isInput && loss.endsWith(".input")))) return true;
  // What holds it is lost as a whole, whatever it says.
  if (before.losses.some((loss) => `answer.${one.place}`.startsWith(`${loss}.`))) return true;
  // Bytes are a list of numbers.
  if (one.field.endsWith(".TokenLogprob.bytes")) return now.text !== before.text;
  // Numbers are added up in some formats.
  const isText = one.marker !== undefined && !/^\d+$/.test(one.marker);
  return isText ? now.text.includes(JSON.stringify(one.marker).slice(1, -1)) : now.text !== before.text;
}

describe("a field of the hub's answer", () => {
  const ways = Object.entries(CALLERS).flatMap(([name, caller]) =>
    [false, true].map((streamed) => ({ name, caller, streamed, way: streamed ? "streamed" : "whole" })),
  );

  it.each(ways)("is told to a $name caller, or named, $way", ({ name, caller, streamed }) => {
    const silent = cases.filter((one) => !isNoAnswerLoss(one, name) && !isTold(one, caller, streamed));
    const told = silent.map(({ place, value, scene, dialect }) => `${place} = ${value} (${dialect}), of ${scene}`);
    expect([...new Set(told)]).toEqual([]);
  });
});
