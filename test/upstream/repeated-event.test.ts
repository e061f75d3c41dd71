import { create, toJsonString } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import {
  BlockDeltaSchema,
  type GenerateEvent,
  GenerateEventSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../src/inference/error.ts";
import { blockDeltaEvent } from "../../src/inference/events.ts";
import { createEventDecoder as createMessagesDecoder } from "../../src/upstream/anthropic-messages/decode-events.ts";
import { createEventDecoder as createChatDecoder } from "../../src/upstream/openai-chat/decode-events.ts";
import { createEventDecoder as createResponsesDecoder } from "../../src/upstream/openai-responses/decode-events.ts";
import type { EventDecoder } from "../../src/upstream/protocol.ts";
import type { JsonObject } from "../../src/wire/json.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("", "a", '"', "\\", "\n", "é👋", "null"),
);
/** What an upstream may say in a member that is not of the format, or in place of what belongs there. */
const any = fc.oneof(
  fc.constantFrom<unknown>(null, "", 0, 1, true, "x", "y", -1.5, [], ["x"], {}, { x: 1 }),
  fc.string({ maxLength: 3 }),
);

/** An object that mostly has the members that are given, and now and then one of the others. */
function mostly(members: Record<string, fc.Arbitrary<unknown>>, others: Record<string, fc.Arbitrary<unknown>>) {
  const one = fc.constantFrom(...Object.keys(others)).chain((name) => fc.record({ [name]: others[name] ?? any }));
  const rare = fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: one });
  return fc.tuple(fc.record(members), rare).map(([usual, more]): JsonObject => ({ ...usual, ...(more as JsonObject) }));
}

