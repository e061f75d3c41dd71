import { type ContentBlock, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import { MOST_FIRST_WORDS } from "../../hub/first-words.ts";
import type { InferenceContent } from "../types/inference-body.ts";

/** The beginning of a request and of its answer; empty where they begin with no text. */
export interface FirstWords {
  /** Of the latest message of the user, or of the last result of a tool. */
  readonly prompt: string;
  readonly answer: string;
}

/** Anything but single spaces: most texts begin without, and need no replacement, which costs more than all else. */
const OTHER_SPACE = /[^\S ]| {2}/;

/** Returns the first words of the latest prompt and of the answer, each of at most MOST_FIRST_WORDS. */
export function firstWords({ input, output }: InferenceContent): FirstWords {
  const question = input.messages.findLast(({ role }) => role !== Role.ASSISTANT);
  return { prompt: firstText(question?.content ?? []), answer: firstText(output.content) };
}

function firstText(blocks: readonly ContentBlock[]): string {
  for (const { kind } of blocks) {
    if (kind.case === "text" || kind.case === "refusal") {
      const text = beginning(kind.value.text);
      if (text !== "") return text;
    }
    if (kind.case === "toolResult") {
      const text = firstText(kind.value.content);
      if (text !== "") return text;
    }
  }
  return "";
}

/** Returns the first characters with single spaces between words; none is cut in two. */
function beginning(text: string): string {
  const start = text.slice(0, 2 * MOST_FIRST_WORDS);
  const words = (OTHER_SPACE.test(start) ? start.replace(/\s+/g, " ") : start).trim();
  if (words.length <= MOST_FIRST_WORDS) return words;
  const last = words.charCodeAt(MOST_FIRST_WORDS - 1);
  return words.slice(0, last >= 0xd800 && last < 0xdc00 ? MOST_FIRST_WORDS - 1 : MOST_FIRST_WORDS);
}
