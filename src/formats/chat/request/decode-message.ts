import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type CacheMark,
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  Role,
  ThinkingBlockSchema,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeAnnotations } from "../../shared/annotations.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import {
  anyMember,
  carried,
  deprecated,
  describeForms,
  formMember,
  listMember,
  type Member,
  nameMember,
  required,
  type Source,
  textMember,
  type Values,
} from "../../shared/member.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { readArray, readChoice, readObject, WireError } from "../../shared/read.ts";
import { list } from "../../shared/schema.ts";
import { isNewWord } from "../../shared/words.ts";
import { CHAT_ANNOTATIONS } from "../forms.ts";
import { chatJson } from "../raw-json.ts";
import { REASONING_DETAILS } from "../reasoning-details.ts";
import { CONTROL } from "./cache-control.ts";
import { CALL, CALL_ID, CALL_TYPES } from "./decode-call.ts";
import { CALLED_FUNCTION, FunctionCalls } from "./decode-functions.ts";
import { contentMember, textBlock } from "./decode-part.ts";

const SPOKEN = { name: textMember("Name of the participant"), ...CONTROL };
const TEXT = contentMember(["text"]);
/** Images and files in tool results go beyond OpenAI's own limit: other upstreams take them. */
const RESULT = contentMember(["text", "image_url", "file"]);

/** The calls so far: a result does not say what kind of call it answers. */
interface Calls {
  /** By their ids; undefined for a call of a type that is not known. */
  readonly kinds: Map<string, ToolKind | undefined>;
  readonly functions: FunctionCalls;
  /** Position of the message. */
  readonly position: number;
}

function spoken(name: string, role: "system" | "developer" | "user", content: Member<ContentBlock[]>) {
  const speaker = { system: Role.SYSTEM, developer: Role.DEVELOPER, user: Role.USER }[role];
  return formMember(
    name,
    [role, { content: required(content), ...SPOKEN }, `A message of the role ${role}`, "role"],
    (values, { rest }: Source<Calls>) =>
      toMessage({ role: speaker, content: values.content, name: values.name }, values.cache_control, rest),
  );
}

/** A `cache_control` of a message marks its last block that can be marked. */
function toMessage(
  init: MessageInitShape<typeof MessageSchema> & { readonly content: ContentBlock[] },
  mark: CacheMark | undefined,
  rest: JsonObject | undefined,
): Message {
  const { content } = init;
  const lastSpoken = content.findLast(({ kind }) => kind.case !== "thinking" && kind.case !== "redactedThinking");
  const last = lastSpoken ?? content.at(-1);
  if (mark !== undefined && last !== undefined) last.cacheMark ??= mark;
  return create(MessageSchema, { ...init, extension: chatJson(rest) });
}

const ASSISTANT = {
  content: contentMember(["text", "refusal"]),
  ...SPOKEN,
  refusal: textMember("Text of a refusal"),
  tool_calls: listMember(CALL, "Tool calls"),
  function_call: deprecated(CALLED_FUNCTION),
  reasoning_content: textMember("Reasoning, as text"),
  reasoning: textMember("Other name of `reasoning_content`"),
  reasoning_details: REASONING_DETAILS,
  annotations: {
    ...anyMember("Citations, as in the answer"),
    read: (value: unknown) => decodeAnnotations(value, CHAT_ANNOTATIONS),
    // Answers repeat `annotations: []`; sent back in a history that says no more than leaving it out.
    isCarried: (value: unknown) => !(Array.isArray(value) && value.length === 0),
  },
  audio: carried(anyMember("Audio, as in the answer")),
};

const assistant = formMember(
  "ChatAssistantMessage",
  ["assistant", ASSISTANT, "A message of the role assistant", "role"],
  (values, { rest, context: { functions, position } }: Source<Calls>) => {
    // Reasoning first, then what was said, then the calls: the order in which a model speaks.
    const content = decodeReasoning(values);
    content.push(...(values.content ?? []));
    if (values.refusal !== undefined) {
      content.push(create(ContentBlockSchema, { kind: { case: "refusal", value: { text: values.refusal } } }));
    }
    if (values.function_call !== undefined) content.push(functions.decode(values.function_call, position));
    content.push(...(values.tool_calls ?? []));
    // Answers without a word have `content: null`, and come back so in histories.
    if (content.length === 0 && values.content === undefined && values.audio === undefined) content.push(textBlock(""));
    // The format has the annotations of a message beside its text.
    const annotated = content.findLast(({ kind }) => kind.case === "text");
    const init = { role: Role.ASSISTANT, content, name: values.name };
    if (annotated === undefined || values.annotations === undefined) return toMessage(init, values.cache_control, rest);
    annotated.annotations = values.annotations;
    const { annotations: _decoded, ...others } = rest ?? {};
    return toMessage(init, values.cache_control, Object.keys(others).length === 0 ? undefined : others);
  },
);

