import { type FirstWords, firstWords } from "../../store/bodies/first-words.ts";
import type { InferenceContent } from "../../store/types/inference-body.ts";

/** The beginning of a request and of its answer, and the tools that it called. */
export interface Outline extends FirstWords {
  readonly tools: readonly string[];
}

const MOST_TOOLS = 20;

/** Returns the first words of the latest prompt and of the answer, with the names of the tools that it called. */
export function outline(content: InferenceContent): Outline {
  const tools = content.output.content.flatMap(({ kind }) => (kind.case === "toolUse" ? [kind.value.name] : []));
  return { ...firstWords(content), tools: tools.slice(0, MOST_TOOLS) };
}
