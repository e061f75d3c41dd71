import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { FinishedSchema, FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeStopReason } from "../../../src/facade/messages/encode-stop-reason.ts";

describe("encodeStopReason()", () => {
  it.each([
    [FinishReason.STOP, "stop", false, "end_turn"],
    [FinishReason.STOP, "stop", true, "refusal"],
    [FinishReason.LENGTH, "length", true, "max_tokens"],
    [FinishReason.TOOL_USE, "tool_calls", true, "tool_use"],
    [FinishReason.UNSPECIFIED, "novel", true, "novel"],
  ])("maps %s (%s), with a refusal: %s, to %s", (reason, rawReason, hasRefusal, expected) => {
    expect(encodeStopReason(create(FinishedSchema, { reason, rawReason }), hasRefusal)).toBe(expected);
  });
});
