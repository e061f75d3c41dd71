import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema, ToolKind } from "../../../../gen/attune/content/v1/content_pb.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import { optional, readArray, readChoice, readName, readObject, readString } from "../../shared/read.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";
import { nestedExtra } from "./decode-part.ts";

/** Types of calls that the hub knows. */
export const CALL_TYPES = ["function", "custom"] as const;

/** Decodes `tool_calls` of an assistant's message. Throws WireError. */
export function decodeToolCalls(value: unknown, path: string): ContentBlock[] {
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
