import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  DocumentBlockSchema,
  ImageBlockSchema,
  RedactedThinkingBlockSchema,
  TextBlockSchema,
  ThinkingBlockSchema,
  ToolKind,
  ToolResultBlockSchema,
  ToolUseBlockSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import {
  flagMember,
  formMember,
  formsMember,
  jsonMember,
  type Member,
  named,
  nameMember,
  required,
  type Source,
  textMember,
} from "../../shared/member.ts";
import { optional, readArray, readObject, readString, WireError } from "../../shared/read.ts";
import { list, oneOf, ref, text } from "../../shared/schema.ts";
import { messagesJson } from "../raw-json.ts";
import { CACHE_CONTROL, type DecodedCacheControl, type Marking } from "./decode-cache-control.ts";
import { documentSourceMember, IMAGE_SOURCE } from "./decode-source.ts";

/** The position of a block. */
type BlockPlace = "user" | "assistant" | "system" | "tool_result" | "document";

/** Places in which a kind of block may stand. Kinds that are not named here may stand anywhere. */
const PLACES: Readonly<Record<string, readonly BlockPlace[]>> = {
  image: ["user", "assistant", "tool_result", "document"],
  document: ["user", "assistant", "tool_result"],
  thinking: ["assistant"],
  redacted_thinking: ["assistant"],
  tool_use: ["assistant"],
  tool_result: ["user"],
};

/** Kinds of blocks that the hub knows. */
const KINDS: ReadonlySet<string> = new Set(["text", ...Object.keys(PLACES)]);

const SEARCH_RESULT_KNOWN: ReadonlySet<string> = new Set(["type", "title", "content", "cache_control"]);

/** The place of blocks, and the marks before them. */
interface BlockContext extends Marking {
  readonly place: BlockPlace;
}

/** Describes content of a place: a text or blocks. An empty text has no block. */
export function contentMember(place: BlockPlace): Member<ContentBlock[], Marking> {
  return named("MessageContent", {
    read: (content: unknown, path: string, { marks }: Marking) => {
      if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
      if (!Array.isArray(content)) throw new WireError(path, "must be a string or an array of content blocks");
      const context = { marks, place };
      return readArray(content, path).map((block, index) => BLOCK.read(block, `${path}[${index}]`, context));
    },
    schema: oneOf([text("Text"), list(ref("MessageContentBlock"), "Blocks")], "Text, or blocks"),
  });
}

const DOCUMENT_CONTENT = contentMember("document");
export const DOCUMENT_SOURCE = documentSourceMember(DOCUMENT_CONTENT);

// It is read after the content, for nested blocks stand before the end of their holder.
const MARK = { cache_control: CACHE_CONTROL };

function toBlock(
  kind: ContentBlock["kind"],
  control: DecodedCacheControl | undefined,
  rest: JsonObject | undefined,
): ContentBlock {
  const extension =
    kind.case === "opaque" || control?.rest === undefined ? rest : { ...rest, cache_control: control.rest };
  return create(ContentBlockSchema, { kind, cacheMark: control?.mark, extension: messagesJson(extension) });
}

function opaqueBlock(block: JsonObject, control: DecodedCacheControl | undefined): ContentBlock {
  return toBlock({ case: "opaque", value: messagesJson(block) }, control, undefined);
}

/** Makes a block of plain text. */
function textBlock(text: string): ContentBlock {
  return create(ContentBlockSchema, { kind: { case: "text", value: create(TextBlockSchema, { text }) } });
}

function checkPlace(type: string, path: string, place: BlockPlace): void {
  if (place === "system" && KINDS.has(type) && type !== "text") {
    throw new WireError(`${path}.type`, `system content is text only: use a block of type 'text', not '${type}'`);
  }
  const places = Object.hasOwn(PLACES, type) ? PLACES[type] : undefined;
  if (places === undefined || places.includes(place)) return;
  const home = type === "tool_result" ? "messages of role 'user'" : "messages of role 'assistant'";
  const problem = places.length === 1 ? `belong in ${home}` : `aren't allowed in ${place} content`;
  throw new WireError(path, `blocks of type '${type}' ${problem}`);
}

function checkUnmarked(block: JsonObject, path: string): void {
  if (block["cache_control"] === undefined || block["cache_control"] === null) return;
  throw new WireError(
    `${path}.cache_control`,
    "thinking blocks cannot carry a cache mark; move it to the block before or after",
  );
}

