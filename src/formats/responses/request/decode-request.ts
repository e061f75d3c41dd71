import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema, Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput } from "../../../hub/input.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import type { JsonObject } from "../../shared/json.ts";
import { isJsonObject } from "../../shared/json.ts";
import {
  anyMember,
  carried,
  decodedMember,
  flagMember,
  integerMember,
  listMember,
  type Member,
  nameMember,
  objectMember,
  required,
  textMember,
} from "../../shared/member.ts";
import { METADATA } from "../../shared/openai-metadata.ts";
import { toolsMember } from "../../shared/openai-tools.ts";
import { plainFieldMembers, plainInit } from "../../shared/plain-fields.ts";
import { readString, WireError } from "../../shared/read.ts";
import { MODEL, STREAM } from "../../shared/request-members.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { oneOf } from "../../shared/schema.ts";
import { echoMembers } from "../answer/encode-resource.ts";
import { readConversationId } from "../conversation-ids.ts";
import { INCLUDED_LOGPROBS } from "../members.ts";
import { CARRIED } from "./carried-members.ts";
import { INPUT } from "./decode-item.ts";
import { REASONING, TEXT } from "./decode-options.ts";
import { TOOL, TOOL_CHOICE } from "./decode-tools.ts";

const INSTRUCTIONS: Member<ContentBlock[]> = {
  ...textMember("Instructions"),
  read: (value, path) => {
    const text = readString(value, path);
    return text === "" ? [] : [create(ContentBlockSchema, { kind: { case: "text", value: { text } } })];
  },
};

const CONVERSATION_ID = nameMember("Its id");
const CONVERSATION_OBJECT = objectMember({ id: required(CONVERSATION_ID) }, "The conversation");

/** The id of the conversation that a request continues, or an object with it. */
const CONVERSATION: Member<string> = {
  read: (value, path) =>
    isJsonObject(value)
      ? CONVERSATION_OBJECT.read(value, path, undefined).id
      : CONVERSATION_ID.read(value, path, undefined),
  schema: oneOf(
    [CONVERSATION_ID.schema, CONVERSATION_OBJECT.schema],
    "Conversation that this one continues, and is added to",
  ),
};

/** A request of the Responses format. */
export const REQUEST = decodedMember(
  {
    model: required(MODEL),
    input: required(INPUT),
    instructions: INSTRUCTIONS,
    stream: STREAM,
    background: flagMember("True to return immediately, and generate the Response in the background"),
    store: flagMember("Whether the Response can be read and continued later; true if absent"),
    previous_response_id: textMember("Id of the Response that this one continues"),
    conversation: CONVERSATION,
    max_output_tokens: integerMember("Maximum output tokens", { min: 1 }),
    ...plainFieldMembers("responses"),
    reasoning: REASONING,
    text: TEXT,
    tools: toolsMember(TOOL, "Tools that the model may call"),
    tool_choice: TOOL_CHOICE,
    parallel_tool_calls: flagMember("Whether several tools may be called in one turn"),
    include: carried(
      listMember(
        anyMember("`message.output_text.logprobs`, `web_search_call.action.sources`"),
        "Other members of the answer",
      ),
    ),
    metadata: METADATA,
    safety_identifier: textMember("The end user"),
    prompt_cache_key: textMember("Key for the upstream's cache"),
    ...CARRIED,
  },
  "A request of the Responses format",
  (values, { object: body, rest: members }): DecodedRequest => {
    const { text, store, background = false, conversation, previous_response_id: previousId } = values;
    if (background && store === false) {
      throw new WireError(
        "store",
        "a response is made in the background only if it is stored: leave it out, or send true",
      );
    }
    if (conversation !== undefined && previousId !== undefined) {
      throw new WireError("conversation", "cannot be used together with 'previous_response_id': leave one of them out");
    }
    const { logprobs, rest } = decodeInclude(values.include, members);
    const input = createHubInput({
      model: values.model,
      dialect: Dialect.RESPONSES,
      system: values.instructions ?? [],
      messages: values.input,
      tools: values.tools ?? [],
      toolChoice: values.tool_choice,
      parallelToolCalls: values.parallel_tool_calls,
      maxOutputTokens: values.max_output_tokens,
      ...plainInit("responses", values),
      ...(logprobs ? { logprobs } : {}),
      reasoning: values.reasoning,
      outputFormat: text?.outputFormat,
      verbosity: text?.verbosity,
      endUserId: values.safety_identifier,
      metadata: values.metadata ?? {},
      promptCacheKey: values.prompt_cache_key,
      conversationId: conversation && readConversationId(conversation),
      previousId,
      store,
      // What is never read again need not be kept.
      echo: store === false ? undefined : responsesJson(echoMembers(body)),
      extension: responsesJson(text?.rest === undefined ? rest : { ...rest, text: text.rest }),
    });
    return { input, stream: values.stream ?? false, background, body };
  },
);

/** Decodes a request of the Responses format. Throws WireError. */
export function decodeRequest(body: JsonObject): DecodedRequest {
  return REQUEST.read(body, "", undefined);
}

/** Reads what `include` asks for of the tokens; the other items stay what only this format knows. */
function decodeInclude(
  list: readonly unknown[] | undefined,
  members: JsonObject | undefined,
): { logprobs: boolean; rest: JsonObject | undefined } {
  if (list?.includes(INCLUDED_LOGPROBS) !== true) return { logprobs: false, rest: members };
  const include = list.filter((item) => item !== INCLUDED_LOGPROBS);
  const { include: _all, ...others } = members ?? {};
  const rest = include.length === 0 ? others : { ...others, include };
  return { logprobs: true, rest: Object.keys(rest).length === 0 ? undefined : rest };
}
