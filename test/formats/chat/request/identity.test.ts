import { create, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, GenerateResponseSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { requestJson } from "../../../../src/dashboard/features/history/content-tasks.ts";
import { createEventDecoder } from "../../../../src/formats/chat/answer/decode-events.ts";
import { createEventEncoder } from "../../../../src/formats/chat/answer/encode-events.ts";
import { encodeResponse } from "../../../../src/formats/chat/answer/encode-response.ts";
import { decodeRequest } from "../../../../src/formats/chat/request/decode-request.ts";
import { encodeRequest } from "../../../../src/formats/chat/request/encode-request.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createSseReader } from "../../../../src/formats/shared/sse.ts";
import { stubModel } from "../../../support/stub-upstream.ts";
import { asSent } from "../../shared/as-sent.ts";
import { answerEvents, foldEvents, type ScriptedBlock, streamRequest } from "./answer.ts";

const target = {
  model: stubModel,
  deployment: { upstream: "u", model: "attune/m" },
  streamed: true,
  inferenceId: "0190-id",
  projectId: "p",
  profile: { instructionRole: "as-called" },
} as const;

const text = fc.string({ unit: "binary" });
const word = fc.string({ minLength: 1, maxLength: 8 });
const mark = fc.constantFrom({}, { prompt_cache_breakpoint: { mode: "explicit", ttl: "30m" } });
const textPart = fc.tuple(text, mark).map(([value, marked]) => ({ type: "text", text: value, ...marked }));
const imagePart = fc
  .constantFrom("https://example.com/a.png", "data:image/png;base64,aGk=")
  .map((url) => ({ type: "image_url", image_url: { url, detail: "low" } }));
const filePart = fc.record({ file_data: fc.constant("data:application/pdf;base64,aGk="), filename: word });
const part = fc.oneof(
  textPart,
  imagePart,
  filePart.map((file) => ({ type: "file", file })),
  fc.record({ type: fc.constant("odd"), x: word }),
);
const content = fc.oneof(text, fc.array(part, { minLength: 2, maxLength: 4 }));
const call = fc.record({
  id: word,
  type: fc.constant("function"),
  // Blank arguments become {}.
  function: fc.record({ name: word, arguments: text.filter((value) => value.trim() !== "") }),
});
const message: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ role: fc.constantFrom("system", "developer"), content: text }),
  fc.record({ role: fc.constant("user"), content, name: word }, { requiredKeys: ["role", "content"] }),
  fc.record(
    {
      role: fc.constant("assistant"),
      content: text,
      reasoning_content: word,
      tool_calls: fc.array(call, { minLength: 1 }),
    },
    { requiredKeys: ["role", "content"] },
  ),
);

/** A call with its result: a result alone is refused. */
const answeredCall: fc.Arbitrary<JsonObject[]> = fc.tuple(call, text).map(([made, result]) => [
  { role: "assistant", content: null, tool_calls: [made] },
  { role: "tool", tool_call_id: made.id, content: result },
]);
const conversation = fc
  .array(
    fc.oneof(
      message.map((one) => [one]),
      answeredCall,
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.flat());

describe("a request that goes through the hub", () => {
  it("reaches an upstream of its own format as it came", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const { input } = decodeRequest({ model: "attune/m", messages });
        const { body, losses } = asSent(encodeRequest(input, target));
        expect(JSON.parse(body).messages).toEqual(messages);
        expect(losses).toEqual([]);
        const again = decodeRequest(JSON.parse(body)).input;
        expect(requestJson(again)).toEqual(requestJson(input));
      }),
    );
  });
});

const grown = (kind: "text" | "thinking" | "arguments", values: string[]) =>
  values.map((value) => ({ case: kind, value }));
const pieces = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1, maxLength: 4 });
const thinkingBlock = fc.tuple(pieces, fc.option(word)).map(
  ([values, opaque]): ScriptedBlock => ({
    start: { kind: { case: "thinking", value: {} } },
    deltas: [...grown("thinking", values), ...(opaque === null ? [] : [{ case: "opaque" as const, value: opaque }])],
  }),
);
const textBlock = pieces.map(
  (values): ScriptedBlock => ({
    start: { kind: { case: "text", value: {} } },
    deltas: grown("text", values),
  }),
);
const callBlocks = fc.array(fc.tuple(word, fc.jsonValue()), { maxLength: 3 }).map((calls) =>
  calls.map(
    ([name, value], index): ScriptedBlock => ({
      start: { kind: { case: "toolUse", value: { id: `c${index}`, name, kind: ToolKind.FUNCTION } } },
      deltas: grown("arguments", [...JSON.stringify({ value })]),
    }),
  ),
);

describe("an answer that goes through another instance of this service", () => {
  it("comes out as it went in, whole and streamed", () => {
    fc.assert(
      fc.property(fc.option(thinkingBlock), textBlock, callBlocks, (thinking, said, calls) => {
        const events = answerEvents([...(thinking === null ? [] : [thinking]), said, ...calls], {
          reason: calls.length > 0 ? FinishReason.TOOL_USE : FinishReason.STOP,
          rawReason: calls.length > 0 ? "tool_calls" : "stop",
          usage: { inputTokens: 3, cacheReadTokens: 2, cacheWriteTokens: 1, outputTokens: 9, reasoningTokens: 4 },
        });
        const sse = createEventEncoder(streamRequest({ stream_options: { include_usage: true } })).encode(events);
        const decoder = createEventDecoder(Dialect.CHAT);
        const decoded = createSseReader()
          .read(Buffer.from(sse))
          .flatMap((one) => decoder.decode(one));
        const bare = (response: ReturnType<typeof foldEvents>) =>
          toJson(
            GenerateResponseSchema,
            create(GenerateResponseSchema, { content: response.content, finished: response.finished }),
          );
        expect(bare(foldEvents(decoded))).toEqual(bare(foldEvents(events)));
        const whole = createEventDecoder(Dialect.CHAT).decodeWhole(encodeResponse(foldEvents(events)));
        expect(bare(foldEvents(whole))).toEqual(bare(foldEvents(events)));
      }),
    );
  });
});
