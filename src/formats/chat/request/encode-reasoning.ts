import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  Dialect,
  ThinkingBlockSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { isUnreadable } from "../../shared/reasoning-path.ts";
import { encodeReasoningDetails, encodeThinkingBlock, joinReasoning, needsDetails } from "../reasoning-details.ts";
import type { PlacedBlock, Translation } from "./translation.ts";

/** Reasoning of a turn that came without: Moonshot takes no text that is shorter (LiteLLM, llms/moonshot). */
const UNSAID = " ";

/** Reasoning as members of a message, and as parts of its content, which stand before all others. */
interface EncodedReasoning extends JsonObject {
  readonly thinking?: readonly JsonObject[];
}

/**
 * Encodes reasoning. Callers of this format send reasoning that an upstream of this format can read; others do where
 * the upstream made it itself. It never becomes visible text. A server that wants it back in every turn that calls
 * tools gets a blank one for a turn that came without.
 */
export function encodeReasoning(
  blocks: readonly PlacedBlock[],
  { calls, translation }: { readonly calls: number; readonly translation: Translation },
): EncodedReasoning {
  const { reasoningMember: member, reasoningHistory } = translation.profile;
  const carried = carriedReasoning(blocks, translation);
  const text = joinReasoning(carried) ?? (reasoningHistory === "required" && calls > 0 ? UNSAID : undefined);
  const isInBlocks = member === "thinking_blocks";
  const details = carried.flatMap(isInBlocks ? encodeThinkingBlock : encodeReasoningDetails);
  const named = details.length > 0 ? { [isInBlocks ? member : "reasoning_details"]: details } : {};
  if (member === "reasoning_details") return named;
  const rest = carried.some(needsDetails) ? named : {};
  if (text === undefined) return rest;
  if (member === "content") return { thinking: [{ type: "thinking", thinking: [{ type: "text", text }] }], ...rest };
  return { [isInBlocks ? "reasoning_content" : member]: text, ...rest };
}

function carriedReasoning(blocks: readonly PlacedBlock[], translation: Translation): ContentBlock[] {
  const { isNative, losses, ownReasoning, profile } = translation;
  return blocks.flatMap(({ block, path }) => {
    translation.breakpoints.lose(block.cacheMark, path);
    const isTaken = profile.reasoningHistory !== "refused" && (isNative || ownReasoning.has(block));
    if (isTaken && !isUnreadable(block)) return [isNative ? block : toOwnForm(block, translation)];
    losses.at(path);
    return [];
  });
}

/**
 * Gives the upstream's own reasoning the form that it left here with. The id is that of an item of the caller's format;
 * the one text of a Messages block is the text that was signed, and not a summary of it.
 */
function toOwnForm(block: ContentBlock, { input }: Translation): ContentBlock {
  if (block.kind.case !== "thinking") return block;
  const { text, summary, opaque } = block.kind.value;
  const parts = input.dialect === Dialect.MESSAGES ? { text: text || summary.join("\n\n") } : { text, summary };
  const value = create(ThinkingBlockSchema, { ...parts, opaque });
  return create(ContentBlockSchema, { ...block, kind: { case: "thinking", value } });
}
