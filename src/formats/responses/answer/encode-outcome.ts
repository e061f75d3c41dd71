import type { Usage } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type Finished, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { encodeItems } from "./encode-item.ts";
import type { Outcome } from "./encode-resource.ts";
import type { OutputItem } from "./output-list.ts";
import type { OutputPart } from "./output-part.ts";

/** Encodes the end of an answer. `nowSeconds` is the time of completion where the answer does not say it. */
export function encodeOutcome(
  finished: Finished | undefined,
  items: readonly OutputItem[],
  nowSeconds: number,
): Outcome & { readonly status: "completed" | "incomplete" } {
  const incompleteDetails = finished === undefined ? null : encodeIncomplete(finished, items);
  const status = incompleteDetails === null ? "completed" : "incomplete";
  return {
    status,
    completedAt: status === "completed" ? Number(finished?.completedAt?.seconds ?? nowSeconds) : null,
    error: null,
    incompleteDetails,
    output: encodeItems(items, status),
    usage: finished?.usage === undefined ? null : encodeUsage(finished.usage),
    extension: readResponsesJson(finished?.extension),
  };
}

/** Says why an answer is not complete; null if it is. */
function encodeIncomplete({ reason, rawReason }: Finished, items: readonly OutputItem[]): JsonObject | null {
  switch (reason) {
    case FinishReason.LENGTH:
    case FinishReason.CONTEXT_WINDOW:
      return { reason: "max_output_tokens" };
    case FinishReason.CONTENT_FILTER:
      return { reason: "content_filter" };
    case FinishReason.REFUSAL:
      return isRefusalAlone(items) ? null : { reason: "content_filter" };
    case FinishReason.PAUSE:
      return { reason: rawReason };
    case FinishReason.UNSPECIFIED:
      // A word that nobody knows is no natural end; calls are to be made all the same.
      return rawReason === "" || hasCall(items) ? null : { reason: rawReason };
    default:
      return null;
  }
}

function hasCall(items: readonly OutputItem[]): boolean {
  return items.some(({ parts }) => parts.some(({ type }) => type === "call"));
}

/**
 * A refusal in words is an answer. Without words the client must be able to tell it from an empty answer, and with
 * other words before it, that they were cut off.
 */
function isRefusalAlone(items: readonly OutputItem[]): boolean {
  const parts = items.flatMap((item) => item.parts);
  const isCut =
    parts.some(({ type }) => type === "call" || type === "opaque" || type === "search") || parts.some(isSpoken);
  return !isCut && parts.some(({ type }) => type === "refusal");
}

function isSpoken(part: OutputPart): boolean {
  return part.type === "text" && part.text !== "";
}

/** Encodes token counts. Here `input_tokens` is the whole prompt, cached or not. */
export function encodeUsage(usage: Usage): JsonObject {
  const inputTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const encoded = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: inputTokens + usage.outputTokens,
  };
  return mergeMembers(encoded, readResponsesJson(usage.extension));
}
