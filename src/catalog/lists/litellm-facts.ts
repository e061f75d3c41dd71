import type { KnownModel } from "../known-model.ts";
import { type LitellmEntry, readLitellmPrice } from "./litellm-price.ts";

/** The facts that an entry of LiteLLM's map has of a model. */
export type ListedFacts = Partial<
  Pick<KnownModel, "contextWindow" | "maxInputTokens" | "maxOutputTokens" | "minCacheableTokens" | "thinking" | "price">
> & {
  readonly embeddings?: true;
  /** Abilities beside text: vision, audio, pdf, tools, schemas, reasoning. */
  readonly abilities?: readonly string[];
  /** Day on which its provider retires it. */
  readonly retiresAt?: string;
};

/** The facts of an entry, and the members of prices that have no counterpart. */
export interface ReadEntry {
  readonly facts: ListedFacts;
  readonly left: readonly string[];
}

const ABILITIES = {
  supports_vision: "vision",
  supports_audio_input: "audio",
  supports_pdf_input: "pdf",
  supports_function_calling: "tools",
  supports_response_schema: "schemas",
  supports_reasoning: "reasoning",
} as const;

/**
 * Reads an entry of LiteLLM's map. Its `max_input_tokens` is the longest prompt, which is the window too unless
 * something else tells a larger one.
 */
export function readLitellmFacts(entry: LitellmEntry, name: string): ReadEntry {
  const isEmbedding = entry["mode"] === "embedding";
  const { price, left } = readLitellmPrice(entry, { isEmbedding });
  const count = (member: string): number | undefined => {
    const value = Number(entry[member]);
    return Number.isInteger(value) && value > 0 ? value : undefined;
  };
  const most = isEmbedding ? 1 : (count("max_output_tokens") ?? count("max_tokens"));
  const window = count("max_input_tokens") ?? (isEmbedding ? count("max_tokens") : undefined);
  const abilities = Object.entries(ABILITIES).flatMap(([member, ability]) => (entry[member] === true ? [ability] : []));
  const cached = count("prompt_cache_min_tokens") ?? (entry["supports_prompt_caching"] === true ? 1024 : undefined);
  const retiresAt = entry["deprecation_date"];
  const thinking = getThinking(entry, name);
  const facts: ListedFacts = {
    ...(window !== undefined && { contextWindow: window }),
    ...(most !== undefined && { maxOutputTokens: most }),
    ...(cached !== undefined && !isEmbedding && { minCacheableTokens: cached }),
    ...(thinking !== undefined && { thinking }),
    ...(isEmbedding && { embeddings: true as const }),
    ...(abilities.length > 0 && { abilities }),
    ...(typeof retiresAt === "string" && /^\d{4}-\d{2}-\d{2}$/.test(retiresAt) && { retiresAt }),
    ...(price !== undefined && { price }),
  };
  return { facts, left };
}

/** Claude models before 4.6 know no adaptive thinking, and those before 3.7 none at all; of others nothing is said. */
function getThinking(entry: LitellmEntry, name: string): KnownModel["thinking"] {
  if (!/claude/.test(name)) return undefined;
  if (entry["supports_adaptive_thinking"] === true) return "adaptive";
  return entry["supports_reasoning"] === true ? "budget" : "none";
}
