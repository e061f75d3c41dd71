import { describe, expect, it } from "vitest";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { mapFinishReason, mapStopReason } from "../../../src/formats/messages/stop-reason.ts";

const words: readonly [FinishReason, string][] = [
  [FinishReason.STOP, "end_turn"],
  [FinishReason.STOP_SEQUENCE, "stop_sequence"],
  [FinishReason.LENGTH, "max_tokens"],
  [FinishReason.CONTEXT_WINDOW, "model_context_window_exceeded"],
  [FinishReason.TOOL_USE, "tool_use"],
  [FinishReason.REFUSAL, "refusal"],
  [FinishReason.PAUSE, "pause_turn"],
];

describe("mapStopReason()", () => {
  it.each(words)("maps reason %i from '%s' and back", (reason, word) => {
    expect(mapStopReason(word)).toBe(reason);
    expect(mapFinishReason(reason)).toBe(word);
  });

  it("does not know a new word", () => {
    expect(mapStopReason("compaction")).toBe(FinishReason.UNSPECIFIED);
  });
});

describe("mapFinishReason()", () => {
  it.each([
    ["a filter's cut", FinishReason.CONTENT_FILTER, "refusal"],
    ["nothing at all", FinishReason.UNSPECIFIED, "end_turn"],
  ])("maps %s", (_what, reason, expected) => {
    expect(mapFinishReason(reason)).toBe(expected);
  });
});
