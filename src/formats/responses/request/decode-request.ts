import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { createHubInput } from "../../../hub/input.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { decodeMetadata } from "../../shared/openai-metadata.ts";
import { readPlainFields } from "../../shared/plain-fields.ts";
import { optional, readArray, readBoolean, readInteger, readName, readString, WireError } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { echoMembers } from "../answer/encode-resource.ts";
import { readConversationId } from "../conversation-ids.ts";
import { INCLUDED_LOGPROBS } from "../members.ts";
import { decodeInput } from "./decode-item.ts";
import { decodeReasoning, decodeText } from "./decode-options.ts";
import { decodeToolChoice, decodeTools } from "./decode-tools.ts";

/** Members that the hub models; all others are kept for an upstream of the same format. */
const MODELLED = knownMembers("responses", [InferenceInputSchema], { further: ["stream", "background"] });

/** Decodes a request of the Responses format. Throws WireError. */
export function decodeRequest(body: JsonObject): DecodedRequest {
  const text = optional(body.text, "text", decodeText);
  const { logprobs, rest } = decodeInclude(extraMembers(body, MODELLED));
  const store = optional(body.store, "store", readBoolean);
  const background = optional(body.background, "background", readBoolean) ?? false;
  if (background && store === false) {
    throw new WireError(
      "store",
      "a response is made in the background only if it is stored: leave it out, or send true",
    );
  }
  const input = createHubInput({
    model: readName(body.model, "model"),
    dialect: Dialect.RESPONSES,
    system: optional(body.instructions, "instructions", decodeInstructions) ?? [],
    messages: decodeInput(body.input),
    tools: decodeTools(body.tools),
    toolChoice: optional(body.tool_choice, "tool_choice", decodeToolChoice),
    parallelToolCalls: optional(body.parallel_tool_calls, "parallel_tool_calls", readBoolean),
    maxOutputTokens: optional(body.max_output_tokens, "max_output_tokens", readInteger, { min: 1 }),
    ...readPlainFields("responses", body),
    ...(logprobs ? { logprobs } : {}),
    reasoning: optional(body.reasoning, "reasoning", decodeReasoning),
    outputFormat: text?.outputFormat,
    verbosity: text?.verbosity,
    endUserId: optional(body.safety_identifier, "safety_identifier", readString),
    metadata: optional(body.metadata, "metadata", decodeMetadata) ?? {},
    promptCacheKey: optional(body.prompt_cache_key, "prompt_cache_key", readString),
    conversationId: decodeConversation(body),
    previousId: optional(body.previous_response_id, "previous_response_id", readString),
    store,
    // What is never read again need not be kept.
    echo: store === false ? undefined : responsesJson(echoMembers(body)),
    extension: responsesJson(text?.rest === undefined ? rest : { ...rest, text: text.rest }),
  });
  return { input, stream: optional(body.stream, "stream", readBoolean) ?? false, background, body };
}

/** Reads what `include` asks for of the tokens; the other items stay what only this format knows. */
function decodeInclude(members: JsonObject | undefined): { logprobs: boolean; rest: JsonObject | undefined } {
  const list = optional(members?.include, "include", readArray) ?? [];
  if (!list.includes(INCLUDED_LOGPROBS)) return { logprobs: false, rest: members };
  const include = list.filter((item) => item !== INCLUDED_LOGPROBS);
  const { include: _all, ...others } = members ?? {};
  const rest = include.length === 0 ? others : { ...others, include };
  return { logprobs: true, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

/** Reads the conversation that a request continues, by its id or as an object with it. */
function decodeConversation(body: JsonObject): string | undefined {
  const { conversation, previous_response_id: previous } = body;
  const id = isJsonObject(conversation)
    ? readName(conversation.id, "conversation.id")
    : optional(conversation, "conversation", readName);
  if (id !== undefined && previous !== undefined && previous !== null) {
    throw new WireError("conversation", "cannot be used together with 'previous_response_id': leave one of them out");
  }
  return id && readConversationId(id);
}

function decodeInstructions(value: unknown, path: string): ContentBlock[] {
  const text = readString(value, path);
  return text === "" ? [] : [create(ContentBlockSchema, { kind: { case: "text", value: { text } } })];
}
