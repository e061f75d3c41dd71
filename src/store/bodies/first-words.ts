import { type ContentBlock, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceContent } from "../types/inference-body.ts";

/** The beginning of a request and of its answer; empty where they begin with no text. */
export interface FirstWords {
  /** Of the latest message of the user, or of the last result of a tool. */
  readonly prompt: string;
  readonly answer: string;
}

const CHARACTERS = 200;

/** Returns the first words of the latest prompt and of the answer, each of at most 200 characters. */
export function firstWords({ input, output }: InferenceContent): FirstWords {
  const asked = input.messages.findLast(({ role }) => role !== Role.ASSISTANT);
  return { prompt: firstText(asked?.content ?? []), answer: firstText(output.content) };
}

function firstText(blocks: readonly ContentBlock[]): string {
  for (const { kind } of blocks) {
    if (kind.case === "text" || kind.case === "refusal") {
      const text = kind.value.text
        .slice(0, 4 * CHARACTERS)
        .replace(/\s+/g, " ")
        .trim();
      if (text !== "") return text.length <= CHARACTERS ? text : Array.from(text).slice(0, CHARACTERS).join("");
    }
    if (kind.case === "toolResult") {
      const text = firstText(kind.value.content);
      if (text !== "") return text;
    }
  }
  return "";
}
