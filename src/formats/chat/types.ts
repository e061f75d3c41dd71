import type { JsonObject } from "../shared/json.ts";

/** Why a choice ended. */
export type ChatFinishReason = "stop" | "length" | "tool_calls" | "function_call" | "content_filter";

/** A call of a tool in a whole message. */
export type ChatToolCall =
  | { readonly id: string; readonly type: "function"; readonly function: { name: string; arguments: string } }
  | { readonly id: string; readonly type: "custom"; readonly custom: { name: string; input: string } };

/** Tokens of an answer. */
export interface ChatUsage extends JsonObject {
  /** The whole prompt, cached or not. */
  prompt_tokens: number;
  /** The whole answer, reasoning included. */
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  completion_tokens_details?: { reasoning_tokens: number };
}
