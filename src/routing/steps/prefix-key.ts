import { hash } from "node:crypto";
import { type ContentBlock, type Message, Role, type Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { CatalogModel } from "../../catalog/model.ts";
import { withoutBillingLine } from "../../hub/billing-line.ts";
import { estimateInputTokens } from "../../hub/tokens/estimate-tokens.ts";
import { hashTexts } from "../../lib/hash.ts";

/** Characters of a token, as a rule. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Returns a number that requests have in common whose prompts begin alike, as far as a cache of prompts goes by it: the
 * caller's own key; or instructions and tools, and where these are too short to be kept, the first message. It stays
 * the same over the turns of a conversation. Undefined where a prompt is too short for any cache.
 */
export function createPrefixKey(input: InferenceInput, model: CatalogModel, projectId: string): number | undefined {
  const { minCacheableTokens } = model;
  if (minCacheableTokens === 0 || estimateInputTokens(input) < minCacheableTokens) return undefined;
  const own = input.promptCacheKey ?? "";
  if (own !== "") return hashTexts([projectId, model.name, own]);
  const { first } = readOpening(input);
  const shared = [...readInstructions(input).map(readText), ...input.tools.flatMap(toolTexts)];
  const characters = shared.reduce((total, { length }) => total + length, 0);
  const isLong = characters >= minCacheableTokens * CHARACTERS_PER_TOKEN;
  return hashTexts([projectId, model.name, ...shared, ...(isLong ? [] : readTexts(first))]);
}

/**
 * Returns the key that upstreams get for prompts of one prefix key of a project: nobody can tell the project from it.
 */
export function createCacheKey(prefixKey: number, projectId: string): string {
  const digest = hash("sha256", JSON.stringify(["cache-key", projectId, prefixKey]), "base64url");
  return `attune-${digest.slice(0, 22)}`;
}

/** The beginning of a conversation. */
interface Opening {
  /** Instructions that stand among the messages, as those of the Chat format do. */
  readonly leading: readonly Message[];
  /** The first message of the conversation itself. */
  readonly first: Message | undefined;
}

/** The blocks that stand before a conversation, as far as they may be the same in others. */
export function readInstructions(input: InferenceInput): ContentBlock[] {
  const { leading } = readOpening(input);
  return [...withoutBillingLine(input.system), ...leading.flatMap(({ content }) => content)];
}

/** Parts the messages of a prompt that are instructions from the first that is not. */
export function readOpening({ messages }: InferenceInput): Opening {
  const at = messages.findIndex(({ role }) => role !== Role.SYSTEM && role !== Role.DEVELOPER);
  return at === -1 ? { leading: messages, first: undefined } : { leading: messages.slice(0, at), first: messages[at] };
}

/** The texts of a message's blocks; none if there is no message. */
export function readTexts(message: Message | undefined): string[] {
  return message?.content.map(readText) ?? [];
}

/** The text of a block, or what it is instead. */
export function readText({ kind }: ContentBlock): string {
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
