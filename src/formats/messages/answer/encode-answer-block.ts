import {
  type ContentBlock,
  Dialect,
  type RawJson,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject, mergeMembers, parseJsonObject } from "../../shared/json.ts";
import { withCitations } from "../citations.ts";

/**
 * Returns the JSON text of a block of an answer; undefined for a block that the format has no form for, such as an item
 * that only another format knows.
 */
export function encodeBlock(block: ContentBlock): string | undefined {
  const { kind } = block;
  switch (kind.case) {
    case "toolUse":
      return encodeToolUse(kind.value, block.extension, toolInputText(kind.value.arguments) ?? "{}");
    case "opaque":
      return kind.value.dialect === Dialect.MESSAGES ? kind.value.json : undefined;
    case "text":
    case "refusal":
    case "thinking":
    case "redactedThinking": {
      const json = encodeSimple(kind);
      return JSON.stringify(mergeMembers(json, withCitations(ownMembers(block.extension), block.annotations)));
    }
    default:
      return undefined;
  }
}

/** Returns the JSON text of a block at its start: without its text, which deltas bring. */
export function encodeBlockStart(block: ContentBlock): string | undefined {
  const { kind, extension } = block;
  switch (kind.case) {
    case "toolUse":
      return encodeToolUse(kind.value, extension, "{}");
    case "text":
    case "refusal":
      return JSON.stringify(mergeMembers({ type: "text", text: "" }, ownMembers(extension)));
    case "thinking":
      return JSON.stringify(mergeMembers({ type: "thinking", thinking: "", signature: "" }, ownMembers(extension)));
    default:
      return encodeBlock(block);
  }
}

/** Members of an extension, if it belongs to this format. */
export function ownMembers(extension: RawJson | undefined): JsonObject | undefined {
  return extension?.dialect === Dialect.MESSAGES ? parseJsonObject(extension.json) : undefined;
}

type SimpleKind = Extract<
  ContentBlock["kind"],
  { case: "text" } | { case: "refusal" } | { case: "thinking" } | { case: "redactedThinking" }
>;

function encodeSimple(kind: SimpleKind): JsonObject {
  switch (kind.case) {
    case "text":
    case "refusal":
      return { type: "text", text: kind.value.text };
    case "thinking": {
      const { summary, text, opaque } = kind.value;
      return {
        type: "thinking",
        thinking: summary.length > 0 ? summary.join("\n\n") : text,
        signature: opaque ?? "",
      };
    }
    case "redactedThinking":
      return { type: "redacted_thinking", data: kind.value.data };
  }
}

/** The input is put in as text, so that numbers and the order of keys stay as the model wrote them. */
function encodeToolUse({ id, name }: ToolUseBlock, extension: RawJson | undefined, input: string): string {
  const { caller = { type: "direct" }, ...rest } = ownMembers(extension) ?? {};
  const head = JSON.stringify({ type: "tool_use", id, name }).slice(0, -1);
  const tail = JSON.stringify(mergeMembers({ caller }, rest)).slice(1);
  return `${head},"input":${input},${tail}`;
}

/**
 * Returns the arguments of a tool call as they are if they are the text of a JSON object, so that key order, spelling
 * of numbers and repeated keys stay; undefined for anything else.
 */
export function toolInputText(argumentsText: string): string | undefined {
  try {
    return isJsonObject(JSON.parse(argumentsText)) ? argumentsText : undefined;
  } catch {
    return undefined;
  }
}
