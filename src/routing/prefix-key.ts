import type { ContentBlock, Tool } from "../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../inference/ports.ts";
import { estimateInputTokens } from "../lib/estimate-tokens.ts";
import { hashTexts } from "./hash.ts";

/** Characters of a token, as a rule. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns a number that requests have in common whose prompts begin alike, as far as a cache of prompts goes by it: the caller's own
 * key; or system and tools, and where these are too short to be kept, the first message. It stays the same over the turns of a conversation.
 * Undefined where a prompt is too short for any cache.
 */
export function prefixKeyOf(input: InferenceInput, model: CatalogModel, projectId: string): number | undefined {
  const { minCacheableTokens } = model;
  if (minCacheableTokens === 0 || estimateInputTokens(input) < minCacheableTokens) return undefined;
  const own = input.promptCacheKey ?? "";
  if (own !== "") return hashTexts(projectId, model.name, own);
  const shared = [...input.system.map(textOf), ...input.tools.flatMap(toolTexts)];
  const characters = shared.reduce((total, { length }) => total + length, 0);
  const isLong = characters >= minCacheableTokens * CHARACTERS_PER_TOKEN;
  const first = isLong ? [] : (input.messages[0]?.content ?? []).map(textOf);
  return hashTexts(projectId, model.name, ...shared, ...first);
}

/** The text of a block, or what it is instead. */
export function textOf({ kind }: ContentBlock): string {
  return kind.case === "text" ? kind.value.text : (kind.case ?? "");
}

/** One by one: to join them only to hash them would cost more than to hash them. */
function toolTexts({ kind }: Tool): string[] {
  switch (kind.case) {
    case "function":
      return [kind.value.name, kind.value.description ?? "", kind.value.parametersJson ?? ""];
    case "custom":
      return [kind.value.name, kind.value.description ?? ""];
    default:
      return [kind.case ?? ""];
  }
}
