import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  Role,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  decodedMember,
  describeForms,
  formMember,
  type Member,
  named,
  required,
  textMember,
  typeMember,
  wordMember,
} from "../../shared/member.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { optional, readArray, readObject, readString, WireError } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { list, oneOf, text } from "../../shared/schema.ts";
import { isNewWord, listWords } from "../../shared/words.ts";
import { REASONING, toThinking } from "../reasoning-item.ts";
import type { KindInit } from "./decode-media.ts";
import { CONTENT } from "./decode-part.ts";

const ROLES = {
  user: Role.USER,
  assistant: Role.ASSISTANT,
  system: Role.SYSTEM,
  developer: Role.DEVELOPER,
} as const;

const ROLE_WORDS = listWords(ROLES);

const ID = { id: textMember("Id of the item") };
const CALL = { call_id: required(textMember("Id of the call")), name: required(textMember("Name of the tool")) };
const OUTPUT = { output: required(CONTENT), ...ID };

/** Codex replays turns that said nothing with null. */
const SAID: Member<ContentBlock[]> = {
  ...CONTENT,
  read: (value, path) => (value === null ? [] : CONTENT.read(value, path, undefined)),
};

function itemMessage(init: MessageInitShape<typeof MessageSchema>, rest: JsonObject | undefined): Message {
  return create(MessageSchema, { ...init, extension: responsesJson(rest) });
}

function calling(kind: KindInit): Pick<Message, "role" | "content"> {
  return { role: Role.ASSISTANT, content: [create(ContentBlockSchema, { kind })] };
}

function answering(toolUseId: string, content: ContentBlock[], kind: ToolKind): Pick<Message, "role" | "content"> {
  const block = create(ContentBlockSchema, { kind: { case: "toolResult", value: { toolUseId, content, kind } } });
  return { role: Role.TOOL, content: [block] };
}

const FORMS = {
  message: named(
    "ResponseInputMessage",
    decodedMember(
      {
        type: typeMember("message"),
        role: required(wordMember(ROLE_WORDS, "Role")),
        content: required(SAID),
        ...ID,
      },
      "A message",
      ({ role, content, id = "" }, { object, rest }) =>
        role === undefined ? opaqueItem(object) : itemMessage({ id, role: ROLES[role], content }, rest),
    ),
  ),
  function_call: formMember(
    "ResponseFunctionCall",
    ["function_call", { ...CALL, arguments: required(textMember("Arguments as JSON")), ...ID }, "A call of a function"],
    ({ call_id, name, arguments: text, id = "" }, { rest }) => {
      const value = { id: call_id, name, arguments: text, kind: ToolKind.FUNCTION };
      return itemMessage({ id, ...calling({ case: "toolUse", value }) }, rest);
    },
  ),
  custom_tool_call: formMember(
    "ResponseCustomCall",
    ["custom_tool_call", { ...CALL, input: required(textMember("Input")), ...ID }, "A tool call"],
    ({ call_id, name, input, id = "" }, { rest }) => {
      const value = { id: call_id, name, arguments: input, kind: ToolKind.CUSTOM };
      return itemMessage({ id, ...calling({ case: "toolUse", value }) }, rest);
    },
  ),
  function_call_output: formMember(
    "ResponseFunctionOutput",
    [
      "function_call_output",
      // It is read beside the name, which some have in its place.
      { call_id: required({ ...CALL.call_id, read: (value: unknown) => value }), ...OUTPUT },
      "Result of a function",
    ],
    ({ output, id = "" }, { object, path, rest }) =>
      itemMessage({ id, ...answering(readCallId(object, path), output, ToolKind.FUNCTION) }, rest),
  ),
  custom_tool_call_output: formMember(
    "ResponseCustomOutput",
    ["custom_tool_call_output", { call_id: CALL.call_id, ...OUTPUT }, "Tool result"],
    ({ call_id, output, id = "" }, { rest }) =>
      itemMessage({ id, ...answering(call_id, output, ToolKind.CUSTOM) }, rest),
  ),
  reasoning: formMember(
    "ResponseReasoning",
    ["reasoning", REASONING, "Reasoning, as in the answer"],
    (values, { object, rest }) => {
      const value = toThinking(values);
      if (value === undefined) return opaqueItem(object);
      return itemMessage({ id: values.id ?? "", ...calling({ case: "thinking", value }) }, rest);
    },
  ),
} as const satisfies Readonly<Record<string, Member<Message>>>;

/** An item; one of a type that is not known becomes a message of one opaque block. */
export const ITEM: Member<Message> = {
  read: (value, path) => {
    const item = readObject(value, path);
    const type = optional(item.type, `${path}.type`, readString) ?? typeOfBareItem(item, path);
    const isKnown = Object.hasOwn(FORMS, type) && !(type === "message" && isNewWord(item.role, ROLE_WORDS));
    return isKnown ? FORMS[type as keyof typeof FORMS].read(item, path, undefined) : opaqueItem(item);
  },
  ...describeForms(
    "ResponseInputItem",
    Object.values(FORMS),
    'An item of a conversation. `{"id": ID}` alone refers to an item that is stored',
  ),
};

/** `input`: a text, which stands for one user message, or a list of items. */
export const INPUT: Member<Message[]> = {
  read: (value, path) => {
    if (typeof value === "string")
      return [create(MessageSchema, { role: Role.USER, content: CONTENT.read(value, path, undefined) })];
    if (value !== undefined && value !== null && !Array.isArray(value)) {
      throw new WireError(path, "must be a string or an array of items");
    }
    const items = readArray(value, path);
    if (items.length === 0) throw new WireError(path, "must hold at least one item");
    return items.map((item, index) => ITEM.read(item, `${path}[${index}]`, undefined));
  },
  schema: oneOf([text("A message of the user"), list(ITEM.schema, "Items", { minItems: 1 })], "The conversation"),
};

/** The type may be left out of messages, and of references, which hold nothing but an id. */
function typeOfBareItem(item: JsonObject, path: string): string {
  if (item.role !== undefined && item.role !== null) return "message";
  const [only, ...others] = Object.keys(item).filter((name) => item[name] !== null);
  if (only === "id" && others.length === 0) return "item_reference";
  throw new WireError(path, "needs a 'type', such as 'function_call_output', or a 'role' if it is a message");
}

function opaqueItem(item: JsonObject): Message {
  return opaqueMessage(responsesJson(item), typeof item.id === "string" ? item.id : "");
}

/** Something that the client ran of its own accord has a name in the place of a call. */
function readCallId(item: JsonObject, path: string): string {
  const isUncalled = (item.call_id ?? null) === null && typeof item.name === "string" && item.name !== "";
  return isUncalled ? "" : readString(item.call_id, `${path}.call_id`);
}