const chatDelta = mostly(
  { content: text },
  {
    ...{ role: fc.constantFrom("assistant", null), refusal: any, content: any, reasoning_content: any, own: any },
    tool_calls: fc.constantFrom<unknown>(null, [], [{ index: 0, id: "c", function: { name: "f", arguments: "{" } }]),
  },
);
const chatChoice = mostly(
  { index: fc.constant(0), delta: chatDelta },
  {
    logprobs: fc.constantFrom<unknown>(null, { content: [{ token: "a" }] }),
    ...{ finish_reason: fc.constantFrom(null, "", "stop"), index: fc.constantFrom(0, 1), own: any, delta: any },
  },
);
const chatChunk = mostly(
  { id: fc.constant("chatcmpl-1"), model: fc.constant("m"), choices: fc.tuple(chatChoice) },
  {
    usage: fc.constantFrom<unknown>(null, { prompt_tokens: 1, completion_tokens: 2 }),
    ...{ obfuscation: text, service_tier: fc.constantFrom("default", "flex"), own: any, error: any },
    choices: fc.constantFrom<unknown>([], [null], null),
  },
);
const chatEnd = { id: "chatcmpl-1", model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

const messagesEvent = fc.oneof(
  {
    weight: 12,
    arbitrary: mostly(
      {
        ...{ type: fc.constant("content_block_delta"), index: fc.constant(0) },
        delta: mostly(
          { type: fc.constant("text_delta"), text },
          { text: any, own: any, type: fc.constant("thinking_delta") },
        ),
      },
      { own: any, index: any, type: fc.constantFrom("ping", "content_block_stop", "new_event") },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonObject>(
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t", name: "f", input: {} } },
    ),
  },
);
const messagesStart: readonly JsonObject[] = [
  { type: "message_start", message: { id: "msg_1", role: "assistant", model: "m", content: [], usage: {} } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
];

const responsesEvent = fc.oneof(
  {
    weight: 12,
    arbitrary: mostly(
      {
        ...{
          type: fc.constant("response.output_text.delta"),
          sequence_number: fc.nat(2000),
          item_id: fc.constant("m"),
        },
        ...{ output_index: fc.constant(0), content_index: fc.constant(0), delta: text },
      },
      {
        ...{ logprobs: fc.constantFrom<unknown>([], [{ token: "a" }], null), obfuscation: text, own: any, delta: any },
        ...{ output_index: fc.constantFrom<unknown>(0, 1, "0"), sequence_number: any },
        type: fc.constantFrom("response.refusal.delta", "response.new", "keepalive"),
      },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonObject>(
      { type: "response.output_text.done", output_index: 0, text: "all of it" },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "m", content: [] } },
      { type: "response.output_item.added", output_index: 1, item: { type: "message", id: "n", content: [] } },
    ),
  },
);
const responsesStart: readonly JsonObject[] = [
  { type: "response.created", response: { id: "resp_1", model: "m" } },
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m", content: [] } },
  { type: "response.content_part.added", output_index: 0, part: { type: "output_text", text: "", annotations: [] } },
];

interface Format {
  readonly create: () => EventDecoder;
  readonly begin: readonly JsonObject[];
  readonly event: fc.Arbitrary<JsonObject>;
  readonly end: JsonObject;
}

const FORMATS: Readonly<Record<string, Format>> = {
  "openai-chat": { create: () => createChatDecoder(Dialect.CHAT), begin: [], event: chatChunk, end: chatEnd },
  "openai-chat, for others": {
    create: () => createChatDecoder(Dialect.MESSAGES),
    begin: [],
    event: chatChunk,
    end: chatEnd,
  },
  "anthropic-messages": {
    create: () => createMessagesDecoder(Dialect.MESSAGES),
    begin: messagesStart,
    event: messagesEvent,
    end: { type: "message_stop" },
  },
  "openai-responses": {
    create: createResponsesDecoder,
    begin: responsesStart,
    event: responsesEvent,
    end: { type: "response.completed", response: { id: "resp_1", model: "m", status: "completed" } },
  },
};

/** What the decoder says of each event; what it throws ends it. JSON that goes on as it came is compared by what it means. */
function decode(decoder: EventDecoder, texts: readonly string[]): unknown[] {
  const said: unknown[] = [];
  try {
    for (const data of texts) said.push(decoder.decode({ event: undefined, data }).map(meaning));
    said.push(decoder.close().map(meaning));
  } catch (thrown) {
    if (!(thrown instanceof InferenceError)) throw thrown;
    said.push([thrown.reason, thrown.message]);
  }
  return said;
}

function meaning(event: GenerateEvent): unknown {
  return JSON.parse(toJsonString(GenerateEventSchema, event), (name, value: unknown) =>
    name === "json" && typeof value === "string" ? (JSON.parse(value) as unknown) : value,
  );
}

/** Blanks that mean nothing, and of which no two events have as many: each event is then parsed. */
function unlike(json: string, index: number): string {
  return `{${" ".repeat(index + 1)}${json.slice(1)}`;
}

describe.each(Object.entries(FORMATS))("a stream of %s", (_, { create: createDecoder, begin, event, end }) => {
  it("says the same whether events that are alike are parsed or not", () => {
    // Each event comes several times, with pieces of text of its own where it is plain.
    const stream = fc.array(fc.tuple(event, fc.array(text, { maxLength: 4 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(stream, (events) => {
        const said = [
          ...begin,
          ...events.flatMap(([one, texts]) => [one, ...texts.map((piece) => withText(one, piece))]),
          end,
        ];
        const texts = said.map((one) => JSON.stringify(one));
        expect(decode(createDecoder(), texts)).toEqual(decode(createDecoder(), texts.map(unlike)));
      }),
      { numRuns: 2500 },
    );
  });
});

function withText(event: JsonObject, piece: string): JsonObject {
  const copy = structuredClone(event) as Record<string, never>;
  const choice = (copy["choices"] as { delta?: JsonObject }[] | null | undefined)?.[0];
  const holder: unknown = choice?.delta ?? copy["delta"];
  if (typeof holder === "string") return { ...copy, delta: piece };
  if (typeof holder !== "object" || holder === null) return copy;
  const name = "content" in holder ? "content" : "text";
  if (name in holder) (holder as JsonObject)[name] = piece;
  return copy;
}

describe("blockDeltaEvent()", () => {
  it("makes what create() makes", () => {
    const delta = { case: "text", value: "a" } as const;
    const value = create(BlockDeltaSchema, { index: 3, delta });
    const made = blockDeltaEvent(3, delta);
    expect(made).toStrictEqual(create(GenerateEventSchema, { event: { case: "blockDelta", value } }));
    expect(Object.keys(made.event.value ?? {})).toEqual(Object.keys(value));
  });
});
