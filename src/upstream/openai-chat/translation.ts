import { type ContentBlock, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { CacheBreakpoints } from "../cache-breakpoints.ts";
import { LossList } from "../losses.ts";
import type { EncodeTarget } from "../protocol.ts";
import { chatReasoningMember, isReasoningBlock } from "../reasoning-place.ts";

/** A block and its place in the request, in the caller's spelling. */
export interface PlacedBlock {
  readonly block: ContentBlock;
  readonly path: string;
}

/** What the parts of one translation share. */
export interface Translation {
  readonly input: InferenceInput;
  readonly losses: LossList;
  readonly breakpoints: CacheBreakpoints;
  /** Reasoning in the history that the upstream made itself. */
  readonly ownReasoning: ReadonlySet<ContentBlock>;
  /** Member of a message in which the upstream reads reasoning. */
  readonly reasoningMember: NonNullable<EncodeTarget["reasoningMember"]>;
  /** Whether the caller spoke this format too, so that everything goes out as it came in. */
  readonly isNative: boolean;
}

/** Begins the translation of a request. */
export function createTranslation(
  input: InferenceInput,
  {
    ownReasoning = new Set(),
    cacheBreakpoints = false,
    reasoningMember = "reasoning_content",
  }: Pick<EncodeTarget, "ownReasoning" | "cacheBreakpoints" | "reasoningMember"> = {},
): Translation {
  const isNative = input.dialect === Dialect.CHAT;
  const losses = new LossList(input, Dialect.CHAT);
  const breakpoints = new CacheBreakpoints({ input, losses, areKnown: isNative || cacheBreakpoints });
  return { input, losses, breakpoints, ownReasoning, reasoningMember, isNative };
}

/** In the Responses dialect these are items of their own and not parts of a message's content. */
const ITEMS: ReadonlySet<ContentBlock["kind"]["case"]> = new Set([
  "toolUse",
  "toolResult",
  "thinking",
  "redactedThinking",
]);

/** Places the blocks of a message. */
export function placeBlocks(
  blocks: readonly ContentBlock[],
  messagePath: string,
  { input }: Translation,
): PlacedBlock[] {
  const hasItems = input.dialect === Dialect.RESPONSES;
  if (input.dialect === Dialect.CHAT) return placeChatBlocks(blocks, messagePath);
  return blocks.map((block, index) => ({
    block,
    path: hasItems && ITEMS.has(block.kind.case) ? messagePath : `${messagePath}.content[${index}]`,
  }));
}

/** In the caller's own message reasoning stands beside the content. */
function placeChatBlocks(blocks: readonly ContentBlock[], messagePath: string): PlacedBlock[] {
  let parts = 0;
  return blocks.map((block) => {
    const member = isReasoningBlock(block) ? chatReasoningMember(block) : `content[${parts++}]`;
    return { block, path: `${messagePath}.${member}` };
  });
}

/** Places the blocks of a tool's result that stands at `path`. */
export function placeResultBlocks(
  blocks: readonly ContentBlock[],
  path: string,
  { input }: Translation,
): PlacedBlock[] {
  const member = input.dialect === Dialect.RESPONSES ? "output" : "content";
  // In this format the result is the message: what the hub calls its first block is the content itself.
  const base = input.dialect === Dialect.CHAT ? path.replace(/\.content\[0\]$/, "") : path;
  return blocks.map((block, index) => ({ block, path: `${base}.${member}[${index}]` }));
}
