import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { AnnotationSchema, Dialect, LogprobsSchema, RawJsonSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  BlockDeltaSchema,
  BlockEndSchema,
  type GenerateEvent,
  GenerateEventSchema,
  SummaryDeltaSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../src/hub/events.ts";
import { PieceRecorder } from "../../../src/inference/checks/piece-recorder.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";
import { replayEvents } from "../../../src/inference/history/replay-events.ts";

const raw = (value: object) => create(RawJsonSchema, { dialect: Dialect.RESPONSES, json: JSON.stringify(value) });
const summary = (part: number, text: string): BlockDelta["delta"] => ({
  case: "summary",
  value: create(SummaryDeltaSchema, { part, text }),
});
const rawEvent = (value: object): GenerateEvent =>
  create(GenerateEventSchema, { event: { case: "raw", value: raw(value) } });
const text = (value: string): BlockDelta["delta"] => ({ case: "text", value });

const tokens = (...words: string[]) => ({
  logprobs: create(LogprobsSchema, { tokens: words.map((token, index) => ({ token, logprob: -index })) }),
});
const grown = (index: number, value: string, ...words: string[]): GenerateEvent => {
  const delta = create(BlockDeltaSchema, { index, delta: text(value), ...tokens(...words) });
  return create(GenerateEventSchema, { event: { case: "blockDelta", value: delta } });
};
const cited = (url: string): BlockDelta["delta"] => ({
  case: "annotation",
  value: create(AnnotationSchema, { kind: { case: "urlCitation", value: { url } } }),
});

const STREAM: readonly GenerateEvent[] = [
  startedEvent({ id: "a", model: "m" }),
  rawEvent({ type: "new" }),
  blockStartEvent(0, { kind: { case: "thinking", value: {} } }),
  blockDeltaEvent(0, summary(0, "On")),
  blockDeltaEvent(0, summary(0, "e")),
  blockDeltaEvent(0, summary(2, "Three")),
  blockDeltaEvent(0, summary(0, "!")),
  blockDeltaEvent(0, { case: "thinking", value: "Hm" }),
  blockDeltaEvent(0, { case: "opaque", value: "sig" }),
  blockEndEvent(0),
  blockStartEvent(1, { itemId: "msg_1", kind: { case: "text", value: {} }, extension: raw({ phase: "final" }) }),
  blockDeltaEvent(1, text("Grüße \ud83c")),
  create(GenerateEventSchema, {
    event: {
      case: "blockDelta",
      value: create(BlockDeltaSchema, { index: 1, delta: text("\udf0d"), extension: raw({ logprobs: [1] }) }),
    },
  }),
  grown(1, "ab", "a", "b"),
  blockDeltaEvent(1, cited("https://a.example")),
  grown(1, "", "end"),
  blockDeltaEvent(1, cited("https://b.example")),
  blockDeltaEvent(1, { case: "raw", value: raw({ annotations: [1] }) }),
  blockDeltaEvent(1, text("")),
  create(GenerateEventSchema, {
    event: { case: "blockEnd", value: create(BlockEndSchema, { index: 1, extension: raw({ late: 1 }) }) },
  }),
  blockStartEvent(2, { kind: { case: "opaque", value: raw({ type: "search" }) } }),
  blockDeltaEvent(2, { case: "raw", value: raw({ found: 3 }) }),
  blockEndEvent(2),
  rawEvent({ type: "newer" }),
  blockStartEvent(3, { kind: { case: "toolUse", value: { id: "c", name: "f" } } }),
  blockDeltaEvent(3, { case: "arguments", value: "{}" }),
  blockEndEvent(3),
  blockStartEvent(4, { kind: { case: "redactedThinking", value: { data: "x" } } }),
  blockEndEvent(4),
  finishedEvent({ rawReason: "stop" }),
];

function stored(events: readonly GenerateEvent[]) {
  const fold = new ResponseFold();
  const pieces = new PieceRecorder();
  for (const event of events) {
    fold.add(event);
    pieces.add(event);
  }
  const { response } = fold;
  response.pieces = pieces.message;
  return response;
}

describe("replayEvents()", () => {
  it("gives every event again as it came", () => {
    expect([...replayEvents(stored(STREAM))]).toEqual(STREAM);
  });

  it("gives again what came of an answer that was broken off, wherever that was", () => {
    for (let length = 0; length < STREAM.length; length++) {
      const part = STREAM.slice(0, length);
      expect([...replayEvents(stored(part))], `${length} events`).toEqual(part);
    }
  });

  it("gives what a block held from its start as its first deltas", () => {
    const begun = [
      startedEvent({ id: "a", model: "m" }),
      blockStartEvent(0, { kind: { case: "text", value: { text: "Be" } } }),
      blockDeltaEvent(0, text("gun")),
      blockEndEvent(0),
    ];
    expect([...replayEvents(stored(begun))].slice(1)).toEqual([
      blockStartEvent(0, { kind: { case: "text", value: {} } }),
      blockDeltaEvent(0, text("Be")),
      blockDeltaEvent(0, text("gun")),
      blockEndEvent(0),
    ]);
  });

  it("gives an answer that came whole block by block", () => {
    const response = stored(STREAM);
    response.pieces = undefined;
    const events = [...replayEvents(response)];
    expect(events).toHaveLength(2 + 2 * response.content.length);
    expect(events[1]).toEqual(blockStartEvent(0, response.content[0] ?? {}));
  });
});
