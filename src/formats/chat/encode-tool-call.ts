import { type ContentBlock, ToolKind, type ToolUseBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject, mergeMembers } from "../shared/json.ts";
import { blockMembers } from "./block-members.ts";
import type { ChatToolCall } from "./types.ts";

/** Encodes a call of a tool. */
export function encodeToolCall({ id, name, arguments: text, kind }: ToolUseBlock): ChatToolCall {
  return kind === ToolKind.CUSTOM
    ? { id, type: "custom", custom: { name, input: text } }
    : { id, type: "function", function: { name, arguments: text } };
}

/** Tells whether a block is a call that `function_call` has room for, the form before `tool_calls`. */
export function isFunctionCall({ kind }: ContentBlock): boolean {
  return kind.case === "toolUse" && kind.value.kind !== ToolKind.CUSTOM;
}

/** Encodes such a call as `function_call`, which has no id. */
export function encodeFunctionCall({ kind, extension }: ContentBlock): JsonObject {
  const call = kind.case === "toolUse" ? { name: kind.value.name, arguments: kind.value.arguments } : {};
  return mergeMembers({ ...call }, functionMembers(blockMembers(extension)));
}

/** Returns what is added to a call, all in its one object. */
export function functionMembers({ function: inner, ...members }: JsonObject): JsonObject {
  return isJsonObject(inner) ? mergeMembers(members, inner) : members;
}