/** `reasoning_details` say all that `reasoning_content` does, and hold the opaque state too. */
function decodeReasoning(values: Values<typeof ASSISTANT>): ContentBlock[] {
  const details = values.reasoning_details ?? [];
  const text = values.reasoning_content ?? values.reasoning ?? "";
  if (details.length > 0 || text === "") return details;
  const thinking = create(ThinkingBlockSchema, { text });
  return [create(ContentBlockSchema, { kind: { case: "thinking", value: thinking } })];
}

const tool = formMember(
  "ChatToolMessage",
  [
    "tool",
    { content: required(RESULT), tool_call_id: required(CALL_ID), ...CONTROL },
    "A message of the role tool",
    "role",
  ],
  ({ content, tool_call_id: toolUseId, cache_control: mark }, { path, rest, context: { kinds } }: Source<Calls>) => {
    if (!kinds.has(toolUseId)) {
      // OpenAI's own words and spelling, which clients look for.
      const problem = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
      throw new WireError(`${path}.tool_call_id`, problem);
    }
    const kind = kinds.get(toolUseId) ?? ToolKind.FUNCTION;
    const result = create(ContentBlockSchema, {
      kind: { case: "toolResult", value: { toolUseId, content, kind } },
    });
    return toMessage({ role: Role.TOOL, content: [result] }, mark, rest);
  },
);

/** The result of the first call of that name without one. */
const olderResult = formMember(
  "ChatFunctionMessage",
  [
    "function",
    { name: required(nameMember("Name of the function")), content: RESULT },
    "A message of the role function",
    "role",
  ],
  ({ name, content = [] }, { path, rest, context: { functions } }: Source<Calls>) => {
    const value = { toolUseId: functions.close(name, path), content, kind: ToolKind.FUNCTION };
    const result = create(ContentBlockSchema, { kind: { case: "toolResult", value } });
    return toMessage({ role: Role.TOOL, content: [result] }, undefined, rest);
  },
);

const FORMS = {
  system: spoken("ChatSystemMessage", "system", TEXT),
  developer: spoken("ChatDeveloperMessage", "developer", TEXT),
  user: spoken("ChatUserMessage", "user", contentMember(["text", "image_url", "input_audio", "file"])),
  assistant,
  tool,
  function: olderResult,
};

/** Roles that errors name. */
const ROLES = ["system", "developer", "user", "assistant", "tool"] as const;

export const MESSAGE: Member<Message, Calls> = {
  read: (value, path, calls) => {
    const message = readObject(value, path);
    if (message.role === "function") return FORMS.function.read(message, path, calls);
    if (isNewWord(message.role, ROLES) || hasNewCall(message)) return opaqueMessage(chatJson(message));
    return FORMS[readChoice(message.role, `${path}.role`, ROLES)].read(message, path, calls);
  },
  ...describeForms("ChatMessage", Object.values(FORMS), "A message"),
};

/** `messages`, one for one. */
export const MESSAGES: Member<Message[]> = {
  read: decodeMessages,
  schema: list(MESSAGE.schema, "The conversation", { minItems: 1 }),
};

function decodeMessages(value: unknown, at: string): Message[] {
  const messages = readArray(value, at);
  if (messages.length === 0) throw new WireError(at, "must have at least one message");
  const kinds: Calls["kinds"] = new Map();
  const functions = new FunctionCalls();
  return messages.map((item, position) => {
    const message = MESSAGE.read(item, `${at}[${position}]`, { kinds, functions, position });
    for (const { kind } of message.content) {
      if (kind.case === "toolUse") kinds.set(kind.value.id, kind.value.kind);
    }
    if (isJsonObject(item) && hasNewCall(item)) for (const id of idsOfCalls(item)) kinds.set(id, undefined);
    return message;
  });
}

function idsOfCalls({ tool_calls: calls }: JsonObject): string[] {
  const ids = Array.isArray(calls) ? calls.map((call) => (isJsonObject(call) ? call.id : undefined)) : [];
  return ids.filter((id) => typeof id === "string");
}

/** A call of a type that is not known has its place among the others, so that the whole message is kept. */
function hasNewCall({ tool_calls: calls }: JsonObject): boolean {
  return Array.isArray(calls) && calls.some((call) => isJsonObject(call) && isNewWord(call.type, CALL_TYPES));
}
