import type { PromptPart } from "./prompt-parts.ts";
import { splitStretches, type Tokenizer } from "./tokenizer.ts";

/** UTF-16 units of a prompt that are counted; no model takes more of most texts. */
export const COUNTED_LENGTH = 1_000_000;

/**
 * Counts the tokens of one prompt, part by part. Those of what comes after a million characters are estimated from
 * those before.
 */
export class PartCounter {
  readonly #tokenizer: Tokenizer;
  #length = 0;
  #tokens = 0;

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Returns the tokens of the next part; yields after each stretch of it, at which other work may run. */
  *count(part: PromptPart): Generator<undefined, number> {
    if (typeof part === "number") return part;
    let tokens = 0;
    const before = this.#length;
    for (const stretch of splitStretches(part)) {
      if (this.#length >= COUNTED_LENGTH) break;
      const found = this.#tokenizer.count(stretch);
      tokens += found;
      this.#tokens += found;
      this.#length += stretch.length;
      yield;
    }
    return tokens + this.estimate(part.length - (this.#length - before));
  }

  /** Estimates the tokens of a text that is not looked at, by those of the texts that were. */
  estimate(length: number): number {
    return length > 0 ? Math.ceil((length * this.#tokens) / this.#length) : 0;
  }
}
