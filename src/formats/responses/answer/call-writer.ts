import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { Frames } from "./frames.ts";
import { type CallPart, growPart } from "./output-part.ts";
import type { PartWriter } from "./part-writer.ts";

/** Writes the events of a call of a function or of a custom tool. */
export class CallWriter implements PartWriter {
  readonly #part: CallPart;
  readonly #place: string;
  readonly #frames: Frames;
  readonly #type: string;

  constructor(part: CallPart, place: string, frames: Frames) {
    this.#part = part;
    this.#place = place;
    this.#frames = frames;
    this.#type = part.custom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  }

  open(): string {
    return this.#part.input === "" ? "" : this.#delta(this.#part.input);
  }

  delta(delta: BlockDelta): string {
    growPart(this.#part, delta);
    return delta.delta.case === "arguments" ? this.#delta(delta.delta.value) : "";
  }

  close(): string {
    const { custom, input, name } = this.#part;
    // The specification requires the name on this event, which the SDK's types do not show.
    const whole = custom
      ? `"input":${JSON.stringify(input)}`
      : `"name":${JSON.stringify(name)},"arguments":${JSON.stringify(input)}`;
    return this.#frames.event(`${this.#type}.done`, `${this.#place},${whole}`);
  }

  #delta(text: string): string {
    return this.#frames.event(`${this.#type}.delta`, `${this.#place},"delta":${JSON.stringify(text)}`);
  }
}
