import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { Frames } from "./frames.ts";
import { growPart, type ReasoningPart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";

/** Writes the events of a reasoning item: the parts of its summary, and its raw text as the one part of its content. */
export class ReasoningWriter implements PartWriter {
  readonly #part: ReasoningPart;
  readonly #place: string;
  readonly #frames: Frames;
  /** Part of the summary that is open. */
  #open: number | undefined;
  /** Parts of the summary that were opened. */
  #opened = 0;
  #hasContent = false;

  constructor(part: ReasoningPart, place: string, frames: Frames) {
    this.#part = part;
    this.#place = place;
    this.#frames = frames;
  }

  open(): string {
    const { summary, text } = this.#part;
    const parts = summary.map((part, index) => this.#summaryDelta(index, part));
    return parts.join("") + (text === "" ? "" : this.#textDelta(text));
  }

  delta(delta: BlockDelta): string {
    growPart(this.#part, delta);
    if (delta.delta.case === "summary") return this.#summaryDelta(delta.delta.value.part, delta.delta.value.text);
    return delta.delta.case === "thinking" && delta.delta.value !== "" ? this.#textDelta(delta.delta.value) : "";
  }

  close(): string {
    return this.#closeSummary() + this.#closeContent();
  }

  /** Parts come in order; a delta of a part that is closed already is written after all, for the client to append. */
  #summaryDelta(index: number, text: string): string {
    let events = "";
    while (this.#opened <= index) events += this.#closeSummary() + this.#openSummary();
    if (text === "") return events;
    const members = `${this.#summaryPlace(index)},"delta":${JSON.stringify(text)}`;
    return events + this.#frames.event("response.reasoning_summary_text.delta", members);
  }

  #openSummary(): string {
    this.#open = this.#opened++;
    return this.#summaryEvent("response.reasoning_summary_part.added", this.#open, "");
  }

  #closeSummary(): string {
    if (this.#open === undefined) return "";
    const index = this.#open;
    const text = this.#part.summary[index] ?? "";
    this.#open = undefined;
    const done = `${this.#summaryPlace(index)},"text":${JSON.stringify(text)}`;
    return (
      this.#frames.event("response.reasoning_summary_text.done", done) +
      this.#summaryEvent("response.reasoning_summary_part.done", index, text)
    );
  }

  #summaryEvent(type: string, index: number, text: string): string {
    const part = `{"type":"summary_text","text":${JSON.stringify(text)}}`;
    return this.#frames.event(type, `${this.#summaryPlace(index)},"part":${part}`);
  }

  #summaryPlace(index: number): string {
    return `${this.#place},"summary_index":${index}`;
  }

  #textDelta(text: string): string {
    const opened =
      this.#closeSummary() + (this.#hasContent ? "" : this.#contentEvent("response.content_part.added", ""));
    this.#hasContent = true;
    const members = `${this.#place},"content_index":0,"delta":${JSON.stringify(text)}`;
    return opened + this.#frames.event("response.reasoning_text.delta", members);
  }

  #closeContent(): string {
    if (!this.#hasContent) return "";
    const { text } = this.#part;
    const done = `${this.#place},"content_index":0,"text":${JSON.stringify(text)}`;
    return (
      this.#frames.event("response.reasoning_text.done", done) + this.#contentEvent("response.content_part.done", text)
    );
  }

  #contentEvent(type: string, text: string): string {
    const part = `{"type":"reasoning_text","text":${JSON.stringify(text)}}`;
    return this.#frames.event(type, `${this.#place},"content_index":0,"part":${part}`);
  }
}
