import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Message, MessageSchema, Role, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { opaqueMessage } from "../../shared/opaque-message.ts";
import { optional, readArray, readChoice, readObject, readString, WireError } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { isNewWord, listWords } from "../../shared/words.ts";
import { MODELLED } from "../members.ts";
import { decodeReasoningItem } from "../reasoning-item.ts";
import type { KindInit } from "./decode-media.ts";
import { decodeContent } from "./decode-part.ts";

const ROLES = {
  user: Role.USER,
  assistant: Role.ASSISTANT,
  system: Role.SYSTEM,
  developer: Role.DEVELOPER,
} as const;

const ROLE_WORDS = listWords(ROLES);

type ItemDecoder = (item: JsonObject, path: string) => Message;

const ITEMS: Readonly<Record<string, ItemDecoder>> = {
  message: decodeMessage,
  function_call: (item, path) => decodeCall(item, path, "function_call"),
  custom_tool_call: (item, path) => decodeCall(item, path, "custom_tool_call"),
  function_call_output: (item, path) => decodeOutput(item, path, "function_call_output"),
  custom_tool_call_output: (item, path) => decodeOutput(item, path, "custom_tool_call_output"),
  reasoning: decodeReasoning,
};

/** Decodes `input`: a text, which stands for one user message, or a list of items. Throws WireError. */
export function decodeInput(value: unknown): Message[] {
  if (typeof value === "string") {
    return [create(MessageSchema, { role: Role.USER, content: decodeContent(value, "input") })];
  }
  if (value !== undefined && value !== null && !Array.isArray(value)) {
    throw new WireError("input", "must be a string or an array of items");
  }
  const items = readArray(value, "input");
  if (items.length === 0) throw new WireError("input", "must hold at least one item");
  return items.map((item, index) => decodeItem(item, `input[${index}]`));
}

/** Decodes an item; one of a type that is not known becomes a message of one opaque block. Throws WireError. */
export function decodeItem(value: unknown, path: string): Message {
  const item = readObject(value, path);
  const type = optional(item.type, `${path}.type`, readString) ?? typeOfBareItem(item, path);
  const decode = Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined;
  return decode === undefined ? opaqueItem(item) : decode(item, path);
}

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

function itemMessage(
  item: JsonObject,
  path: string,
  message: MessageInitShape<typeof MessageSchema> & { modelled: ReadonlySet<string> },
): Message {
  const { modelled, ...init } = message;
  return create(MessageSchema, {
    ...init,
    id: optional(item.id, `${path}.id`, readString) ?? "",
    extension: responsesJson(extraMembers(item, modelled)),
  });
}

function decodeMessage(item: JsonObject, path: string): Message {
  if (isNewWord(item.role, ROLE_WORDS)) return opaqueItem(item);
  const role = ROLES[readChoice(item.role, `${path}.role`, ROLE_WORDS)];
  // Codex replays turns that said nothing with null.
  const content = item.content === null ? [] : decodeContent(item.content, `${path}.content`);
  return itemMessage(item, path, { role, content, modelled: MODELLED.message });
}

function decodeCall(item: JsonObject, path: string, type: "function_call" | "custom_tool_call"): Message {
  const custom = type === "custom_tool_call";
  const argument = custom ? "input" : "arguments";
  const kind: KindInit = {
    case: "toolUse",
    value: {
      id: readString(item.call_id, `${path}.call_id`),
      name: readString(item.name, `${path}.name`),
      arguments: readString(item[argument], `${path}.${argument}`),
      kind: custom ? ToolKind.CUSTOM : ToolKind.FUNCTION,
    },
  };
  return itemMessage(item, path, { role: Role.ASSISTANT, content: [{ kind }], modelled: MODELLED[type] });
}

function decodeOutput(
  item: JsonObject,
  path: string,
  type: "function_call_output" | "custom_tool_call_output",
): Message {
  const kind: KindInit = {
    case: "toolResult",
    value: {
      toolUseId: readCallId(item, path, type),
      content: decodeContent(item.output, `${path}.output`),
      kind: type === "custom_tool_call_output" ? ToolKind.CUSTOM : ToolKind.FUNCTION,
    },
  };
  return itemMessage(item, path, { role: Role.TOOL, content: [{ kind }], modelled: MODELLED[type] });
}

/** Something that the client ran of its own accord has a name in the place of a call. */
function readCallId(item: JsonObject, path: string, type: string): string {
  const isUncalled = type === "function_call_output" && (item.call_id ?? null) === null;
  return isUncalled && typeof item.name === "string" && item.name !== ""
    ? ""
    : readString(item.call_id, `${path}.call_id`);
}

function decodeReasoning(item: JsonObject, path: string): Message {
  const thinking = decodeReasoningItem(item, path);
  if (thinking === undefined) return opaqueItem(item);
  const kind: KindInit = { case: "thinking", value: thinking };
  return itemMessage(item, path, { role: Role.ASSISTANT, content: [{ kind }], modelled: MODELLED.reasoning });
}
