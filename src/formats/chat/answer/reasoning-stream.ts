import { clone } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type RawJson,
  type ThinkingBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { BlockDelta } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { blockMembers } from "../block-members.ts";
import { chatJson } from "../raw-json.ts";
import { encodeReasoningDetails, isReasoning, needsDetails } from "../reasoning-details.ts";

/**
 * Says what a stream shows of reasoning, so that it adds up to what a whole answer shows: texts a blank line apart, and
 * `reasoning_details` of every block as soon as one of them holds opaque state.
 */
export class ReasoningStream {
  #block: ContentBlock | undefined;
  /** Part of the summary that was said last, or `raw`; undefined before a block's first text. */
  #part: number | "raw" | undefined;
  #hasSpoken = false;
  #isSealed = false;
  #details: JsonObject[] = [];

  /** Begins a block; returns the text to show. */
  start(block: ContentBlock): string {
    this.#block = isReasoning(block) ? clone(ContentBlockSchema, block) : undefined;
    this.#part = undefined;
    if (block.kind.case !== "thinking") return "";
    const { text, summary } = block.kind.value;
    return text === "" ? summary.map((part, index) => this.#say(part, index)).join("") : this.#say(text, "raw");
  }

  /** Takes a delta of the block; returns the text to show. */
  grow({ delta, extension }: BlockDelta): string {
    const kind = this.#block?.kind;
    if (kind?.case !== "thinking") return "";
    if (delta.case === "thinking") {
      kind.value.text += delta.value;
      return this.#say(delta.value, "raw");
    }
    if (delta.case === "opaque") this.#seal(kind.value, delta.value, extension);
    if (delta.case !== "summary") return "";
    const { summary } = kind.value;
    const { part, text } = delta.value;
    while (summary.length <= part) summary.push("");
    summary[part] = (summary[part] ?? "") + text;
    return kind.value.text === "" ? this.#say(text, part) : "";
  }

  /** Ends the block; returns the entries of `reasoning_details` that are due. */
  end(): JsonObject[] {
    if (this.#block === undefined) return [];
    for (const detail of encodeReasoningDetails(this.#block)) this.#details.push(detail);
    this.#isSealed ||= needsDetails(this.#block);
    this.#block = undefined;
    if (!this.#isSealed) return [];
    const due = this.#details;
    this.#details = [];
    return due;
  }

  #seal(thinking: ThinkingBlock, opaque: string, extension: RawJson | undefined): void {
    thinking.opaque = opaque;
    if (this.#block === undefined || extension === undefined) return;
    this.#block.extension = chatJson({ ...blockMembers(this.#block.extension), ...blockMembers(extension) });
  }

  #say(text: string, part: number | "raw"): string {
    if (text === "") return "";
    const apart = this.#hasSpoken && this.#part !== part;
    this.#part = part;
    this.#hasSpoken = true;
    return apart ? `\n\n${text}` : text;
  }
}
