import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import { FinishedSchema, FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeStopReason, mapFinishReason } from "../../../src/formats/messages/stop-reason.ts";

const words: readonly [FinishReason, string][] = [
  [FinishReason.STOP, "end_turn"],
  [FinishReason.STOP_SEQUENCE, "stop_sequence"],
  [FinishReason.LENGTH, "max_tokens"],
  [FinishReason.CONTEXT_WINDOW, "model_context_window_exceeded"],
  [FinishReason.TOOL_USE, "tool_use"],
  [FinishReason.REFUSAL, "refusal"],
  [FinishReason.PAUSE, "pause_turn"],
];

describe("mapFinishReason()", () => {
  it.each(words)("maps reason %i to '%s'", (reason, word) => {
    expect(mapFinishReason(reason)).toBe(word);
  });

  it.each([
    ["a filter's cut", FinishReason.CONTENT_FILTER, "refusal"],
    ["a word that nobody knows", FinishReason.UNSPECIFIED, "max_tokens"],
  ])("maps %s", (_what, reason, expected) => {
    expect(mapFinishReason(reason)).toBe(expected);
  });
});

describe("encodeStopReason()", () => {
  it.each([
    [FinishReason.STOP, "stop", false, "end_turn"],
    [FinishReason.STOP, "stop", true, "refusal"],
    [FinishReason.LENGTH, "length", true, "max_tokens"],
    [FinishReason.TOOL_USE, "tool_calls", true, "tool_use"],
    [FinishReason.UNSPECIFIED, "novel", true, "max_tokens"],
  ])("maps %s (%s), with a refusal: %s, to %s", (reason, rawReason, hasRefusal, expected) => {
    const said = { hasRefusal, hasCalls: false };
    expect(encodeStopReason(create(FinishedSchema, { reason, rawReason }), said)).toBe(expected);
  });

  it("ends with calls that are to be made, unless a reason is known that they are not", () => {
    const told = (reason: FinishReason) =>
      encodeStopReason(create(FinishedSchema, { reason, rawReason: "novel" }), { hasRefusal: false, hasCalls: true });
    expect([FinishReason.UNSPECIFIED, FinishReason.LENGTH].map(told)).toEqual(["tool_use", "max_tokens"]);
  });

  it("keeps a word that only this format knows, and none of another format's", () => {
    const end = { reason: FinishReason.UNSPECIFIED, rawReason: "novel" };
    const told = (dialect: Dialect) =>
      create(FinishedSchema, { ...end, extension: { dialect, json: '{"stop_reason":"novel"}' } });
    expect(encodeStopReason(told(Dialect.MESSAGES), { hasRefusal: true, hasCalls: true })).toBe("novel");
    expect(encodeStopReason(told(Dialect.CHAT), { hasRefusal: false, hasCalls: false })).toBe("max_tokens");
  });
});
