import { create, equals, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ContentBlockSchema, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  encodeReasoningDetails,
  isReasoning,
  joinReasoning,
  needsDetails,
  REASONING_DETAILS,
} from "../../../src/formats/chat/reasoning-details.ts";

const block = (init: MessageInitShape<typeof ContentBlockSchema>) => create(ContentBlockSchema, init);
const thinking = (value: { text?: string; summary?: string[]; opaque?: string; id?: string }) =>
  block({ kind: { case: "thinking", value } });
const redacted = (data: string) => block({ kind: { case: "redactedThinking", value: { data } } });

describe("encodeReasoningDetails()", () => {
  it.each([
    ["raw text", thinking({ text: "t" }), [{ type: "reasoning.text", text: "t" }]],
    [
      "a summary",
      thinking({ summary: ["a", "b"], id: "r" }),
      [
        { type: "reasoning.summary", summary: "a", id: "r" },
        { type: "reasoning.summary", summary: "b", id: "r" },
        { type: "reasoning.text", text: "", id: "r" },
      ],
    ],
    [
      "a signed summary",
      thinking({ summary: ["a"], opaque: "S" }),
      [
        { type: "reasoning.summary", summary: "a" },
        { type: "reasoning.text", text: "", signature: "S" },
      ],
    ],
    ["a signature alone", thinking({ opaque: "" }), [{ type: "reasoning.text", text: "", signature: "" }]],
    ["sealed reasoning", redacted("B"), [{ type: "reasoning.encrypted", data: "B" }]],
    ["other blocks", block({ kind: { case: "text", value: { text: "x" } } }), []],
  ])("encodes %s", (_name, encoded, expected) => {
    expect(encodeReasoningDetails(encoded)).toEqual(expected);
  });
});

describe("REASONING_DETAILS", () => {
  it("is the inverse", () => {
    const blocks = [
      thinking({ text: "t", opaque: "S", id: "1" }),
      thinking({ summary: ["a", "b"], opaque: "S2" }),
      redacted("B"),
      thinking({ summary: ["c"] }),
      thinking({ summary: ["d"] }),
      thinking({ opaque: "S3" }),
    ];
    const decoded = REASONING_DETAILS.read(blocks.flatMap(encodeReasoningDetails), "reasoning_details", undefined);
    expect(decoded.map((one, index) => equals(ContentBlockSchema, one, blocks[index] ?? one))).toEqual(
      blocks.map(() => true),
    );
    expect(decoded).toHaveLength(blocks.length);
  });

  it("keeps members and entries that it does not know", () => {
    const entries = [
      { type: "reasoning.text", text: "t", format: "f", index: 0 },
      { type: "reasoning.encrypted", data: "B", id: "e" },
      { type: "reasoning.odd", x: 1 },
    ];
    const decoded = REASONING_DETAILS.read(entries, "reasoning_details", undefined);
    expect(decoded.every(isReasoning)).toBe(true);
    expect(decoded.flatMap(encodeReasoningDetails)).toEqual(entries);
  });

  it.each([
    [{}, "reasoning_details: must be an array, not an object"],
    [[1], "reasoning_details[0]: must be an object, not a number"],
    [[{}], "reasoning_details[0].type: is required: a string"],
    [[{ type: "reasoning.summary" }], "reasoning_details[0].summary: is required: a string"],
    [[{ type: "reasoning.text", signature: 1 }], "reasoning_details[0].signature: must be a string, not a number"],
  ])("refuses %j", (value, message) => {
    expect(() => REASONING_DETAILS.read(value, "reasoning_details", undefined)).toThrow(message);
  });
});

describe("needsDetails()", () => {
  it.each([
    ["text", thinking({ text: "t" }), false],
    ["a signature, even an empty one", thinking({ opaque: "" }), true],
    ["sealed reasoning", redacted("B"), true],
    [
      "a block of another dialect",
      block({ kind: { case: "opaque", value: { dialect: Dialect.MESSAGES, json: '{"type":"reasoning.x"}' } } }),
      false,
    ],
  ])("tells of %s", (_name, one, expected) => {
    expect(needsDetails(one)).toBe(expected);
  });
});

describe("joinReasoning()", () => {
  it("sets blocks and parts apart by blank lines, and prefers raw text", () => {
    const blocks = [thinking({ summary: ["a", "", "b"] }), redacted("B"), thinking({ text: "t", summary: ["no"] })];
    expect(joinReasoning(blocks)).toBe("a\n\nb\n\nt");
    expect(joinReasoning([redacted("B")])).toBeUndefined();
  });
});
