import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolKind } from "../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { chatCodec } from "../../src/formats/chat/codec.ts";
import { openaiChatProtocol } from "../../src/formats/chat/protocol.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { anthropicMessagesProtocol } from "../../src/formats/messages/protocol.ts";
import { createResponsesCodec } from "../../src/formats/responses/codec.ts";
import { openaiResponsesProtocol } from "../../src/formats/responses/protocol.ts";
import type { DecodedRequest, DialectCodec } from "../../src/formats/shared/codec.ts";
import { type JsonObject, parseJsonObject } from "../../src/formats/shared/json.ts";
import type { UpstreamProtocol } from "../../src/formats/shared/protocol.ts";
import { createSseReader } from "../../src/formats/shared/sse.ts";
import { answerEvents, foldEvents, type ScriptedBlock } from "../formats/chat/request/answer.ts";
import { asSent } from "../formats/shared/as-sent.ts";
import { stubModel } from "../support/stub-upstream.ts";
import { commonRequest, SAY } from "./common-subset.ts";
import { INBOUND, type Inbound } from "./topic.ts";

const CODEC: Readonly<Record<Inbound, DialectCodec>> = {
  chat: chatCodec,
  responses: createResponsesCodec(() => 1_800_000_005_000),
  messages: messagesCodec,
};
const PROTOCOL: Readonly<Record<Inbound, UpstreamProtocol>> = {
  chat: openaiChatProtocol,
  responses: openaiResponsesProtocol,
  messages: anthropicMessagesProtocol,
};
const target = {
  model: { ...stubModel, maxOutputTokens: 4096 },
  deployment: { upstream: "u", model: "attune/m" },
  streamed: true,
  inferenceId: "0190-id",
  projectId: "p",
};
const PAIRS = INBOUND.flatMap((caller) => INBOUND.map((between) => ({ caller, between })));

/** What an upstream that speaks `format` gets of a request. Nothing of the common subset may be lost. */
function send(request: DecodedRequest, format: Inbound): JsonObject {
  const { body, losses } = asSent(PROTOCOL[format].encodeRequest(request.input, target));
  expect(losses).toEqual([]);
  return parseJsonObject(body) ?? {};
}

describe.each(PAIRS)("a $caller caller whose upstream is Attune, asked in $between", ({ caller, between }) => {
  const codec = CODEC[caller];
  const withStops = caller !== "responses" && between !== "responses";

  it("asks for what it would ask for without it", () => {
    fc.assert(
      fc.property(commonRequest(withStops), (common) => {
        const request = codec.decodeRequest(SAY[caller](common));
        const direct = send(request, caller);
        const again = send(CODEC[between].decodeRequest(send(request, between)), caller);
        const thinks = caller === "messages" && between !== "messages" && common.effort !== undefined;
        expect(bare(again, caller)).toEqual(bare(thinks ? { ...direct, ...THINKING } : direct, caller));
      }),
      { numRuns: 150 },
    );
  });

  it("is answered what it would be answered without it, whole and streamed", () => {
    fc.assert(
      fc.property(commonRequest(withStops), answer, (common, events) => {
        const request = codec.decodeRequest({ ...SAY[caller](common), stream: true, ...STREAM[caller] });
        const inner = CODEC[between].decodeRequest(send(request, between));
        const passed = read(CODEC[between].createEventEncoder(inner).encode(events()), { caller, between });
        const whole = (list: GenerateEvent[]) => JSON.parse(codec.encodeResponse(foldEvents(list), request));
        expect(whole(passed)).toEqual(whole(events()));
        const stream = (list: GenerateEvent[]) => codec.createEventEncoder(request).encode(list);
        expect(withoutEstimate(stream(passed))).toBe(withoutEstimate(stream(events())));
      }),
      { numRuns: 150 },
    );
  });
});

/** Effort in an OpenAI format asks for thinking, which a request in the Messages format asks for by itself. */
const THINKING = { thinking: { type: "adaptive" } };

const STREAM: Readonly<Record<Inbound, JsonObject>> = {
  chat: { stream_options: { include_usage: true } },
  responses: {},
  messages: {},
};

/** A body in which the same is said in one way: Responses requires the detail of an image, and `auto` is no wish. */
function bare(body: JsonObject, format: Inbound): JsonObject {
  const { store: _store, include: _include, ...rest } = body;
  const said = JSON.parse(
    JSON.stringify(rest, (key, value) => (key === "detail" && value === "auto" ? undefined : value)),
  );
  if (format === "chat") return withLimit(said);
  return format === "responses" ? withInstructions(said) : said;
}

/** A server that nothing is known of gets the limit of callers of other formats by its older name. */
function withLimit({ max_tokens, ...body }: JsonObject): JsonObject {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens };
}

/** Instructions are the first system message. */
function withInstructions(body: JsonObject): JsonObject {
  const { instructions, input } = body;
  const list: unknown[] = Array.isArray(input) ? input : [];
  if (instructions === undefined) return body;
  const { instructions: _instructions, ...rest } = body;
  return { ...rest, input: [{ type: "message", role: "system", content: instructions }, ...list] };
}

/** Reads a stream as the first instance does, which gives the answer an id, a model and a time of its own. */
function read(sse: string, { caller, between }: { readonly caller: Inbound; readonly between: Inbound }) {
  const decoder = PROTOCOL[between].createEventDecoder(CODEC[caller].dialect);
  const events = createSseReader()
    .read(Buffer.from(sse))
    .flatMap((message) => decoder.decode(message));
  const [started] = answerEvents([], {});
  return [...events, ...decoder.close()].map((event) => {
    if (event.event.case === "started" && started?.event.case === "started") {
      const { id, model, createdAt } = started.event.value;
      Object.assign(event.event.value, { id, model, createdAt });
    }
    return event;
  });
}

/** The prompt's tokens in the first event of a Messages stream are an estimate where they are not known yet. */
function withoutEstimate(sse: string): string {
  return sse.replace(/("type":"message_start".*?"usage":)\{.*\}/, "$1");
}

const pieces = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
const said = pieces.map(
  (texts): ScriptedBlock => ({
    start: { kind: { case: "text", value: {} } },
    deltas: texts.map((value) => ({ case: "text", value })),
  }),
);
const calls = fc
  .array(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.string(), fc.integer()), { maxKeys: 3 }), {
    maxLength: 3,
  })
  .map((all) =>
    all.map((input, index): ScriptedBlock => {
      const value = { id: `call_${index}`, name: "look", kind: ToolKind.FUNCTION };
      const text = JSON.stringify(input);
      return {
        start: { kind: { case: "toolUse", value } },
        deltas: [text.slice(0, 1), text.slice(1)].map((piece) => ({ case: "arguments", value: piece })),
      };
    }),
  );
const count = fc.nat({ max: 100_000 });
const usage = fc
  .record({ inputTokens: count, cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count, rest: count })
  .map(({ rest, ...tokens }) => ({ ...tokens, outputTokens: tokens.reasoningTokens + rest }));

/** An answer that every format can say. Made anew for each use, for who reads it may change it. */
const answer = fc
  .tuple(said, calls, usage, fc.boolean())
  .map(([first, others, tokens, isCut]) => (): GenerateEvent[] => {
    const reason = isCut ? FinishReason.LENGTH : others.length > 0 ? FinishReason.TOOL_USE : FinishReason.STOP;
    return answerEvents([first, ...others], { reason, usage: tokens });
  });