const FORMS = {
  text: formMember(
    "MessageTextBlock",
    ["text", { text: required(textMember("The text", { minLength: 1 })), ...MARK }, "Text"],
    ({ text, cache_control: control }, { path, rest, context: { place } }: Source<BlockContext>) => {
      // Models say "" before a call, which comes back in histories; of a user it is a mistake.
      if (text === "") {
        if (control !== undefined)
          throw new WireError(`${path}.cache_control`, "an empty text block cannot carry a cache mark; remove it");
        if (place !== "assistant") throw new WireError(`${path}.text`, "must not be empty; leave the block out");
      }
      return toBlock({ case: "text", value: create(TextBlockSchema, { text }) }, control, rest);
    },
  ),
  image: formMember(
    "MessageImageBlock",
    ["image", { source: required(IMAGE_SOURCE), ...MARK }, "An image"],
    ({ source: found, cache_control: control }, { object, rest }: Source<BlockContext>) => {
      if (found === undefined) return opaqueBlock(object, control);
      const value = create(ImageBlockSchema, { source: found.source });
      return toBlock({ case: "image", value }, control, found.rest ? { ...rest, source: found.rest } : rest);
    },
  ),
  document: formMember(
    "MessageDocumentBlock",
    [
      "document",
      { source: required(DOCUMENT_SOURCE), title: textMember("Title"), context: textMember("Context"), ...MARK },
      "A document",
    ],
    ({ source: found, title, context, cache_control: control }, { object, rest }: Source<BlockContext>) => {
      if (found === undefined) return opaqueBlock(object, control);
      const value = create(DocumentBlockSchema, { source: found.source, title, context });
      return toBlock({ case: "document", value }, control, found.rest ? { ...rest, source: found.rest } : rest);
    },
  ),
  thinking: formMember(
    "MessageThinkingBlock",
    [
      "thinking",
      { thinking: required(textMember("Reasoning")), signature: required(textMember("Signature of its author")) },
      "Reasoning, as in the answer",
    ],
    ({ thinking, signature }, { object, path, rest }: Source<BlockContext>) => {
      checkUnmarked(object, path);
      const value = create(ThinkingBlockSchema, {
        summary: thinking === "" ? [] : [thinking],
        // Attune answers with an empty signature where the upstream gave none.
        opaque: signature === "" ? undefined : signature,
      });
      return toBlock({ case: "thinking", value }, undefined, rest);
    },
  ),
  redacted_thinking: formMember(
    "MessageRedactedThinkingBlock",
    [
      "redacted_thinking",
      { data: required(textMember("Sealed reasoning")) },
      "Reasoning that only its author can read",
    ],
    ({ data }, { object, path, rest }: Source<BlockContext>) => {
      checkUnmarked(object, path);
      const value = create(RedactedThinkingBlockSchema, { data });
      return toBlock({ case: "redactedThinking", value }, undefined, rest);
    },
  ),
  tool_use: formMember(
    "MessageToolUseBlock",
    [
      "tool_use",
      {
        id: required(nameMember("Id of the call")),
        name: required(nameMember("Name of the tool")),
        input: required(jsonMember("Arguments")),
        ...MARK,
      },
      "A call",
    ],
    ({ id, name, input, cache_control: control }, { rest }: Source<BlockContext>) => {
      const value = create(ToolUseBlockSchema, { id, name, arguments: JSON.stringify(input), kind: ToolKind.FUNCTION });
      if (rest !== undefined && isDirectCaller(rest["caller"])) delete rest["caller"];
      const extra = rest && Object.keys(rest).length > 0 ? rest : undefined;
      return toBlock({ case: "toolUse", value }, control, extra);
    },
  ),
  tool_result: formMember(
    "MessageToolResultBlock",
    [
      "tool_result",
      {
        tool_use_id: required(textMember("Id of the call")),
        content: contentMember("tool_result"),
        is_error: flagMember("Whether the call failed"),
        ...MARK,
      },
      "Result of a call",
    ],
    (values, { rest }: Source<BlockContext>) => {
      const { tool_use_id: toolUseId, content = [], is_error: isError = false, cache_control: control } = values;
      const value = create(ToolResultBlockSchema, { toolUseId, content, isError, kind: ToolKind.FUNCTION });
      return toBlock({ case: "toolResult", value }, control, rest);
    },
  ),
};

const FORM = formsMember<ContentBlock, BlockContext>("MessageContentBlock", FORMS, "A block of a message", decodeNewer);

/** A block. One of a type that the hub does not know is kept whole. */
export const BLOCK: Member<ContentBlock, BlockContext> = {
  ...FORM,
  read: (value, path, context) => {
    const block = readObject(value, path);
    checkPlace(readString(block["type"], `${path}.type`), path, context.place);
    return FORM.read(block, path, context);
  },
};

/** A result of the caller's own search is a document of texts, whose `source` is a text. */
function decodeNewer(
  block: JsonObject,
  { path, context }: { readonly path: string; readonly context: BlockContext },
): ContentBlock {
  const { type, source, title, content } = block;
  const isResult =
    type === "search_result" && typeof source === "string" && typeof title === "string" && Array.isArray(content);
  const blocks = isResult ? DOCUMENT_CONTENT.read(content, `${path}.content`, context) : [];
  const control = optional(block["cache_control"], `${path}.cache_control`, CACHE_CONTROL.read, context);
  if (!isResult) return opaqueBlock(block, control);
  const value = create(DocumentBlockSchema, { title, source: { case: "content", value: { blocks } } });
  return toBlock({ case: "document", value }, control, extraMembers(block, SEARCH_RESULT_KNOWN));
}

/** A call by the model itself, which is what a call without `caller` is. */
function isDirectCaller(caller: unknown): boolean {
  return isJsonObject(caller) && caller["type"] === "direct" && Object.keys(caller).length === 1;
}
