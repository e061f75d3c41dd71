import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type BlockDelta,
  type GenerateEvent,
  SummaryDeltaSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createResponsesCodec } from "../../../../src/formats/responses/codec.ts";
import type { DecodedRequest } from "../../../../src/formats/shared/codec.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import {
  blockDeltaEvent,
  blockEndEvent,
  blockStartEvent,
  finishedEvent,
  startedEvent,
} from "../../../../src/hub/events.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

/** Identifier of the inference in these tests. */
export const ID = "0199c0de-0000-7000-8000-00000000abcd";

/** What the ids of items are made of. */
export const SUFFIX = "0199c0de00007000800000000000abcd";

/** A codec whose clock stands at 1800000005 seconds; the inference began five seconds before. */
export const codec = createResponsesCodec(() => 1_800_000_005_678);

export const request: DecodedRequest = codec.decodeRequest({ model: "attune/m", input: "Hello", stream: true });

type Init = Parameters<typeof blockStartEvent>[1];

/** The events of a whole answer: blocks, each with its deltas, between start and end. */
export function answer(
  blocks: readonly [block: Init, ...deltas: BlockDelta["delta"][]][],
  finished: Parameters<typeof finishedEvent>[0],
): GenerateEvent[] {
  const middle = blocks.flatMap(([block, ...deltas], index) => [
    blockStartEvent(index, block),
    ...deltas.map((delta) => blockDeltaEvent(index, delta)),
    blockEndEvent(index),
  ]);
  return [started(), ...middle, finishedEvent(finished)];
}

export function started(): GenerateEvent {
  return startedEvent({ id: ID, model: "attune/m", createdAt: timestampFromMs(1_800_000_000_123), serving: {} });
}

export function text(value: string): BlockDelta["delta"] {
  return { case: "text", value };
}

export function summary(part: number, value: string): BlockDelta["delta"] {
  return { case: "summary", value: create(SummaryDeltaSchema, { part, text: value }) };
}

/** Encodes the whole answer that the events fold to, and parses it. */
export function respond(events: readonly GenerateEvent[], to: DecodedRequest = request): JsonObject {
  const fold = new ResponseFold();
  for (const event of events) fold.add(event);
  return JSON.parse(codec.encodeResponse(fold.response, to));
}

/** The Response object of a request that says nothing but model and input, as the format's documentation has it. */
export function resource(members: JsonObject): JsonObject {
  return {
    id: ID,
    object: "response",
    created_at: 1800000000,
    completed_at: 1800000005,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    model: "attune/m",
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    presence_penalty: 0,
    frequency_penalty: 0,
    usage: null,
    metadata: {},
    ...members,
  };
}
