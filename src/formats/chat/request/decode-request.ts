import { create } from "@bufbuild/protobuf";
import { Dialect, ReasoningSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInput } from "../../../hub/input.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  flagMember,
  integerMember,
  required,
  textMember,
  type Values,
  wordMember,
} from "../../shared/member.ts";
import { METADATA } from "../../shared/openai-metadata.ts";
import { toolsMember } from "../../shared/openai-tools.ts";
import { EFFORT_WORDS, VERBOSITY_WORDS } from "../../shared/openai-words.ts";
import { plainFieldMembers, plainInit } from "../../shared/plain-fields.ts";
import { WireError } from "../../shared/read.ts";
import { MODEL, STREAM } from "../../shared/request-members.ts";
import { listWords } from "../../shared/words.ts";
import { chatJson } from "../raw-json.ts";
import { controlMember } from "./cache-control.ts";
import { CARRIED } from "./carried-members.ts";
import { FUNCTION_CALL, fitFunctionCall, OLDER_TOOLS } from "./decode-functions.ts";
import { MESSAGES } from "./decode-message.ts";
import { CHOICES, FORMAT, MODALITIES, STOP, STREAM_OPTIONS } from "./decode-options.ts";
import { checkChoice, TOOL, TOOL_CHOICE } from "./decode-tools.ts";

const MEMBERS = {
  model: required(MODEL),
  messages: required(MESSAGES),
  stream: STREAM,
  stream_options: STREAM_OPTIONS,
  max_completion_tokens: integerMember("Maximum output tokens", { min: 1 }),
  ...plainFieldMembers("chat"),
  n: CHOICES,
  stop: STOP,
  reasoning_effort: wordMember(listWords(EFFORT_WORDS), "Effort of reasoning"),
  verbosity: wordMember(VERBOSITY_WORDS, "Length of the answer"),
  response_format: FORMAT,
  tools: toolsMember(TOOL, "Tools that the model may call"),
  tool_choice: TOOL_CHOICE,
  parallel_tool_calls: flagMember("Whether several tools may be called in one turn"),
  functions: OLDER_TOOLS,
  function_call: FUNCTION_CALL,
  modalities: MODALITIES,
  metadata: METADATA,
  safety_identifier: textMember("The end user"),
  prompt_cache_key: textMember("Key for the upstream's cache"),
  cache_control: controlMember("Mark for the upstream's cache, on the whole prompt"),
  ...CARRIED,
};

/** A request of the Chat format. */
export const REQUEST = decodedMember(
  MEMBERS,
  "A request of the Chat format",
  (values, { object: body, rest }): DecodedRequest => {
    const { stream = false, stream_options: options, reasoning_effort: effort, response_format: form } = values;
    if (options !== undefined && !stream)
      throw new WireError("stream_options", "is for streams only: set stream to true, or leave it out");
    const members = {
      ...(form?.keep && { response_format: body.response_format }),
      ...(options?.rest && { stream_options: options.rest }),
      ...rest,
    };
    const input = createHubInput({
      model: values.model,
      dialect: Dialect.CHAT,
      messages: values.messages,
      ...decodeCalling(values),
      // The newer name wins. The older one is kept in the extension too: an upstream is told what the client wrote.
      maxOutputTokens: values.max_completion_tokens ?? values.max_tokens,
      ...plainInit("chat", values),
      stopSequences: values.stop ?? [],
      reasoning: effort === undefined ? undefined : create(ReasoningSchema, { effort: EFFORT_WORDS[effort] }),
      outputFormat: form?.format,
      verbosity: values.verbosity,
      n: values.n,
      endUserId: values.safety_identifier,
      metadata: values.metadata,
      promptCacheKey: values.prompt_cache_key,
      automaticCacheMark: values.cache_control,
      extension: Object.keys(members).length === 0 ? undefined : chatJson(members),
    });
    return { input, stream, body };
  },
);

/** Decodes the body of POST /v1/chat/completions. Throws WireError. */
export function decodeRequest(body: JsonObject): DecodedRequest {
  return REQUEST.read(body, "", undefined);
}

/** The older form has room for one call in an answer. */
function decodeCalling(values: Values<typeof MEMBERS>): Pick<HubInput, "tools" | "toolChoice" | "parallelToolCalls"> {
  const { functions, tool_choice: choice, function_call: call, parallel_tool_calls: parallel } = values;
  if (functions !== undefined) {
    for (const name of ["tools", "tool_choice"] as const) {
      if (values[name] === undefined) continue;
      throw new WireError("functions", `cannot be combined with ${name}: define all of them as tools`);
    }
  }
  const tools = functions ?? values.tools ?? [];
  if (choice !== undefined) checkChoice(choice, tools);
  return {
    tools,
    toolChoice: choice ?? (call && fitFunctionCall(call, tools)),
    parallelToolCalls: parallel ?? (functions !== undefined && tools.length > 0 ? false : undefined),
  };
}
