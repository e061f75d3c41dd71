import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  Role,
  ThinkingBlockSchema,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeAnnotations } from "../../shared/annotations.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { optional, readArray, readChoice, readName, readObject, readString, WireError } from "../../shared/read.ts";
import { isNewWord } from "../../shared/words.ts";
import { CHAT_ANNOTATIONS } from "../forms.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";
import { decodeReasoningDetails } from "../reasoning-details.ts";
import { FunctionCalls } from "./decode-functions.ts";
import { decodeContent, nestedExtra, type PartType } from "./decode-part.ts";

/** Types of calls that the hub knows. */
const CALL_TYPES = ["function", "custom"] as const;

/** Decodes `tool_calls` of an assistant's message. Throws WireError. */
function decodeToolCalls(value: unknown, path: string): ContentBlock[] {
  return (optional(value, path, readArray) ?? []).map((call, index) => decodeToolCall(call, `${path}[${index}]`));
}

function decodeToolCall(value: unknown, path: string): ContentBlock {
  const call = readObject(value, path);
  // Many clients leave the type out: there was only one for years.
  const type = optional(call.type, `${path}.type`, readChoice, CALL_TYPES) ?? "function";
  const custom = type === "custom";
  const called = readObject(call[type], `${path}.${type}`);
  const [text, kind] = custom ? (["input", ToolKind.CUSTOM] as const) : (["arguments", ToolKind.FUNCTION] as const);
  return create(ContentBlockSchema, {
    kind: {
      case: "toolUse",
      value: {
        id: readName(call.id, `${path}.id`),
        name: readName(called.name, `${path}.${type}.name`),
        arguments: readString(called[text], `${path}.${type}.${text}`),
        kind,
      },
    },
    cacheMark: readCacheControl(call),
    extension: chatJson(
      nestedExtra(call, MODELLED.tool_call, { [type]: custom ? MODELLED.called_custom : MODELLED.called_function }),
    ),
  });
}

const ROLES = ["system", "developer", "user", "assistant", "tool"] as const;

const SPEAKERS = { system: Role.SYSTEM, developer: Role.DEVELOPER, user: Role.USER } as const;

/**
 * Parts that each role may say. Images and files in tool results go beyond OpenAI's own limit: other upstreams take
 * them.
 */
const PARTS: Readonly<Record<(typeof ROLES)[number], readonly PartType[]>> = {
  system: ["text"],
  developer: ["text"],
  user: ["text", "image_url", "input_audio", "file"],
  assistant: ["text", "refusal"],
  tool: ["text", "image_url", "file"],
};

/** Kinds of calls by their ids; undefined for a call of a type that is not known. */
type CallKinds = Map<string, ToolKind | undefined>;

/** The calls so far: a result does not say what kind of call it answers. */
interface Calls {
  readonly kinds: CallKinds;
  readonly functions: FunctionCalls;
}

/** Decodes `messages`, one for one. Throws WireError. */
export function decodeMessages(value: unknown): Message[] {
  const messages = readArray(value, "messages");
  if (messages.length === 0) throw new WireError("messages", "must have at least one message");
  const calls: Calls = { kinds: new Map(), functions: new FunctionCalls() };
  return messages.map((item, position) => {
    const path = `messages[${position}]`;
    const object = readObject(item, path);
    const message = decodeMessage(object, { path, position }, calls);
    for (const { kind } of message.content) {
      if (kind.case === "toolUse") calls.kinds.set(kind.value.id, kind.value.kind);
    }
    if (hasNewCall(object)) for (const id of idsOfCalls(object)) calls.kinds.set(id, undefined);
    return message;
  });
}

function idsOfCalls({ tool_calls: calls }: JsonObject): string[] {
  const ids = Array.isArray(calls) ? calls.map((call) => (isJsonObject(call) ? call.id : undefined)) : [];
  return ids.filter((id) => typeof id === "string");
}

/** The place of a message. */
interface MessagePosition {
  readonly path: string;
  readonly position: number;
}

function decodeMessage(message: JsonObject, place: MessagePosition, calls: Calls): Message {
  const { path } = place;
  if (message.role === "function") return calls.functions.decodeResult(message, path, PARTS.tool);
  if (isNewWord(message.role, ROLES) || hasNewCall(message)) return opaqueMessage(chatJson(message));
  const role = readChoice(message.role, `${path}.role`, ROLES);
  return markLast(
    role === "tool"
      ? decodeToolMessage(message, path, calls.kinds)
      : decodeSpoken(message, role, place, calls.functions),
    message,
  );
}

