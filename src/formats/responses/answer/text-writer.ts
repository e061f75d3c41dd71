import type { Annotation, TokenLogprob } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { encodeAnnotations } from "../../shared/annotations.ts";
import { encodeLogprobs } from "../../shared/logprobs.ts";
import { RESPONSES_ANNOTATIONS, RESPONSES_LOGPROBS } from "../forms.ts";
import { encodePart } from "./encode-item.ts";
import type { Frames } from "./frames.ts";
import { growPart, type TextPart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";

/** Writes the events of a text or a refusal. The hot path: a delta costs one JSON.stringify of its text. */
export class TextWriter implements PartWriter {
  readonly #part: TextPart;
  readonly #place: string;
  readonly #frames: Frames;
  #annotations = 0;

  constructor(part: TextPart, place: string, frames: Frames) {
    this.#part = part;
    this.#place = place;
    this.#frames = frames;
  }

  open(): string {
    const { text, logprobs, annotations } = this.#part;
    const empty = { ...this.#part, text: "", logprobs: [], annotations: [] };
    const opened = this.#frames.event(
      "response.content_part.added",
      `${this.#place},"part":${JSON.stringify(encodePart(empty))}`,
    );
    const hasStart = text !== "" || logprobs.length > 0;
    return opened + (hasStart ? this.#textDelta(text, logprobs) : "") + this.#annotationsAdded(annotations);
  }

  delta(delta: BlockDelta): string {
    growPart(this.#part, delta);
    if (delta.delta.case === "text") return this.#textDelta(delta.delta.value, delta.logprobs?.tokens);
    return delta.delta.case === "annotation" ? this.#annotationsAdded([delta.delta.value]) : "";
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

  #textDelta(text: string, tokens: readonly TokenLogprob[] | undefined): string {
    const delta = `${this.#place},"delta":${JSON.stringify(text)}`;
    if (this.#part.type !== "text") return this.#frames.event("response.refusal.delta", delta);
    const logprobs =
      tokens === undefined ? "[]" : JSON.stringify(encodeLogprobs({ tokens: [...tokens] }, RESPONSES_LOGPROBS));
    return this.#frames.event("response.output_text.delta", `${delta},"logprobs":${logprobs}`);
  }

  #annotationsAdded(annotations: Annotation[]): string {
    let events = "";
    for (const annotation of encodeAnnotations({ annotations }, RESPONSES_ANNOTATIONS)) {
      const members = `"annotation_index":${this.#annotations++},"annotation":${JSON.stringify(annotation)}`;
      events += this.#frames.event("response.output_text.annotation.added", `${this.#place},${members}`);
    }
    return events;
  }
}
