import { COUNTED_LENGTH } from "./part-counter.ts";
import type { PromptPart } from "./prompt-parts.ts";

/** As much of a prompt as is looked at to count its tokens. */
export interface PromptExcerpt {
  readonly parts: readonly PromptPart[];
  /** UTF-16 units of the texts that were left out. */
  readonly restLength: number;
}

/** Leaves out what would not be counted: to copy it to another thread costs time. */
export function readExcerpt(all: Iterable<PromptPart>): PromptExcerpt {
  const parts: PromptPart[] = [];
  let [length, restLength] = [0, 0];
  for (const part of all) {
    if (typeof part === "number") {
      parts.push(part);
      continue;
    }
    const counted = part.slice(0, COUNTED_LENGTH - length);
    if (counted !== "") parts.push(counted);
    length += counted.length;
    restLength += part.length - counted.length;
  }
  return { parts, restLength };
}
