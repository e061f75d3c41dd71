import { PartCounter } from "../../hub/tokens/part-counter.ts";
import { type PromptPart, partsOfBlock, partsOfTool } from "../../hub/tokens/prompt-parts.ts";
import type { Tokenizer } from "../../hub/tokens/tokenizer.ts";
import { YieldTimer } from "./pause.ts";
import type { PromptBlock } from "./prompt-blocks.ts";

/** Counts the tokens of each block. Other work runs meanwhile. */
export async function countBlockTokens(
  blocks: readonly PromptBlock[],
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const turns = new YieldTimer(signal);
  const counter = new PartCounter(tokenizer);
  const counts: number[] = [];
  for (const block of blocks) {
    let tokens = 0;
    for (const part of partsOf(block)) {
      const counting = counter.count(part);
      let step = counting.next();
      for (; step.done !== true; step = counting.next()) if (turns.isOver) await turns.next();
      tokens += step.value;
    }
    counts.push(tokens);
  }
  return counts;
}

function partsOf(block: PromptBlock): Generator<PromptPart> {
  return block.section === "tools" ? partsOfTool(block.tool) : partsOfBlock(block.block);
}
