import { CallWriter } from "./call-writer.ts";
import type { Frames } from "./frames.ts";
import { OpaqueWriter } from "./opaque-writer.ts";
import type { OutputItem, Placed } from "./output-list.ts";
import type { PartWriter } from "./part-writer.ts";
import { ReasoningWriter } from "./reasoning-writer.ts";
import { SearchWriter } from "./search-writer.ts";
import { TextWriter } from "./text-writer.ts";

/** Creates the writer of a block. What the block held from its start is written as a first delta. */
export function createPartWriter({ item, part, isNew }: Placed, frames: Frames): PartWriter {
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
    case "search":
      return new SearchWriter(part, { place, isNew: isNew === true }, frames);
    default:
      return part satisfies never;
  }
}

function contentPlace(place: string, item: OutputItem): string {
  return `${place},"content_index":${item.parts.length - 1}`;
}
