import { type ContentBlock, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { CacheBreakpoints } from "../../shared/cache-breakpoints.ts";
import { LossList } from "../../shared/losses.ts";
import type { EncodeTarget } from "../../shared/protocol.ts";

/** A block and its place in the hub's request. */
export interface PlacedBlock {
  readonly block: ContentBlock;
  readonly path: string;
}

/** The shared state of one translation. */
export interface Translation {
  readonly input: HubInput;
  readonly losses: LossList;
  readonly breakpoints: CacheBreakpoints;
  /** Reasoning in the history that the upstream made itself. */
  readonly ownReasoning: ReadonlySet<ContentBlock>;
  /** Member of a message in which the upstream reads reasoning. */
  readonly reasoningMember: NonNullable<EncodeTarget["reasoningMember"]>;
  /** Names prompts that begin alike for the upstream's cache, where the caller does not. */
  readonly cacheKey: string | undefined;
  /** True if the caller spoke this format too, so that everything goes out as it came in. */
  readonly isNative: boolean;
}

/** Begins the translation of a request. */
export function createTranslation(
  input: HubInput,
  {
    ownReasoning = new Set(),
    cacheBreakpoints = false,
    reasoningMember = "reasoning_content",
    cacheKey,
  }: Pick<EncodeTarget, "ownReasoning" | "cacheBreakpoints" | "reasoningMember" | "cacheKey"> = {},
): Translation {
  const isNative = input.dialect === Dialect.CHAT;
  const losses = new LossList("chat", input);
  const breakpoints = new CacheBreakpoints({ input, losses, areKnown: isNative || cacheBreakpoints });
  return { input, losses, breakpoints, ownReasoning, reasoningMember, cacheKey, isNative };
}

/** Places the blocks of a message, or of a tool's result, that stands at `path`. */
export function placeBlocks(blocks: readonly ContentBlock[], path: string): PlacedBlock[] {
  return blocks.map((block, index) => ({ block, path: `${path}.content[${index}]` }));
}
