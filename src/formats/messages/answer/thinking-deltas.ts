import type { ThinkingBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { SummaryDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";

/** The separator between parts of a summary. */
const PART_BREAK = "\n\n";

/**
 * Joins the pieces of a thinking block as encodeBlock() joins the whole: parts of the summary with an empty line
 * between them, or the raw reasoning. Of a block with both, the kind that comes first is told.
 */
export class ThinkingDeltas {
  /** Text that the block had at its start. */
  readonly initial: string;
  #source: "raw" | "summary" | undefined;
  #part = 0;
  #signature: string;

  constructor({ summary, text, opaque }: ThinkingBlock) {
    this.initial = summary.length > 0 ? summary.join(PART_BREAK) : text;
    if (summary.length > 0) {
      this.#source = "summary";
      this.#part = summary.length - 1;
    } else if (text !== "") {
      this.#source = "raw";
    }
    this.#signature = opaque ?? "";
  }

  /** Signature as far as it has come; empty if there is none. */
  get signature(): string {
    return this.#signature;
  }

  /** Takes the signature. */
  sign(signature: string): void {
    this.#signature = signature;
  }

  /** Returns what to add for a piece of raw reasoning. */
  raw(text: string): string {
    this.#source ??= "raw";
    return this.#source === "raw" ? text : "";
  }

  /** Returns what to add for a piece of the summary. */
  summary({ part, text }: SummaryDelta): string {
    this.#source ??= "summary";
    if (this.#source !== "summary") return "";
    const breaks = Math.max(0, part - this.#part);
    this.#part += breaks;
    return PART_BREAK.repeat(breaks) + text;
  }
}
