import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import { Turns } from "./pause.ts";
import type { PromptBlock } from "./prompt-blocks.ts";
import { stretchesOf, type Tokenizer } from "./tokenizer.ts";

/** Tokens of what has no text. */
const IMAGE_TOKENS = 1000;
const DOCUMENT_TOKENS = 2000;
const SOUND_TOKENS = 1000;

/** UTF-16 units of a prompt that are counted; no model takes more of most texts. */
const COUNTED_LENGTH = 1_000_000;

/**
 * Counts the tokens of each block: those of its texts, and a fixed number for each image, document and sound. Of what comes
 * after a million characters they are estimated from those before.
 */
export async function countBlockTokens(
  blocks: readonly PromptBlock[],
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const turns = new Turns(signal);
  const counted = { length: 0, tokens: 0 };
  const counts: number[] = [];
  for (const block of blocks) {
    let tokens = 0;
    for (const part of partsOf(block)) {
      if (typeof part === "number") {
        tokens += part;
        continue;
      }
      const before = counted.length;
      for (const stretch of stretchesOf(part)) {
        if (counted.length >= COUNTED_LENGTH) break;
        const found = tokenizer.count(stretch);
        tokens += found;
        counted.tokens += found;
        counted.length += stretch.length;
        if (turns.isOver) await turns.next();
      }
      const rest = part.length - (counted.length - before);
      if (rest > 0) tokens += Math.ceil((rest * counted.tokens) / counted.length);
    }
    counts.push(tokens);
  }
  return counts;
}

/** Texts, and the tokens of what has none. */
type Part = string | number;

function partsOf(block: PromptBlock): Generator<Part> {
  return block.section === "tools" ? partsOfTool(block.tool) : partsOfBlock(block.block);
}

function* partsOfBlock({ kind }: ContentBlock): Generator<Part> {
  switch (kind.case) {
    case "text":
    case "refusal":
      return yield kind.value.text;
    case "image":
      return yield IMAGE_TOKENS;
    case "audio":
      return yield SOUND_TOKENS;
    case "document": {
      const { source } = kind.value;
      if (source.case === "text") return yield source.value;
      if (source.case !== "content") return yield DOCUMENT_TOKENS;
      for (const block of source.value.blocks) yield* partsOfBlock(block);
      return;
    }
    case "toolUse":
      return yield `${kind.value.name}${kind.value.arguments}`;
    case "toolResult":
      for (const block of kind.value.content) yield* partsOfBlock(block);
      return;
    case "thinking":
      return yield [kind.value.text, ...kind.value.summary].join("");
    case "opaque":
      return yield kind.value.json;
    case "redactedThinking":
    case undefined:
      return;
    default:
      kind satisfies never;
  }
}

function* partsOfTool({ kind }: Tool): Generator<Part> {
  if (kind.case === "opaque") yield kind.value.json;
  if (kind.case !== "function" && kind.case !== "custom") return;
  const { name, description = "" } = kind.value;
  yield `${name}${description}`;
  yield kind.case === "function" ? (kind.value.parametersJson ?? "") : (kind.value.formatJson ?? "");
}
