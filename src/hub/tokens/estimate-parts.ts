import { estimateTextTokens } from "./estimate-text.ts";
import type { PromptPart } from "./prompt-parts.ts";

/** Estimates the tokens of texts and media; of a text no more than samples are read. */
export function estimateParts(parts: Iterable<PromptPart>): number {
  let tokens = 0;
  for (const part of parts) tokens += typeof part === "number" ? part : estimateTextTokens(part);
  return Math.ceil(tokens);
}
