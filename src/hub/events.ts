import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ContentBlockSchema } from "../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  type BlockEnd,
  type BlockStart,
  type ChoiceEvent,
  FinishedSchema,
  type GenerateEvent,
  StartedSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";

/** Makes an event. Every answer has thousands of them: as create() makes it, it takes six times as long. */
export function createEvent(event: GenerateEvent["event"]): GenerateEvent {
  return { $typeName: "attune.inference.v1.GenerateEvent", event };
}

/** Makes a `started` event. */
export function startedEvent(init: MessageInitShape<typeof StartedSchema>): GenerateEvent {
  return createEvent({ case: "started", value: create(StartedSchema, init) });
}

/** Makes a `block_start` event. */
export function blockStartEvent(index: number, block: MessageInitShape<typeof ContentBlockSchema>): GenerateEvent {
  const value: BlockStart = {
    $typeName: "attune.inference.v1.BlockStart",
    index,
    block: create(ContentBlockSchema, block),
  };
  return createEvent({ case: "blockStart", value });
}

/** Makes a `block_delta` event. */
export function blockDeltaEvent(index: number, delta: BlockDelta["delta"]): GenerateEvent {
  const value: BlockDelta = { $typeName: "attune.inference.v1.BlockDelta", index, delta };
  return createEvent({ case: "blockDelta", value });
}

/** Makes a `block_end` event. */
export function blockEndEvent(index: number): GenerateEvent {
  const value: BlockEnd = { $typeName: "attune.inference.v1.BlockEnd", index };
  return createEvent({ case: "blockEnd", value });
}

/** Makes a `finished` event. */
export function finishedEvent(init: MessageInitShape<typeof FinishedSchema>): GenerateEvent {
  return createEvent({ case: "finished", value: create(FinishedSchema, init) });
}

/** Makes a `choice_event` event. */
export function choiceEvent(choice: number, event: ChoiceEvent["event"]): GenerateEvent {
  const value: ChoiceEvent = { $typeName: "attune.inference.v1.ChoiceEvent", choice, event };
  return createEvent({ case: "choiceEvent", value });
}
