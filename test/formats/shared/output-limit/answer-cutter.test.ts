import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  FinishReason,
  type GenerateEvent,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { AnswerCutter } from "../../../../src/formats/shared/output-limit/answer-cutter.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../../src/hub/events.ts";

const started = startedEvent({});
const stopped = (outputTokens: number) =>
  finishedEvent({ reason: FinishReason.STOP, rawReason: "stop", usage: { outputTokens } });
const text = (index: number, ...deltas: string[]): GenerateEvent[] => [
  blockStartEvent(index, { kind: { case: "text", value: { text: "" } } }),
  ...deltas.map((value) => blockDeltaEvent(index, { case: "text", value })),
  blockEndEvent(index),
];
const call = (index: number, name: string, ...deltas: string[]): GenerateEvent[] => [
  blockStartEvent(index, { kind: { case: "toolUse", value: { id: "c", name } } }),
  ...deltas.map((value) => blockDeltaEvent(index, { case: "arguments", value })),
  blockEndEvent(index),
];

/** Cuts event by event, as a stream comes. */
function cut(maxTokens: number, ...events: readonly GenerateEvent[]): GenerateEvent[] {
  const cutter = new AnswerCutter(maxTokens);
  return events.flatMap((event) => cutter.cut([event]));
}

function endOf(events: readonly GenerateEvent[]) {
  const last = events.at(-1)?.event;
  return last?.case === "finished" ? { reason: last.value.reason, tokens: last.value.usage?.outputTokens } : undefined;
}

describe("AnswerCutter", () => {
  it("cuts texts to four characters a token, over deltas and blocks", () => {
    const events = cut(2, started, ...text(0, "abc"), ...text(1, "defg", "hijk", "l"), ...text(2, "m"), stopped(9));
    expect(events.slice(0, -1)).toEqual([started, ...text(0, "abc"), ...text(1, "defg", "h")]);
    expect(endOf(events)).toEqual({ reason: FinishReason.LENGTH, tokens: 9 });
  });

  it("leaves an answer alone that is short enough", () => {
    const events = [started, ...text(0, "abcd"), stopped(1)];
    expect(cut(1, ...events)).toEqual(events);
  });

  it("says that an answer ended by its length where its text is short, and its tokens are many", () => {
    expect(endOf(cut(5, started, ...text(0, "Yes"), stopped(12)))).toEqual({ reason: FinishReason.LENGTH, tokens: 12 });
  });

  it("hands on nothing for a limit of 0", () => {
    const events = cut(0, started, ...text(0, "a"), stopped(1));
    expect(events.slice(0, -1)).toEqual([started]);
    expect(endOf(events)).toEqual({ reason: FinishReason.LENGTH, tokens: 1 });
  });

  it("leaves out a call whose name does not fit, and cuts arguments", () => {
    expect(cut(1, ...call(0, "search", "{}"))).toEqual([]);
    expect(cut(2, ...call(0, "find", '{"q":1}'))).toEqual(call(0, "find", '{"q"'));
  });

  it("does not cut a character in two", () => {
    expect(cut(1, ...text(0, "abc😀"))).toEqual(text(0, "abc"));
  });

  it("counts summaries, and hands on what seals a block that is cut", () => {
    const summary = (value: string) =>
      blockDeltaEvent(0, { case: "summary", value: create(SummaryDeltaSchema, { text: value }) });
    const sealed = blockDeltaEvent(0, { case: "opaque", value: "x".repeat(100) });
    const start = blockStartEvent(0, { kind: { case: "thinking", value: {} } });
    const events = cut(1, start, summary("abcdef"), sealed, blockEndEvent(0));
    expect(events).toEqual([start, summary("abcd"), sealed, blockEndEvent(0)]);
  });
});
