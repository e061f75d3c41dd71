import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolKind } from "../../gen/attune/content/v1/content_pb.ts";
import { FinishReason, type GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { anthropicMessagesProtocol } from "../../src/formats/messages/protocol.ts";
import { createResponsesCodec } from "../../src/formats/responses/codec.ts";
import { openaiResponsesProtocol } from "../../src/formats/responses/protocol.ts";
import type { DialectCodec } from "../../src/formats/shared/codec.ts";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import type { UpstreamProtocol } from "../../src/formats/shared/protocol.ts";
import { createSseReader } from "../../src/formats/shared/sse.ts";
import { answerEvents, foldEvents, type ScriptedBlock } from "../formats/chat/request/answer.ts";

type Block = fc.Arbitrary<ScriptedBlock>;
type Delta = NonNullable<ScriptedBlock["deltas"]>[number];

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 });
const pieces = fc.array(word, { minLength: 1, maxLength: 4 });
const block = (start: ScriptedBlock["start"], deltas: readonly Delta[]): ScriptedBlock => ({ start, deltas });

const text: Block = pieces.map((all) =>
  block(
    { kind: { case: "text", value: {} } },
    all.map((value) => ({ case: "text", value })),
  ),
);
const call: Block = fc
  .tuple(word, fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), word, { maxKeys: 2 }))
  .map(([id, input]) =>
    block({ kind: { case: "toolUse", value: { id, name: "look", kind: ToolKind.FUNCTION } } }, [
      { case: "arguments", value: JSON.stringify(input) },
    ]),
  );
const custom: Block = fc.tuple(word, pieces).map(([id, all]) =>
  block(
    { kind: { case: "toolUse", value: { id, name: "run", kind: ToolKind.CUSTOM } } },
    all.map((value) => ({ case: "arguments", value })),
  ),
);
const summary = (parts: readonly (readonly string[])[]): Delta[] =>
  parts.flatMap((texts, part) =>
    texts.map(
      (value): Delta => ({
        case: "summary",
        value: { $typeName: "attune.inference.v1.SummaryDelta", part, text: value },
      }),
    ),
  );
const signed: Block = fc
  .tuple(pieces, word)
  .map(([all, opaque]) =>
    block({ kind: { case: "thinking", value: {} } }, [...summary([all]), { case: "opaque", value: opaque }]),
  );
const redacted: Block = word.map((data) => block({ kind: { case: "redactedThinking", value: { data } } }, []));
const reasoning: Block = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 3 }), word)
  .map(([parts, opaque]) =>
    block({ kind: { case: "thinking", value: {} } }, [...summary(parts), { case: "opaque", value: opaque }]),
  );

interface Format {
  readonly name: string;
  readonly codec: DialectCodec;
  readonly protocol: UpstreamProtocol;
  readonly request: JsonObject;
  readonly block: Block;
}

const FORMATS: readonly Format[] = [
  {
    name: "Messages",
    codec: messagesCodec,
    protocol: anthropicMessagesProtocol,
    request: { model: "attune/m", max_tokens: 9, messages: [{ role: "user", content: "x" }] },
    block: fc.oneof(text, call, signed, redacted),
  },
  {
    name: "Responses",
    codec: createResponsesCodec(() => 1_800_000_005_000),
    protocol: openaiResponsesProtocol,
    request: { model: "attune/m", input: "x", include: ["reasoning.encrypted_content"] },
    block: fc.oneof(text, call, custom, reasoning),
  },
];

describe.each(FORMATS)("an answer of the $name format that goes through another instance of this service", (format) => {
  const { codec, protocol } = format;

  it("comes out as it went in, reasoning and all, whole and streamed", () => {
    fc.assert(
      fc.property(fc.array(format.block, { minLength: 1, maxLength: 5 }), fc.nat({ max: 999 }), (blocks, tokens) => {
        const hasCalls = blocks.some(({ start }) => start.kind?.case === "toolUse");
        const reason = hasCalls ? FinishReason.TOOL_USE : FinishReason.STOP;
        const usage = { inputTokens: 3, cacheReadTokens: tokens, outputTokens: 9, reasoningTokens: 4 };
        const events = () => answerEvents(blocks, { reason, usage });
        const request = codec.decodeRequest({ ...format.request, stream: true });
        const stream = (list: readonly GenerateEvent[]) => codec.createEventEncoder(request).encode(list);
        const whole = (list: readonly GenerateEvent[]) => JSON.parse(codec.encodeResponse(foldEvents(list), request));
        const passed = () => withOwnHead(decode(protocol, codec, stream(events())));
        expect(withoutStartUsage(stream(passed()))).toBe(withoutStartUsage(stream(events())));
        expect(whole(passed())).toEqual(whole(events()));
        const body = codec.encodeResponse(foldEvents(events()), request);
        const passedWhole = withOwnHead(protocol.createEventDecoder(codec.dialect).decodeWhole(body));
        expect(codec.encodeResponse(foldEvents(passedWhole), request)).toBe(body);
      }),
      { numRuns: 300 },
    );
  });
});

function decode(protocol: UpstreamProtocol, { dialect }: DialectCodec, sse: string): GenerateEvent[] {
  const decoder = protocol.createEventDecoder(dialect);
  const events = createSseReader()
    .read(Buffer.from(sse))
    .flatMap((message) => decoder.decode(message));
  return [...events, ...decoder.close()];
}

/** Each instance gives an answer an id, a model and a time of its own. */
function withOwnHead(events: GenerateEvent[]): GenerateEvent[] {
  const [own] = answerEvents([], {});
  for (const { event } of events) {
    if (event.case !== "started" || own?.event.case !== "started") continue;
    const { id, model, createdAt } = own.event.value;
    Object.assign(event.value, { id, model, createdAt });
  }
  return events;
}

/** The prompt's tokens in the first event of a Messages stream are an estimate where they are not known yet. */
function withoutStartUsage(sse: string): string {
  return sse.replace(/("type":"message_start".*?"usage":)\{.*\}/, "$1");
}
