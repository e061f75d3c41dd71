import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { type GenerateEvent, SummaryDeltaSchema } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { withWholeCharacters } from "../../../src/formats/shared/with-whole-characters.ts";
import { blockDeltaEvent, blockEndEvent, blockStartEvent, choiceEvent } from "../../../src/hub/events.ts";

const start = blockStartEvent(0, { kind: { case: "text", value: { text: "" } } });
const text = (value: string) => blockDeltaEvent(0, { case: "text", value });

/** Tells a decoder's events through withWholeCharacters(), one at a time. */
function told(events: readonly GenerateEvent[]): GenerateEvent[] {
  const decoder = withWholeCharacters({ decode: () => [...events], close: () => [], decodeWhole: () => [...events] });
  return decoder.decodeWhole("");
}

/** Texts of the deltas. */
function texts(events: readonly GenerateEvent[]): unknown[] {
  return events.flatMap(({ event }) => {
    const inner = event.case === "choiceEvent" ? event.value.event : event;
    return inner.case === "blockDelta" ? [inner.value.delta.value] : [];
  });
}

describe("withWholeCharacters()", () => {
  it("leaves whole texts as they are", () => {
    const events = [start, text("a 😀 b"), blockEndEvent(0)];
    expect(told(events)).toEqual(events);
  });

  it("puts the halves of a pair that was cut into one delta", () => {
    expect(texts(told([start, text("a \ud83d"), text("\ude00 b"), blockEndEvent(0)]))).toEqual(["a ", "😀 b"]);
  });

  it("has U+FFFD for a half alone, also at the end of a block", () => {
    const events = [start, text("a \ude00"), text("\ud83d"), text(" b \ud83d"), blockEndEvent(0)];
    expect(texts(told(events))).toEqual(["a \ufffd", "", "\ufffd b ", "\ufffd"]);
  });

  it("keeps the blocks and choices apart", () => {
    const thinking = blockDeltaEvent(1, { case: "thinking", value: "\ud83d" });
    const other = choiceEvent(1, text("\ude00").event as Parameters<typeof choiceEvent>[1]);
    expect(texts(told([text("\ud83d"), thinking, other, text("\ude00"), blockEndEvent(1)]))).toEqual([
      "",
      "",
      "\ufffd",
      "😀",
      "\ufffd",
    ]);
  });

  it("mends a text that a block begins with", () => {
    const begun = blockStartEvent(0, { kind: { case: "text", value: { text: "x\ud83d" } } });
    expect(JSON.stringify(told([begun]))).not.toMatch(/\\ud[89a-f]/i);
  });

  it("puts halves of a summary together", () => {
    const summary = (value: string) =>
      blockDeltaEvent(1, { case: "summary", value: create(SummaryDeltaSchema, { part: 2, text: value }) });
    expect(told([summary("a \ud83d"), summary("\ude00"), summary("\ud83d"), blockEndEvent(1)])).toEqual([
      summary("a "),
      summary("😀"),
      summary(""),
      summary("\ufffd"),
      blockEndEvent(1),
    ]);
  });
});
