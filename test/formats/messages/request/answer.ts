import { create } from "@bufbuild/protobuf";
import {
  FinishReason,
  type GenerateEvent,
  type GenerateResponse,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../../src/hub/events.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

/** Identifier of the inference in these tests. */
export const ID = "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

/** Thinking with a signature, text, and two calls at once: what the hub says of such an answer. */
export function toolAnswer(): GenerateEvent[] {
  const thought = (text: string) => create(SummaryDeltaSchema, { part: 0, text });
  return [
    startedEvent({ id: ID, model: "attune/m", usage: { inputTokens: 12, cacheReadTokens: 5, outputTokens: 1 } }),
    blockStartEvent(0, { kind: { case: "thinking", value: {} } }),
    blockDeltaEvent(0, { case: "summary", value: thought("Two ") }),
    blockDeltaEvent(0, { case: "summary", value: thought("cities.") }),
    blockDeltaEvent(0, { case: "opaque", value: "c2lnbmF0dXJl" }),
    blockEndEvent(0),
    blockStartEvent(1, { kind: { case: "text", value: {} } }),
    blockDeltaEvent(1, { case: "text", value: 'I look "both" up 🌦' }),
    blockDeltaEvent(1, { case: "text", value: ".\n" }),
    blockEndEvent(1),
    blockStartEvent(2, { kind: { case: "toolUse", value: { id: "toolu_1", name: "get_weather" } } }),
    blockDeltaEvent(2, { case: "arguments", value: '{"city":' }),
    blockDeltaEvent(2, { case: "arguments", value: '"Paris"}' }),
    blockEndEvent(2),
    blockStartEvent(3, { kind: { case: "toolUse", value: { id: "toolu_2", name: "get_time" } } }),
    blockEndEvent(3),
    finishedEvent({
      reason: FinishReason.TOOL_USE,
      rawReason: "tool_use",
      usage: { inputTokens: 12, cacheReadTokens: 5, outputTokens: 40, reasoningTokens: 9 },
    }),
  ];
}

/** Folds events into the whole answer. */
export function fold(events: readonly GenerateEvent[]): GenerateResponse {
  const folded = new ResponseFold();
  for (const event of events) folded.add(event);
  return folded.response;
}
