import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type FinishedSchema, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject, objectOf, textOf, unknownMembers } from "../../shared/json.ts";
import { readUsage } from "../../shared/read-usage.ts";
import { responsesJson } from "../../shared/responses-json.ts";

/**
 * Members of a Response that Attune says itself: about the answer as it served it, and of the request as the caller
 * wrote it.
 */
const OWN = new Set([
  ...[
    "id",
    "object",
    "created_at",
    "completed_at",
    "status",
    "error",
    "incomplete_details",
    "model",
    "output",
    "usage",
  ],
  ...[
    "output_text",
    "store",
    "background",
    "previous_response_id",
    "conversation",
    "instructions",
    "metadata",
    "tools",
  ],
  ...["tool_choice", "parallel_tool_calls", "max_output_tokens", "prompt_cache_key", "safety_identifier", "text"],
]);

const USAGE = new Set([
  "input_tokens",
  "input_tokens_details",
  "output_tokens",
  "output_tokens_details",
  "total_tokens",
]);
const INPUT_DETAILS = new Set(["cached_tokens", "cache_write_tokens"]);
const OUTPUT_DETAILS = new Set(["reasoning_tokens"]);

/** Decodes the end of an answer. */
export function decodeFinish(response: JsonObject, hasCalls: boolean): MessageInitShape<typeof FinishedSchema> {
  return {
    ...decodeReason(response, hasCalls),
    usage: isJsonObject(response.usage) ? decodeUsage(response.usage) : undefined,
    extension: responsesJson(unknownMembers(response, OWN)),
  };
}

/**
 * A refusal in words ends as STOP, as in the Chat format: the refusal block itself says what it is. What stopped a turn
 * for other causes than length and content (`max_messages`, `steered`) can be gone on with, which is what PAUSE means.
 */
function decodeReason(response: JsonObject, hasCalls: boolean): { reason: FinishReason; rawReason: string } {
  if (response.status !== "incomplete") {
    const rawReason = textOf(response.status) || "completed";
    return { reason: hasCalls ? FinishReason.TOOL_USE : FinishReason.STOP, rawReason };
  }
  const rawReason = textOf(objectOf(response.incomplete_details).reason);
  switch (rawReason) {
    // An upstream that does not say why has cut the answer, and length is what cuts answers.
    case "":
    case "max_output_tokens":
      return { reason: FinishReason.LENGTH, rawReason };
    case "content_filter":
      return { reason: FinishReason.CONTENT_FILTER, rawReason };
    default:
      return { reason: FinishReason.PAUSE, rawReason };
  }
}

/** Decodes token counts. `input_tokens` is the whole prompt here; the hub counts what is new in it. */
export function decodeUsage(usage: JsonObject): Usage {
  const input = objectOf(usage.input_tokens_details);
  const output = objectOf(usage.output_tokens_details);
  const counts = readUsage({
    prompt: usage.input_tokens,
    output: usage.output_tokens,
    total: usage.total_tokens,
    reasoning: output.reasoning_tokens,
    cacheRead: [input.cached_tokens],
    cacheWrite: [input.cache_write_tokens],
  });
  return create(UsageSchema, { ...counts, extension: responsesJson(usageExtension(usage, input, output)) });
}

function usageExtension(usage: JsonObject, input: JsonObject, output: JsonObject): JsonObject | undefined {
  const inputRest = unknownMembers(input, INPUT_DETAILS);
  const outputRest = unknownMembers(output, OUTPUT_DETAILS);
  const rest = {
    ...unknownMembers(usage, USAGE),
    ...(inputRest && { input_tokens_details: inputRest }),
    ...(outputRest && { output_tokens_details: outputRest }),
  };
  return Object.keys(rest).length > 0 ? rest : undefined;
}
