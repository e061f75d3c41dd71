import {
  type CacheMark,
  CacheTtl,
  type ContentBlock,
  type Role,
  type Tool,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** A piece of the prompt, in its order: tools, system, messages. */
export type PromptBlock = {
  /** Lifetime that a mark on the block asks for; undefined without a mark. */
  readonly ttl: CacheTtl | undefined;
} & (
  | { readonly section: "tools"; readonly tool: Tool }
  | { readonly section: "system"; readonly block: ContentBlock }
  | { readonly section: "messages"; readonly block: ContentBlock; readonly role: Role }
);

/** Lists the prompt's blocks. The automatic mark is put on the last block that can carry one. */
export function promptBlocks(input: InferenceInput): readonly PromptBlock[] {
  const blocks: PromptBlock[] = [
    ...input.tools.map((tool) => ({ section: "tools" as const, tool, ttl: tool.cacheMark?.ttl })),
    ...input.system.map((block) => ({ section: "system" as const, block, ttl: getTtl(block) })),
    ...input.messages.flatMap(({ role, content }) =>
      content.map((block) => ({ section: "messages" as const, block, role, ttl: getTtl(block) })),
    ),
  ];
  const automatic = input.automaticCacheMark;
  const last = automatic === undefined ? -1 : blocks.findLastIndex(canBeMarked);
  return blocks.map((block, index) => (index === last && automatic !== undefined ? withMark(block, automatic) : block));
}

/** A mark inside a result or a document counts at its end. */
function getTtl({ cacheMark, kind }: ContentBlock): CacheTtl | undefined {
  if (cacheMark !== undefined) return cacheMark.ttl;
  const inner = kind.case === "toolResult" ? kind.value.content : [];
  return inner.findLast((block) => block.cacheMark !== undefined)?.cacheMark?.ttl;
}

function withMark(block: PromptBlock, { ttl }: CacheMark): PromptBlock {
  return { ...block, ttl: block.ttl === CacheTtl.CACHE_TTL_1H ? block.ttl : ttl };
}

function canBeMarked(block: PromptBlock): boolean {
  if (block.section === "tools") return true;
  const { kind } = block.block;
  if (kind.case === "thinking" || kind.case === "redactedThinking" || kind.case === undefined) return false;
  return kind.case !== "text" || kind.value.text !== "";
}
