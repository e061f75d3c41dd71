import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Usage, UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type FinishedSchema, FinishReason } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { isJsonObject, type JsonObject, toObject, toText, unknownMembers } from "../../shared/json.ts";
import type { AnswerContext } from "../../shared/protocol.ts";
import { countsBySuffix, readBilling, readLongWrites, readMedia } from "../../shared/read-billing.ts";
import { readEnd, tookAllTokens } from "../../shared/read-end.ts";
import { readTerms, type Terms } from "../../shared/read-terms.ts";
import { readUsage, withFormatNames } from "../../shared/read-usage.ts";
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

/** Decodes the end of an answer. Throws UPSTREAM_ERROR for one that broke off. */
export function decodeFinish(
  response: JsonObject,
  hasCalls: boolean,
  context: AnswerContext,
): MessageInitShape<typeof FinishedSchema> {
  const usage = isJsonObject(response.usage) ? decodeUsage(response.usage, response, context.terms) : undefined;
  const end = decodeReason(response, hasCalls, { ...context, usage });
  const rest = unknownMembers(response, OWN);
  // A word that the hub does not know is a member that only this format knows.
  const isUnknown = end.reason === FinishReason.UNSPECIFIED;
  const own = isUnknown ? { ...rest, incomplete_details: { reason: end.rawReason } } : rest;
  return { ...end, usage, extension: responsesJson(own) };
}

/** Reasons of a turn that can be continued, which is what PAUSE means. */
const PAUSES: ReadonlySet<string> = new Set(["max_messages", "steered"]);

/** A refusal in words ends as STOP, as in the Chat format: the refusal block itself says what it is. */
function decodeReason(
  response: JsonObject,
  hasCalls: boolean,
  { usage, ...context }: AnswerContext & { readonly usage: Usage | undefined },
): { reason: FinishReason; rawReason: string } {
  const rawReason = toText(toObject(response.incomplete_details).reason);
  if (response.status === "incomplete" || rawReason !== "") {
    if (PAUSES.has(rawReason)) return { reason: FinishReason.PAUSE, rawReason };
    // An upstream that does not say why has cut the answer, and length is what cuts answers.
    return { reason: rawReason === "" ? FinishReason.LENGTH : readEnd(rawReason, context.profile, usage), rawReason };
  }
  const status = toText(response.status) || "completed";
  if (hasCalls) return { reason: FinishReason.TOOL_USE, rawReason: status };
  const isCut = tookAllTokens(context, usage, status);
  return { reason: isCut ? FinishReason.LENGTH : FinishReason.STOP, rawReason: status };
}

/**
 * Decodes token counts. `input_tokens` is the whole prompt here; the hub counts what is new in it. `response` has the
 * tier that served, and the tools that the provider ran; `requestTerms` are those of the request.
 */
export function decodeUsage(told: JsonObject, response: JsonObject = {}, requestTerms?: Terms): Usage {
  const usage = withFormatNames(told);
  const input = toObject(usage.input_tokens_details ?? usage.prompt_tokens_details);
  const output = toObject(usage.output_tokens_details ?? usage.completion_tokens_details);
  const counts = readUsage({
    // Some servers have the names of Chat.
    prompt: usage.input_tokens ?? usage.prompt_tokens,
    output: usage.output_tokens ?? usage.completion_tokens,
    reasoning: output.reasoning_tokens ?? usage.reasoning_tokens,
    usage,
    details: input,
  });
  const billing = readBilling({
    ...readMedia({ input, output, inputTokens: counts.inputTokens }),
    ...readTerms([usage, response], requestTerms),
    cacheWrite12h: readLongWrites(input),
    toolCalls: countsBySuffix(usage.server_side_tool_usage_details, "_calls") ?? countCalls(response.output),
  });
  return create(UsageSchema, { ...counts, extension: responsesJson(usageExtension(usage, input, output)), billing });
}

/** Calls of tools that the provider runs and charges for, by the type of their items. */
const CHARGED: Readonly<Record<string, string>> = {
  web_search_call: "web_search",
  file_search_call: "file_search",
  code_interpreter_call: "code_interpreter",
  image_generation_call: "image_generation",
};

/** Code runs in containers, of which each costs once however many calls it takes. */
function countCalls(output: unknown): Record<string, number> | undefined {
  let counts: Record<string, number> | undefined;
  const containers = new Set<unknown>();
  for (const item of Array.isArray(output) ? output : []) {
    if (!isJsonObject(item) || typeof item.type !== "string" || !Object.hasOwn(CHARGED, item.type)) continue;
    // A page that is opened or read through belongs to the search that found it.
    const { action } = item;
    if (isJsonObject(action) && action.type !== "search" && item.type === "web_search_call") continue;
    const { container_id: container } = item;
    if (typeof container === "string" && containers.has(container)) continue;
    containers.add(container);
    const name = CHARGED[item.type] ?? item.type;
    counts ??= {};
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
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
