import { create } from "@bufbuild/protobuf";
import { Dialect, ReasoningSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { createHubInput, type HubInput } from "../../../hub/input.ts";
import { checkCarried } from "../../shared/carried-member.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { decodeMetadata } from "../../shared/openai-metadata.ts";
import { EFFORT_WORDS, VERBOSITY_WORDS } from "../../shared/openai-words.ts";
import { readPlainFields } from "../../shared/plain-fields.ts";
import { optional, readBoolean, readInteger, readName, readString } from "../../shared/read.ts";
import { joinMembers, listWords, readWords } from "../../shared/words.ts";
import { chatJson } from "../raw-json.ts";
import { CARRIED } from "./carried-members.ts";
import { decodeFunctionCall, decodeFunctions, usesFunctions } from "./decode-functions.ts";
import { decodeMessages } from "./decode-message.ts";
import { decodeChoices, decodeFormat, decodeStop, decodeStreamOptions, refuseOptions } from "./decode-options.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";

const EFFORTS = listWords(EFFORT_WORDS);

/** Decodes the body of POST /v1/chat/completions. Throws WireError. */
export function decodeRequest(body: JsonObject): DecodedRequest {
  const model = readName(body.model, "model");
  const stream = optional(body.stream, "stream", readBoolean) ?? false;
  refuseOptions(body);
  const calling = decodeCalling(body);
  const { words, unknown } = readWords(body, "", { reasoning_effort: EFFORTS, verbosity: VERBOSITY_WORDS });
  const { reasoning_effort: effort, verbosity } = words;
  const { format, keep } = decodeFormat(body.response_format);
  const input = createHubInput({
    model,
    dialect: Dialect.CHAT,
    messages: decodeMessages(body.messages),
    ...calling,
    maxOutputTokens: decodeMaxTokens(body),
    ...readPlainFields("chat", body),
    stopSequences: decodeStop(body.stop),
    reasoning: effort === undefined ? undefined : create(ReasoningSchema, { effort: EFFORT_WORDS[effort] }),
    outputFormat: format,
    verbosity,
    n: decodeChoices(body.n),
    endUserId: optional(body.safety_identifier, "safety_identifier", readString),
    metadata: optional(body.metadata, "metadata", decodeMetadata),
    promptCacheKey: optional(body.prompt_cache_key, "prompt_cache_key", readString),
    automaticCacheMark: readCacheControl({ cache_control: body.cache_control }),
    extension: chatJson(joinMembers(extensionOf(body, { stream, keepFormat: keep }), unknown)),
  });
  return { input, stream, body };
}

/** The older form has room for one call in an answer. */
function decodeCalling(body: JsonObject): Pick<HubInput, "tools" | "toolChoice" | "parallelToolCalls"> {
  const parallel = optional(body.parallel_tool_calls, "parallel_tool_calls", readBoolean);
  const isOlder = usesFunctions(body);
  const tools = isOlder ? decodeFunctions(body) : decodeTools(body.tools);
  return {
    tools,
    toolChoice: decodeToolChoice(body.tool_choice, tools) ?? decodeFunctionCall(body.function_call, tools),
    parallelToolCalls: parallel ?? (isOlder && tools.length > 0 ? false : undefined),
  };
}

/**
 * The newer name wins. The older one is kept in the extension too, so that an upstream is told what the client wrote.
 */
function decodeMaxTokens(body: JsonObject): number | undefined {
  return (
    optional(body.max_completion_tokens, "max_completion_tokens", readInteger, { min: 1 }) ??
    optional(body.max_tokens, "max_tokens", readInteger, { min: 1 })
  );
}

function extensionOf(body: JsonObject, at: { stream: boolean; keepFormat: boolean }): JsonObject | undefined {
  const streamOptions = decodeStreamOptions(body, at.stream);
  const members = {
    ...decodeExtension(body),
    ...(at.keepFormat ? { response_format: body.response_format } : {}),
    ...(streamOptions === undefined ? {} : { stream_options: streamOptions }),
  };
  return Object.keys(members).length === 0 ? undefined : members;
}

/** Members of the request that the hub models, or that end here. */
const MODELLED = knownMembers("chat", [InferenceInputSchema, ReasoningSchema], {
  further: ["stream", "stream_options", "n", "modalities", "functions", "function_call"],
});

/**
 * Returns the members of a request that only this format knows, or nobody; undefined if there are none. Throws
 * WireError.
 */
function decodeExtension(body: JsonObject): JsonObject | undefined {
  const members = extraMembers(body, MODELLED);
  if (members !== undefined) checkCarried(members, CARRIED);
  return members;
}
