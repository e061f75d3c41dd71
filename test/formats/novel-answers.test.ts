import { describe, expect, it } from "vitest";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../gen/attune/inference/v1/inference_pb.ts";
import { chatCodec } from "../../src/formats/chat/codec.ts";
import { openaiChatProtocol } from "../../src/formats/chat/protocol.ts";
import { messagesCodec } from "../../src/formats/messages/codec.ts";
import { createConverseProtocol } from "../../src/formats/messages/converse/protocol.ts";
import { anthropicMessagesProtocol } from "../../src/formats/messages/protocol.ts";
import { createResponsesCodec } from "../../src/formats/responses/codec.ts";
import { openaiResponsesProtocol } from "../../src/formats/responses/protocol.ts";
import type { DialectCodec } from "../../src/formats/shared/codec.ts";
import type { JsonObject } from "../../src/formats/shared/json.ts";
import type { EventDecoder, UpstreamProtocol } from "../../src/formats/shared/protocol.ts";
import { InferenceError } from "../../src/hub/error.ts";
import { ResponseFold } from "../../src/inference/checks/response-fold.ts";
import { ANSWERS, type Answer } from "./novel-answers.ts";

/** The word that vendors have added since. */
const NOVEL = "novel";

const PROTOCOLS: Record<keyof typeof ANSWERS, UpstreamProtocol> = {
  chat: openaiChatProtocol,
  responses: openaiResponsesProtocol,
  messages: anthropicMessagesProtocol,
  converse: createConverseProtocol(),
};

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Change {
  readonly place: string;
  readonly changed: Json;
}

/** Lists a JSON value with each change of one place in it. */
function changesOf(value: Json, place: string): Change[] {
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, index) =>
      changesOf(item, `${place}[${index}]`).map(({ changed, ...one }) => ({
        ...one,
        changed: value.with(index, changed),
      })),
    );
    const isOfObjects = typeof value[0] === "object";
    return isOfObjects
      ? [...inner, { place: `${place}[+]`, changed: [...value, { type: NOVEL, text: NOVEL }] }]
      : inner;
  }
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => {
    if (/^(?:type|finish_reason|stop_reason|stopReason|reason)$/.test(name) && typeof member === "string") {
      return [{ place: `${place}.${name}`, changed: { ...value, [name]: NOVEL } }];
    }
    const changes = changesOf(member, `${place}.${name}`);
    return changes.map(({ changed, ...one }) => ({ ...one, changed: { ...value, [name]: changed } }));
  });
  return [{ place: `${place}.${NOVEL}`, changed: { ...value, [NOVEL]: NOVEL } }, ...inner];
}

/** Writes what was read of an answer, in one text. */
type Write = (events: readonly GenerateEvent[], form: "whole" | "streamed") => string;

/** Tells whether a change is in what is written of an answer, or the answer is refused for it. */
function isTold(write: () => string): boolean {
  try {
    return write().includes(NOVEL);
  } catch (thrown) {
    if (thrown instanceof InferenceError) return true;
    throw thrown;
  }
}

function readStream(events: Answer["events"], decoder: EventDecoder): GenerateEvent[] {
  const read = events.flatMap(({ event, data }) => decoder.decode({ event, data: JSON.stringify(data) }));
  return [...read, ...decoder.close()];
}

/** Lists the places of an answer of which nothing is written. */
function silentIn(answer: Answer, create: () => EventDecoder, write: Write): string[] {
  const isTried = ({ place }: Change) => !answer.silent.some((pattern) => pattern.test(place));
  const whole = changesOf(answer.whole as Json, "whole")
    .filter(isTried)
    .filter(({ changed }) => !isTold(() => write(create().decodeWhole(JSON.stringify(changed)), "whole")));
  const streamed = changesOf(answer.events as unknown as Json, "events")
    .filter(isTried)
    .filter(({ changed }) => {
      const events = changed as unknown as Answer["events"];
      return !isTold(() => write(readStream(events, create()), "streamed"));
    });
  return [...whole, ...streamed].map(({ place }) => place);
}

const writeAll: Write = (events) =>
  JSON.stringify(events, (_name, value: unknown) => (typeof value === "bigint" ? `${value}` : value));

/** Writes an answer for a caller of a format. */
function writeWith(codec: DialectCodec, body: JsonObject): Write {
  const request = codec.decodeRequest(body);
  return (events, form) => {
    if (form === "streamed") return codec.createEventEncoder(request).encode(events);
    const fold = new ResponseFold();
    for (const event of events) fold.add(event);
    return codec.encodeResponse(fold.response, request);
  };
}

const NAMES = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];
const CALLERS = [Dialect.UNSPECIFIED, Dialect.CHAT, Dialect.RESPONSES, Dialect.MESSAGES];

const HELLO = [{ role: "user", content: "Hello" }];
const WITH_USAGE = { stream: true, stream_options: { include_usage: true } };
const OWN = {
  chat: writeWith(chatCodec, { model: "m", messages: HELLO, ...WITH_USAGE }),
  responses: writeWith(
    createResponsesCodec(() => 0),
    { model: "m", input: "Hello" },
  ),
  messages: writeWith(messagesCodec, { model: "m", max_tokens: 9, messages: HELLO }),
};
/** Lifetimes of what was written to a cache are told at the start of a stream, and not at its end. */
const START_ONLY = "events[12].data.usage.cache_creation.novel";

describe("what an answer says that nobody here knows", () => {
  it.each(NAMES.flatMap((name) => CALLERS.map((caller) => ({ name, caller }))))(
    "is kept, or the answer is refused: $name, read for callers of format $caller",
    ({ name, caller }) => {
      const create = () => PROTOCOLS[name].createEventDecoder(caller);
      expect(silentIn(ANSWERS[name], create, writeAll)).toEqual([]);
    },
  );

  it.each(Object.keys(OWN) as (keyof typeof OWN)[])("goes to callers of its own format: %s", (name) => {
    const { dialect, createEventDecoder } = PROTOCOLS[name];
    const silent = silentIn(ANSWERS[name], () => createEventDecoder(dialect), OWN[name]);
    expect(silent.filter((place) => place !== START_ONLY)).toEqual([]);
  });
});
