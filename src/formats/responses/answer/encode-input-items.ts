import {
  type ContentBlock,
  Dialect,
  type Message,
  Role,
  type ThinkingBlock,
  ToolKind,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { readSearchPart } from "../../../hub/web-search/read-search.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { reasoningMembers } from "../reasoning-item.ts";
import { encodeInputPart } from "./encode-input-part.ts";
import { encodeItems } from "./encode-item.ts";
import { OutputList } from "./output-list.ts";

const ROLE_NAMES: Record<Role, string> = {
  [Role.UNSPECIFIED]: "user",
  [Role.SYSTEM]: "system",
  [Role.DEVELOPER]: "developer",
  [Role.USER]: "user",
  [Role.ASSISTANT]: "assistant",
  [Role.TOOL]: "user",
};

/**
 * Encodes what was asked as items, each with an id: its own, or one made of the inference's id and the position, which
 * is the same every time.
 */
export function encodeInputItems(messages: readonly Message[], inferenceId: string): JsonObject[] {
  const suffix = inferenceId.replaceAll("-", "");
  return messages.flatMap(encodeMessage).map(({ id, type, ...members }, index) => {
    const own = typeof id === "string" && id !== "" ? id : `${findPrefix(type)}_${suffix}_i${index}`;
    return { id: own, type, ...members };
  });
}

/** Returns the prefix of the ids of items of a type. */
export function findPrefix(type: unknown): string {
  switch (type) {
    case "message":
      return "msg";
    case "function_call":
      return "fc";
    case "custom_tool_call":
      return "ctc";
    case "function_call_output":
      return "fco";
    case "custom_tool_call_output":
      return "ctco";
    case "reasoning":
      return "rs";
    case "web_search_call":
      return "ws";
    default:
      return "item";
  }
}

/** A message of the Responses format is one item; one of an RPC caller may be several. */
function encodeMessage(message: Message): JsonObject[] {
  if (isForeignSearch(message)) return encodeForeignSearch(message);
  const items: JsonObject[] = [];
  let parts: JsonObject[] | undefined;
  for (const block of message.content) {
    const item = encodeItem(block, message.role);
    if (item !== undefined) {
      parts = undefined;
      items.push({ ...item, ...readResponsesJson(block.extension) });
      continue;
    }
    if (parts === undefined) {
      parts = [];
      items.push(messageItem(message.role, parts));
    }
    parts.push(...encodeInputPart(block, message.role));
  }
  if (message.content.length === 0 && message.role !== Role.UNSPECIFIED) items.push(messageItem(message.role, []));
  const extension = readResponsesJson(message.extension);
  return items.map((item, index) => ({ ...(index === 0 ? { id: message.id } : {}), ...item, ...extension }));
}

/** Tells whether a message is a web search that a provider of another format ran, as an answer is kept. */
function isForeignSearch({ content }: Message): boolean {
  const isPart = ({ kind }: ContentBlock): boolean =>
    kind.case === "opaque" && kind.value.dialect === Dialect.MESSAGES && readSearchPart(kind.value) !== undefined;
  return content.length > 0 && content.every(isPart);
}

function encodeForeignSearch({ content }: Message): JsonObject[] {
  const list = new OutputList("", { sources: true });
  for (const block of content) list.add(block);
  return encodeItems(list.items, "completed").map((item) => ({ ...item, id: "" }));
}

function messageItem(role: Role, content: JsonObject[]): JsonObject {
  return { type: "message", role: ROLE_NAMES[role] ?? "user", status: "completed", content };
}

/** Encodes a block that is an item by itself; undefined for a part of a message. */
function encodeItem({ kind }: ContentBlock, role: Role): JsonObject | undefined {
  switch (kind.case) {
    case "toolUse":
      return encodeCall(kind.value);
    case "toolResult":
      return encodeOutput(kind.value);
    case "thinking":
      return encodeReasoning(kind.value);
    case "redactedThinking":
      return { type: "reasoning", summary: [], encrypted_content: kind.value.data };
    case "opaque":
      return role === Role.UNSPECIFIED ? readResponsesJson(kind.value) : undefined;
    default:
      return undefined;
  }
}

function encodeCall({ id, name, arguments: input, kind }: ToolUseBlock): JsonObject {
  return kind === ToolKind.CUSTOM
    ? { type: "custom_tool_call", call_id: id, name, input, status: "completed" }
    : { type: "function_call", call_id: id, name, arguments: input, status: "completed" };
}

function encodeOutput({ toolUseId, content, kind }: ToolResultBlock): JsonObject {
  const type = kind === ToolKind.CUSTOM ? "custom_tool_call_output" : "function_call_output";
  const output = loneText(content) ?? content.flatMap((block) => encodeInputPart(block, Role.TOOL));
  return { type, ...(toolUseId !== "" && { call_id: toolUseId }), output, status: "completed" };
}

/** Returns the text of content that is nothing but one plain text. */
function loneText(content: readonly ContentBlock[]): string | undefined {
  const [only, ...others] = content;
  if (only?.kind.case !== "text" || others.length > 0) return undefined;
  return only.cacheMark === undefined && only.extension === undefined ? only.kind.value.text : undefined;
}

function encodeReasoning(thinking: ThinkingBlock): JsonObject {
  return { type: "reasoning", ...reasoningMembers(thinking) };
}
