import type { BlockDelta } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { CallWriter } from "./call-writer.ts";
import type { Frames } from "./frames.ts";
import { OpaqueWriter } from "./opaque-writer.ts";
import type { OutputItem, Placed } from "./output-list.ts";
import { ReasoningWriter } from "./reasoning-writer.ts";
import { TextWriter } from "./text-writer.ts";

/** Writes the events of one block, between those that add its item and those that end it. */
export interface PartWriter {
  /** Events that open the block. */
  open(): string;
  /** Adds a delta to the part; returns its events. */
  delta(delta: BlockDelta): string;
  /** Events that say what the block became. */
  close(): string;
}

/** Creates the writer of a block. What the block held from its start is written as a first delta. */
export function createPartWriter({ item, part }: Placed, frames: Frames): PartWriter {
  const place = `"item_id":${JSON.stringify(item.id)},"output_index":${item.index}`;
  switch (part.type) {
    case "text":
    case "refusal":
      return new TextWriter(part, contentPlace(place, item), frames);
    case "call":
      return new CallWriter(part, place, frames);
    case "reasoning":
      return new ReasoningWriter(part, place, frames);
    case "opaque":
      return new OpaqueWriter(part, item.type === "message" ? contentPlace(place, item) : undefined, frames);
    default:
      return part satisfies never;
  }
}

function contentPlace(place: string, item: OutputItem): string {
  return `${place},"content_index":${item.parts.length - 1}`;
}
