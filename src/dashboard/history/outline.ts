import { type ContentBlock, Role } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceContent } from "../../store/dashboard/history.ts";

/** The beginning of a request and of its answer, and the tools that it called. */
export interface Outline {
  /** Of the latest message of the user, or of the last result of a tool. */
  readonly prompt: string;
  readonly answer: string;
  readonly tools: readonly string[];
}

const CHARACTERS = 200;
const MOST_TOOLS = 20;

/** Returns the first words of the latest prompt and of the answer, with the names of the tools that it called. */
export function outline({ input, output }: InferenceContent): Outline {
  const asked = input.messages.findLast(({ role }) => role !== Role.ASSISTANT);
  const tools = output.content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value.name] : []));
  return {
    prompt: firstWords(asked?.content ?? []),
    answer: firstWords(output.content),
    tools: tools.slice(0, MOST_TOOLS),
  };
}

function firstWords(blocks: readonly ContentBlock[]): string {
  for (const { kind } of blocks) {
    if (kind.case === "text" || kind.case === "refusal") {
      const text = kind.value.text
        .slice(0, 4 * CHARACTERS)
        .replace(/\s+/g, " ")
        .trim();
      if (text !== "") return Array.from(text).slice(0, CHARACTERS).join("");
    }
    if (kind.case === "toolResult") {
      const text = firstWords(kind.value.content);
      if (text !== "") return text;
    }
  }
  return "";
}
