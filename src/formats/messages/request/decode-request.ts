import type { IncomingHttpHeaders } from "node:http";
import { create } from "@bufbuild/protobuf";
import { Dialect, ReasoningSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { createHubInput, type HubInput } from "../../../hub/input.ts";
import type { DecodedRequest } from "../../shared/codec.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  integerMember,
  listMember,
  type Member,
  nameMember,
  required,
  type Source,
  textMember,
  type Values,
} from "../../shared/member.ts";
import { plainFieldMembers, plainInit } from "../../shared/plain-fields.ts";
import { readString, WireError } from "../../shared/read.ts";
import { MODEL, STREAM } from "../../shared/request-members.ts";
import { messagesJson } from "../raw-json.ts";
import { checkApiVersion, readApiVersion } from "./api-version.ts";
import { CARRIED } from "./carried-members.ts";
import { contentMember } from "./decode-block.ts";
import { CACHE_CONTROL, checkCacheMarks, type Marking, type PlacedCacheMark } from "./decode-cache-control.ts";
import { checkMessages, MESSAGES, THREAD } from "./decode-messages.ts";
import { OUTPUT_CONFIG, THINKING } from "./decode-output-config.ts";
import { TOOL_CHOICE, TOOLS } from "./decode-tools.ts";

/** The marks of each part of a prompt. */
type Marks = Readonly<Record<"tools" | "system" | "messages" | "cache_control", PlacedCacheMark[]>>;

/** Has a part of the prompt note its marks. */
function marked<T>(part: keyof Marks, member: Member<T, Marking>): Member<T, Marks> {
  return { ...member, read: (value, path, marks) => member.read(value, path, { marks: marks[part] }) };
}

const STOP: Member<string> = {
  ...nameMember("A stop sequence"),
  read: (value, path) => {
    const sequence = readString(value, path);
    if (sequence === "") throw new WireError(path, "must not be empty; leave it out");
    return sequence;
  },
};

const METADATA = decodedMember(
  { user_id: textMember("The end user") },
  "Texts by name: `session_id` names the session, the others are tags",
  (values, { rest }) => ({ ...values, rest }),
);

const MEMBERS = {
  model: required(MODEL),
  max_tokens: integerMember("Maximum output tokens; 0 only fills the upstream's cache, without a stream", { min: 0 }),
  messages: required(marked("messages", MESSAGES)),
  system: marked("system", contentMember("system")),
  stream: STREAM,
  ...plainFieldMembers("messages"),
  stop_sequences: listMember(STOP, "Stop sequences"),
  thinking: THINKING,
  output_config: OUTPUT_CONFIG,
  tools: marked("tools", TOOLS),
  tool_choice: TOOL_CHOICE,
  metadata: METADATA,
  cache_control: marked("cache_control", CACHE_CONTROL),
  thread: THREAD,
  ...CARRIED,
};

/** A request of the Messages format. */
export const REQUEST = decodedMember(
  { ...MEMBERS, max_tokens: required(MEMBERS.max_tokens) },
  "A request of the Messages format",
  (values, source: Source<Marks>) => {
    const { max_tokens: maxOutputTokens, stream = false } = values;
    // Zero is the documented way to fill the prompt cache without an answer; a stream of nothing is not offered.
    if (maxOutputTokens === 0 && stream)
      throw new WireError("max_tokens", "must be at least 1 in a stream; 0 fills the prompt cache, without a stream");
    return { input: toInput({ ...values, maxOutputTokens }, source), stream };
  },
);

/** A request whose prompt is counted, which says nothing of the answer's form. */
export const COUNT_REQUEST = decodedMember(MEMBERS, "A request whose prompt is counted", toInput);

/** Decodes the body of POST /v1/messages, in the version of the API that the headers name. Throws WireError. */
export function decodeRequest(body: JsonObject, headers: IncomingHttpHeaders = {}): DecodedRequest {
  return { ...readBody(REQUEST, body, headers), body };
}

/** Decodes the body of POST /v1/messages/count_tokens. Throws WireError. */
export function decodeCountRequest(body: JsonObject, headers: IncomingHttpHeaders = {}): HubInput {
  return readBody(COUNT_REQUEST, body, headers);
}

function readBody<T>(request: Member<T, Marks>, received: JsonObject, headers: IncomingHttpHeaders): T {
  const body = withOutputConfig(received);
  const version = readApiVersion(headers);
  const read = request.read(body, "", { tools: [], system: [], messages: [], cache_control: [] });
  checkApiVersion(body, version);
  return read;
}

/** Reads `output_format`, under which the beta of structured outputs had what is `output_config.format` today. */
function withOutputConfig(body: JsonObject): JsonObject {
  if (body["output_format"] === undefined) return body;
  const { output_format: format, ...rest } = body;
  const { output_config: config = {} } = rest;
  const isRead = isJsonObject(format) && format["type"] === "json_schema" && isJsonObject(format["schema"]);
  if (!isRead || !isJsonObject(config) || config["format"] !== undefined) return body;
  return { ...rest, output_config: { ...config, format } };
}

/** Said once, at the beginning of a thread. */
const BEGINNING = ["system", "tools"] as const;

function toInput(
  values: Values<typeof MEMBERS> & Partial<Pick<HubInput, "maxOutputTokens">>,
  { rest, context: marks }: Source<Marks>,
): HubInput {
  const { thread, metadata, output_config: config, thinking, cache_control: automatic, tool_choice: choice } = values;
  const previousId = thread?.previous_message_id;
  for (const name of previousId === undefined ? [] : BEGINNING) {
    if (values[name] === undefined) continue;
    throw new WireError(name, "is taken from the beginning of the thread: leave it out, or begin another thread");
  }
  checkMessages(values.messages, previousId !== undefined);
  // The order of the prompt is that of the marks.
  checkCacheMarks([...marks.tools, ...marks.system, ...marks.messages, ...marks.cache_control]);
  const effort = config?.effort;
  const isReasoning = thinking !== undefined || effort !== undefined;
  const nested = {
    ...rest,
    ...(automatic?.rest && { cache_control: automatic.rest }),
    ...(metadata?.rest && { metadata: metadata.rest }),
    ...(config?.rest && { output_config: config.rest }),
  };
  return createHubInput({
    model: values.model,
    dialect: Dialect.MESSAGES,
    maxOutputTokens: values.maxOutputTokens,
    thread: thread !== undefined,
    previousId,
    tools: values.tools ?? [],
    system: values.system ?? [],
    messages: values.messages,
    automaticCacheMark: automatic?.mark,
    ...plainInit("messages", values),
    stopSequences: values.stop_sequences ?? [],
    endUserId: metadata?.user_id,
    toolChoice: choice?.toolChoice,
    parallelToolCalls: choice?.parallelToolCalls,
    reasoning: isReasoning ? create(ReasoningSchema, { effort, ...thinking }) : undefined,
    outputFormat: config?.format,
    extension: Object.keys(nested).length > 0 ? messagesJson(nested) : undefined,
  });
}
