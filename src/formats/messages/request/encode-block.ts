import {
  type ContentBlock,
  Dialect,
  type DocumentBlock,
  type RawJson,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { isOwnSearch } from "../../../hub/web-search/search-id.ts";
import { hashedCallId } from "../../shared/hashed-call-id.ts";
import { type JsonObject, mergeMembers, parseJsonObject } from "../../shared/json.ts";
import { jsonMember } from "../../shared/json-member.ts";
import { encodeCacheControl } from "../cache-control.ts";
import { encodeCitation, withCitations } from "../citations.ts";
import { isSearchResult } from "../search-result.ts";
import { TOOL_NAME, TOOL_NAME_RULE } from "../tool-names.ts";
import { isBlankText } from "./blank-text.ts";
import type { EncodeContext } from "./encode-context.ts";
import { encodeDocumentSource, encodeImageSource } from "./encode-source.ts";

/** Kinds that cannot carry a cache mark. */
const UNMARKED: ReadonlySet<ContentBlock["kind"]["case"]> = new Set(["thinking", "redactedThinking", "opaque"]);

/**
 * Encodes a block that stands at `place`; returns undefined for a block that the format cannot carry, which is then a
 * loss, and for a blank text. Throws INVALID_REQUEST for what must be refused by name.
 */
export function encodeBlock(block: ContentBlock, place: string, context: EncodeContext): JsonObject | undefined {
  const isLeftOut = !context.native && isBlankText(block);
  const json = isLeftOut ? undefined : encodeKind(block, place, context);
  const { cacheMark, extension, annotations } = block;
  if (annotations?.annotations.some((each) => isLeftOut || encodeCitation(each) === undefined))
    context.losses.at(`${place}.annotations`);
  if (json === undefined || UNMARKED.has(block.kind.case)) {
    if (cacheMark !== undefined && block.kind.case !== "opaque") context.losses.at(`${place}.cache_mark`);
    return json === undefined ? undefined : mergeMembers(json, context.losses.own(extension));
  }
  if (cacheMark !== undefined) {
    if (context.native) json["cache_control"] = encodeCacheControl(cacheMark);
    else context.marks.add({ block: json, mark: cacheMark, place: `${place}.cache_mark` });
  }
  return mergeMembers(json, withCitations(context.losses.own(extension), annotations));
}

function encodeKind(block: ContentBlock, place: string, context: EncodeContext): JsonObject | undefined {
  const { kind, extension } = block;
  switch (kind.case) {
    case "text":
    case "refusal":
      return { type: "text", text: kind.value.text };
    case "image":
      return { type: "image", source: encodeImageSource(kind.value, place, context) };
    case "audio":
      throw InferenceError.invalid(place, "this model doesn't accept audio; send a transcript as text");
    case "document":
      return isSearchResult(extension)
        ? encodeSearchResult(kind.value, place, context)
        : encodeDocument(kind.value, place, context);
    case "toolUse":
      return encodeToolUse(kind.value, extension, { place, context });
    case "toolResult":
      return encodeToolResult(kind.value, place, context);
    case "thinking":
      return encodeThinking(kind.value, place, { context, isUnsigned: context.unsigned.has(block) });
    case "redactedThinking":
      if (kind.value.data === "") return lose(place, context);
      return { type: "redacted_thinking", data: kind.value.data };
    case "opaque":
      // Its provider would miss what it found.
      if (isOwnSearch(kind.value)) return lose(place, context);
      return kind.value.dialect === Dialect.MESSAGES ? parseJsonObject(kind.value.json) : undefined;
    case undefined:
      return undefined;
  }
}

function lose(place: string, { losses }: EncodeContext): undefined {
  losses.at(place);
  return undefined;
}

function encodeDocument(document: DocumentBlock, place: string, context: EncodeContext): JsonObject {
  const { source, title, context: about } = document;
  const blocks = source.case === "content" ? source.value.blocks : [];
  const content = () => encodeNested(blocks, (index) => `${place}.content.blocks[${index}]`, context);
  const json: JsonObject = { type: "document", source: encodeDocumentSource(document, place, { context, content }) };
  if (title !== undefined) json["title"] = title;
  if (about !== undefined) json["context"] = about;
  return json;
}

function encodeSearchResult({ source, title = "" }: DocumentBlock, place: string, context: EncodeContext): JsonObject {
  const blocks = source.case === "content" ? source.value.blocks : [];
  const content = blocks.map((block, index) => encodeBlock(block, `${place}.content.blocks[${index}]`, context));
  return { type: "search_result", title, content: content.filter((json) => json !== undefined) };
}

/** Text that is not a JSON object cannot be an input; it is left out and named, for the format demands an object. */
function encodeToolUse(
  call: ToolUseBlock,
  extension: RawJson | undefined,
  { place, context: { native, losses } }: { readonly place: string; readonly context: EncodeContext },
): JsonObject {
  if (!TOOL_NAME.test(call.name)) throw InferenceError.invalid(`${place}.name`, TOOL_NAME_RULE);
  // Of another format, it is what a model wrote.
  const input = native
    ? jsonMember(call.arguments, { dialect: Dialect.MESSAGES, extension }, parseJsonObject)
    : parseJsonObject(call.arguments);
  if (input === undefined && call.arguments.trim() !== "") losses.at(`${place}.arguments`);
  return { type: "tool_use", id: toolUseIdToMessages(call.id), name: call.name, input: input ?? {} };
}

function encodeToolResult(result: ToolResultBlock, place: string, context: EncodeContext): JsonObject {
  const json: JsonObject = { type: "tool_result", tool_use_id: toolUseIdToMessages(result.toolUseId) };
  const content = encodeNested(result.content, (index) => `${place}.content[${index}]`, context);
  if (content.length > 0) json["content"] = content;
  if (result.isError) json["is_error"] = true;
  return json;
}

function encodeNested(
  blocks: readonly ContentBlock[],
  placeOf: (index: number) => string,
  context: EncodeContext,
): string | JsonObject[] {
  const encoded = blocks.map((block, index) => encodeBlock(block, placeOf(index), context));
  const content = encoded.filter((json) => json !== undefined);
  // A mark may still come to a block whose request is in another format.
  return blocks.some(({ cacheMark }) => cacheMark !== undefined) ? content : plainContent(content);
}

/** Thinking is only worth sending with the signature of its maker, and is refused without. */
function encodeThinking(
  { summary, text, opaque: signed }: ThinkingBlock,
  place: string,
  { context, isUnsigned }: { readonly context: EncodeContext; readonly isUnsigned: boolean },
): JsonObject | undefined {
  const signature = isUnsigned ? "" : signed;
  if (!isUnsigned && !signature) return lose(place, context);
  // The format has one text, and it is the summary that its signature is of.
  if (summary.length > 0 && text !== "") context.losses.at(`${place}.text`);
  return { type: "thinking", thinking: summary.length > 0 ? summary.join("\n\n") : text, signature };
}

/** Identifiers that Anthropic takes. */
const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_LENGTH = 64;

/** Maps the identifier of a tool call to one that Anthropic takes. A valid one stays. */
export function toolUseIdToMessages(id: string): string {
  return VALID.test(id) ? id : hashedCallId(id, MAX_LENGTH, id.replace(/[^a-zA-Z0-9_-]/g, "_"));
}

/** Returns blocks as content: a lone block of plain text as a string, which means the same. */
export function plainContent(blocks: JsonObject[]): string | JsonObject[] {
  const [only] = blocks;
  if (only === undefined || blocks.length > 1 || Object.keys(only).length !== 2) return blocks;
  return only["type"] === "text" && typeof only["text"] === "string" ? only["text"] : blocks;
}
