import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { encodePart } from "./encode-item.ts";
import type { Frames } from "./frames.ts";
import { growPart, type TextPart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";

/** Writes the events of a text or a refusal. The hot path: a delta costs one JSON.stringify of its text. */
export class TextWriter implements PartWriter {
  readonly #part: TextPart;
  readonly #place: string;
  readonly #frames: Frames;
  readonly #start: string;
  #annotations = 0;

  constructor(part: TextPart, place: string, frames: Frames) {
    this.#part = part;
    this.#place = place;
    this.#frames = frames;
    this.#start = part.text;
    part.text = "";
  }

  open(): string {
    const opened = this.#frames.event(
      "response.content_part.added",
      `${this.#place},"part":${JSON.stringify(encodePart(this.#part))}`,
    );
    this.#part.text = this.#start;
    return this.#start === "" ? opened : opened + this.#textDelta(this.#start, "[]");
  }

  delta(delta: BlockDelta): string {
    growPart(this.#part, delta);
    if (delta.delta.case === "text") return this.#textDelta(delta.delta.value, this.#logprobs(delta));
    return delta.delta.case === "raw" ? this.#annotationsAdded(delta) : "";
  }

  close(): string {
    const { type, text } = this.#part;
    const part = encodePart(this.#part);
    const whole =
      type === "text"
        ? `"text":${JSON.stringify(text)},"logprobs":${JSON.stringify(part.logprobs)}`
        : `"refusal":${JSON.stringify(text)}`;
    return (
      this.#frames.event(
        type === "text" ? "response.output_text.done" : "response.refusal.done",
        `${this.#place},${whole}`,
      ) + this.#frames.event("response.content_part.done", `${this.#place},"part":${JSON.stringify(part)}`)
    );
  }

  #textDelta(text: string, logprobs: string): string {
    const delta = `${this.#place},"delta":${JSON.stringify(text)}`;
    return this.#part.type === "text"
      ? this.#frames.event("response.output_text.delta", `${delta},"logprobs":${logprobs}`)
      : this.#frames.event("response.refusal.delta", delta);
  }

  #logprobs({ extension }: BlockDelta): string {
    const logprobs = extension && readResponsesJson(extension)?.logprobs;
    return Array.isArray(logprobs) ? JSON.stringify(logprobs) : "[]";
  }

  #annotationsAdded({ delta }: BlockDelta): string {
    const { annotations } = this.#part.extension;
    if (delta.case !== "raw" || !Array.isArray(annotations)) return "";
    let events = "";
    for (const annotation of annotations.slice(this.#annotations)) {
      const members = `"annotation_index":${this.#annotations++},"annotation":${JSON.stringify(annotation)}`;
      events += this.#frames.event("response.output_text.annotation.added", `${this.#place},${members}`);
    }
    return events;
  }
}
