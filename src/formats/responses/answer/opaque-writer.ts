import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodePart } from "./encode-item.ts";
import type { Frames } from "./frames.ts";
import { growPart, type OpaquePart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";

/**
 * Writes the events of what only this format knows: a whole item needs none of its own; a part of a message item, which
 * stands at `place`, is added and done.
 */
export class OpaqueWriter implements PartWriter {
  readonly #part: OpaquePart;
  readonly #place: string | undefined;
  readonly #frames: Frames;

  constructor(part: OpaquePart, place: string | undefined, frames: Frames) {
    this.#part = part;
    this.#place = place;
    this.#frames = frames;
  }

  open(): string {
    return this.#event("response.content_part.added");
  }

  delta(delta: BlockDelta): string {
    growPart(this.#part, delta);
    return "";
  }

  close(): string {
    return this.#event("response.content_part.done");
  }

  #event(type: string): string {
    if (this.#place === undefined) return "";
    return this.#frames.event(type, `${this.#place},"part":${JSON.stringify(encodePart(this.#part))}`);
  }
}
