import { ToolKind, type ToolUseBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import type { ChatToolCall } from "./types.ts";

/** Encodes a call of a tool. */
export function encodeToolCall({ id, name, arguments: text, kind }: ToolUseBlock): ChatToolCall {
  return kind === ToolKind.CUSTOM
    ? { id, type: "custom", custom: { name, input: text } }
    : { id, type: "function", function: { name, arguments: text } };
}
