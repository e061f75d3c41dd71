import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { FinishedSchema, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeStopReason } from "../../../../src/formats/messages/answer/encode-stop-reason.ts";

describe("encodeStopReason()", () => {
  it.each([
    [FinishReason.STOP, "stop", false, "end_turn"],
    [FinishReason.STOP, "stop", true, "refusal"],
    [FinishReason.LENGTH, "length", true, "max_tokens"],
    [FinishReason.TOOL_USE, "tool_calls", true, "tool_use"],
    [FinishReason.UNSPECIFIED, "novel", true, "end_turn"],
  ])("maps %s (%s), with a refusal: %s, to %s", (reason, rawReason, hasRefusal, expected) => {
    expect(encodeStopReason(create(FinishedSchema, { reason, rawReason }), hasRefusal)).toBe(expected);
  });

  it("keeps a word that only this format knows, and none of another format's", () => {
    const end = { reason: FinishReason.UNSPECIFIED, rawReason: "novel" };
    const told = (dialect: Dialect) =>
      create(FinishedSchema, { ...end, extension: { dialect, json: '{"stop_reason":"novel"}' } });
    expect(encodeStopReason(told(Dialect.MESSAGES), true)).toBe("novel");
    expect(encodeStopReason(told(Dialect.CHAT), false)).toBe("end_turn");
  });
});
