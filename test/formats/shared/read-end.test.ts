import { describe, expect, it } from "vitest";
import { FinishReason } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { findServerFacts } from "../../../src/catalog/server-facts.ts";
import { readEnd } from "../../../src/formats/shared/read-end.ts";
import { ErrorReason } from "../../../src/hub/error.ts";

describe("readEnd()", () => {
  const unknown = findServerFacts("unknown", "chat");

  it.each([
    ["stop", FinishReason.STOP],
    ["end_turn", FinishReason.STOP],
    ["max_tokens", FinishReason.LENGTH],
    ["model_context_window_exceeded", FinishReason.CONTEXT_WINDOW],
    ["tool_use", FinishReason.TOOL_USE],
    // What a server says, a gateway before it says too.
    ["MAX_TOKENS", FinishReason.LENGTH],
    ["sensitive", FinishReason.CONTENT_FILTER],
    ["guardrail_intervened", FinishReason.CONTENT_FILTER],
    ["model_length", FinishReason.CONTEXT_WINDOW],
    ["safety", FinishReason.CONTENT_FILTER],
    ["content_filter: SAFETY", FinishReason.CONTENT_FILTER],
    ["stop: eos", FinishReason.STOP],
    ["content-filter", FinishReason.CONTENT_FILTER],
    ["tool-calls", FinishReason.TOOL_USE],
    ["TOOL_CALL", FinishReason.TOOL_USE],
    ["COMPLETE", FinishReason.STOP],
    ["eos_token", FinishReason.STOP],
    ["eos", FinishReason.STOP],
    ["contextLengthReached", FinishReason.CONTEXT_WINDOW],
    ["repetition", FinishReason.LENGTH],
    ["max_output", FinishReason.LENGTH],
    ["max_new_tokens", FinishReason.LENGTH],
    ["maxTokens", FinishReason.LENGTH],
    ["FINISH_REASON_MAX_TOKENS", FinishReason.LENGTH],
    ["REASON_MAX_LEN", FinishReason.LENGTH],
    ["truncated", FinishReason.LENGTH],
    ["context_length_exceeded", FinishReason.CONTEXT_WINDOW],
    ["moderation", FinishReason.CONTENT_FILTER],
    ["contentFilter", FinishReason.CONTENT_FILTER],
    ["data_inspection_failed", FinishReason.CONTENT_FILTER],
    ["refused", FinishReason.REFUSAL],
    ["toolUse", FinishReason.TOOL_USE],
    ["functions", FinishReason.TOOL_USE],
    ["end_of_turn", FinishReason.STOP],
    ["stop_token", FinishReason.STOP],
    ["stop_string", FinishReason.STOP_SEQUENCE],
    ["toString", FinishReason.UNSPECIFIED],
    ["max_tool_calls", FinishReason.UNSPECIFIED],
    ["done_oddly", FinishReason.UNSPECIFIED],
    ["enough", FinishReason.UNSPECIFIED],
  ])("maps %s", (word, reason) => {
    expect(readEnd(word, unknown)).toBe(reason);
  });

  it.each([
    "error",
    "abort",
    "network_error",
    "insufficient_system_resource",
    "malformed_tool_use",
    "aborted",
    "USER_CANCEL",
    "TIMEOUT",
    "MALFORMED_RESPONSE",
    "internal_error",
    "context_canceled",
    "preempted",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
    "engine_dead_error",
    "engine_dead",
    "deadline_exceeded",
    "interrupted",
  ])("throws for %s, which says that the answer broke off", (word) => {
    const message = `the upstream's answer ends with the reason '${word}'`;
    expect(() => readEnd(word, unknown)).toThrow(
      expect.objectContaining({ reason: ErrorReason.UPSTREAM_ERROR, message }),
    );
  });

  it("goes by what is configured before what is built in", () => {
    expect(readEnd("stop", { ends: { stop: "length" } })).toBe(FinishReason.LENGTH);
  });
});