/** A `cache_control` of a message marks its last block that can be marked. */
function markLast(decoded: Message, message: JsonObject): Message {
  const mark = readCacheControl(message);
  const { content } = decoded;
  const lastSpoken = content.findLast(({ kind }) => kind.case !== "thinking" && kind.case !== "redactedThinking");
  const last = lastSpoken ?? content.at(-1);
  if (mark !== undefined && last !== undefined) last.cacheMark ??= mark;
  return decoded;
}

function decodeSpoken(
  message: JsonObject,
  role: Exclude<(typeof ROLES)[number], "tool">,
  place: MessagePosition,
  functions: FunctionCalls,
): Message {
  const { path } = place;
  const assistant = role === "assistant";
  const content = assistant
    ? decodeAssistant(message, place, functions)
    : decodeContent(message.content, `${path}.content`, PARTS[role]);
  return create(MessageSchema, {
    role: assistant ? Role.ASSISTANT : SPEAKERS[role],
    content,
    name: optional(message.name, `${path}.name`, readString),
    extension: chatJson(extraOf(message, content, assistant ? MODELLED.assistant : MODELLED.message)),
  });
}

/** A call of a type that is not known has its place among the others, so that the whole message is kept. */
function hasNewCall({ tool_calls: calls }: JsonObject): boolean {
  return Array.isArray(calls) && calls.some((call) => isJsonObject(call) && isNewWord(call.type, CALL_TYPES));
}

function decodeToolMessage(message: JsonObject, path: string, calls: CallKinds): Message {
  const toolUseId = readName(message.tool_call_id, `${path}.tool_call_id`);
  if (!calls.has(toolUseId)) {
    // OpenAI's own words and spelling, which clients look for.
    const problem = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
    throw new WireError(`${path}.tool_call_id`, problem);
  }
  const content = decodeContent(message.content, `${path}.content`, PARTS.tool);
  const kind = calls.get(toolUseId) ?? ToolKind.FUNCTION;
  return create(MessageSchema, {
    role: Role.TOOL,
    content: [{ kind: { case: "toolResult", value: { toolUseId, content, kind } } }],
    extension: chatJson(extraMembers(message, MODELLED.tool_message)),
  });
}

/** Reasoning first, then what was said, then the calls: the order in which a model speaks. */
function decodeAssistant(
  message: JsonObject,
  { path, position }: MessagePosition,
  functions: FunctionCalls,
): ContentBlock[] {
  const blocks = decodeReasoning(message, path);
  blocks.push(...(optional(message.content, `${path}.content`, decodeContent, PARTS.assistant) ?? []));
  const refusal = optional(message.refusal, `${path}.refusal`, readString);
  if (refusal !== undefined) {
    blocks.push(create(ContentBlockSchema, { kind: { case: "refusal", value: { text: refusal } } }));
  }
  const call = optional(message.function_call, `${path}.function_call`, (value, at) =>
    functions.decode(value, at, position),
  );
  if (call !== undefined) blocks.push(call);
  blocks.push(...decodeToolCalls(message.tool_calls, `${path}.tool_calls`));
  // Answers without a word have `content: null`, and come back so in histories.
  const isSilent = blocks.length === 0 && (message.content ?? message.audio ?? undefined) === undefined;
  if (isSilent) blocks.push(...decodeContent("", `${path}.content`, PARTS.assistant));
  const annotated = lastText(blocks);
  if (annotated !== undefined) {
    const annotations = decodeAnnotations(message.annotations, CHAT_ANNOTATIONS);
    if (annotations !== undefined) annotated.annotations = annotations;
  }
  return blocks;
}

/** `reasoning_details` say all that `reasoning_content` does, and hold the opaque state too. */
function decodeReasoning(message: JsonObject, path: string): ContentBlock[] {
  const details = optional(message.reasoning_details, `${path}.reasoning_details`, decodeReasoningDetails) ?? [];
  const content = optional(message.reasoning_content, `${path}.reasoning_content`, readString);
  const text = content ?? optional(message.reasoning, `${path}.reasoning`, readString) ?? "";
  if (details.length > 0 || text === "") return details;
  const thinking = create(ThinkingBlockSchema, { text });
  return [create(ContentBlockSchema, { kind: { case: "thinking", value: thinking } })];
}

/** The format has the annotations of a message beside its text. */
function lastText(blocks: readonly ContentBlock[]): ContentBlock | undefined {
  return blocks.findLast(({ kind }) => kind.case === "text");
}

/** Answers repeat `annotations: []`; sent back in a history that says no more than leaving it out. */
function extraOf(
  message: JsonObject,
  content: readonly ContentBlock[],
  known: ReadonlySet<string>,
): JsonObject | undefined {
  const { annotations, ...rest } = message;
  const isEmpty = Array.isArray(annotations) && annotations.length === 0;
  const isDecoded = content.some((block) => block.annotations !== undefined);
  return extraMembers(isEmpty || isDecoded ? rest : message, known);
}
