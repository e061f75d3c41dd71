import type { MessageInitShape } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema } from "../../gen/attune/content/v1/content_pb.ts";
import {
  type BlockDelta,
  BlockEndSchema,
  BlockStartSchema,
  FinishedSchema,
  type GenerateEvent,
  GenerateEventSchema,
  StartedSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { create } from "../lib/protobuf/create.ts";

/** Makes a `started` event. */
export function startedEvent(init: MessageInitShape<typeof StartedSchema>): GenerateEvent {
  return create(GenerateEventSchema, { event: { case: "started", value: create(StartedSchema, init) } });
}

/** Makes a `block_start` event. */
export function blockStartEvent(index: number, block: MessageInitShape<typeof ContentBlockSchema>): GenerateEvent {
  const value = create(BlockStartSchema, { index, block: create(ContentBlockSchema, block) as ContentBlock });
  return create(GenerateEventSchema, { event: { case: "blockStart", value } });
}

/** Makes a `block_delta` event. */
export function blockDeltaEvent(index: number, delta: BlockDelta["delta"]): GenerateEvent {
  // As create() makes them, which takes six times as long: an answer has thousands.
  const value: BlockDelta = { $typeName: "attune.inference.v1.BlockDelta", index, delta };
  return { $typeName: "attune.inference.v1.GenerateEvent", event: { case: "blockDelta", value } };
}

/** Makes a `block_end` event. */
export function blockEndEvent(index: number): GenerateEvent {
  return create(GenerateEventSchema, { event: { case: "blockEnd", value: create(BlockEndSchema, { index }) } });
}

/** Makes a `finished` event. */
export function finishedEvent(init: MessageInitShape<typeof FinishedSchema>): GenerateEvent {
  return create(GenerateEventSchema, { event: { case: "finished", value: create(FinishedSchema, init) } });
}
