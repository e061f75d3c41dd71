import { create, type DescMessage } from "@bufbuild/protobuf";
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
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { optional, readArray, readBoolean, readObject, readString, WireError } from "../../shared/read.ts";
import { messagesJson } from "../raw-json.ts";
import { decodeCacheControl, type PlacedCacheMark } from "./decode-cache-control.ts";
import { decodeDocument, decodeImage, isNewSource } from "./decode-source.ts";

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

/** Members that the hub models of a block of each kind. */
const known = (schema: DescMessage) => knownMembers("messages", [schema, ContentBlockSchema], { further: ["type"] });
const TEXT_KNOWN = known(TextBlockSchema);
const IMAGE_KNOWN = known(ImageBlockSchema);
const DOCUMENT_KNOWN = known(DocumentBlockSchema);
const THINKING_KNOWN = known(ThinkingBlockSchema);
const REDACTED_KNOWN = known(RedactedThinkingBlockSchema);
const TOOL_USE_KNOWN = known(ToolUseBlockSchema);
const TOOL_RESULT_KNOWN = known(ToolResultBlockSchema);
const SEARCH_RESULT_KNOWN: ReadonlySet<string> = new Set(["type", "title", "content", "cache_control"]);

interface DecodedKind {
  readonly kind: ContentBlock["kind"];
  /** Members that the hub does not know. */
  readonly rest?: JsonObject | undefined;
}

interface PlacedBlock {
  readonly path: string;
  readonly place: BlockPlace;
}

/** Decodes the blocks of one place and notes their cache marks. */
export class BlockDecoder {
  readonly #marks: PlacedCacheMark[];

  constructor(marks: PlacedCacheMark[]) {
    this.#marks = marks;
  }

  /** Decodes content that is a string or blocks. An empty string has no block. */
  decodeContent(content: unknown, path: string, place: BlockPlace): ContentBlock[] {
    if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
    if (!Array.isArray(content)) throw new WireError(path, "must be a string or an array of content blocks");
    return readArray(content, path).map((block, index) => this.decodeBlock(block, `${path}[${index}]`, place));
  }

  /** Decodes one block. A block of a type that the hub does not know is kept whole. */
  decodeBlock(value: unknown, path: string, place: BlockPlace): ContentBlock {
    const block = readObject(value, path);
    const type = readString(block["type"], `${path}.type`);
    checkPlace(type, path, place);
    const { kind, rest } = this.#decodeKind(type, block, { path, place });
    // After the content, for nested blocks stand before the end of their holder.
    const control = decodeCacheControl(block, path, this.#marks);
    const extension =
      kind.case === "opaque" || control?.rest === undefined ? rest : { ...rest, cache_control: control.rest };
    return create(ContentBlockSchema, { kind, cacheMark: control?.mark, extension: messagesJson(extension) });
  }

  #decodeKind(type: string, block: JsonObject, { path, place }: PlacedBlock): DecodedKind {
    switch (type) {
      case "text":
        return decodeText(block, { path, place });
      case "image":
        if (isNewSource(block)) return opaque(block);
        return withSource(decodeImage(block, path), extraMembers(block, IMAGE_KNOWN));
      case "document": {
        if (isNewSource(block)) return opaque(block);
        const decoded = decodeDocument(block, path, (blocks, at) => this.decodeContent(blocks, at, "document"));
        return withSource(decoded, extraMembers(block, DOCUMENT_KNOWN));
      }
      case "search_result":
        return this.#decodeSearchResult(block, path);
      case "thinking":
        return decodeThinking(block, path);
      case "redacted_thinking":
        return decodeRedactedThinking(block, path);
      case "tool_use":
        return decodeToolUse(block, path);
      case "tool_result":
        return this.#decodeToolResult(block, path);
      default:
        return opaque(block);
    }
  }

  /** A result of the caller's own search is a document of texts, whose `source` is a text. */
  #decodeSearchResult(block: JsonObject, path: string): DecodedKind {
    const { source, title, content } = block;
    if (typeof source !== "string" || typeof title !== "string" || !Array.isArray(content)) return opaque(block);
    const blocks = this.decodeContent(content, `${path}.content`, "document");
    const value = create(DocumentBlockSchema, { title, source: { case: "content", value: { blocks } } });
    return { kind: { case: "document", value }, rest: extraMembers(block, SEARCH_RESULT_KNOWN) };
  }

  #decodeToolResult(block: JsonObject, path: string): DecodedKind {
    const content = block["content"] ?? undefined;
    const value = create(ToolResultBlockSchema, {
      toolUseId: readString(block["tool_use_id"], `${path}.tool_use_id`),
      content: content === undefined ? [] : this.decodeContent(content, `${path}.content`, "tool_result"),
      isError: optional(block["is_error"], `${path}.is_error`, readBoolean) ?? false,
      kind: ToolKind.FUNCTION,
    });
    return { kind: { case: "toolResult", value }, rest: extraMembers(block, TOOL_RESULT_KNOWN) };
  }
}

function opaque(block: JsonObject): DecodedKind {
  return { kind: { case: "opaque", value: messagesJson(block) } };
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
  const problem = places.length === 1 ? `belong in ${home}` : `may not stand in ${place} content`;
  throw new WireError(path, `blocks of type '${type}' ${problem}`);
}

function withSource(
  { kind, rest: source }: { kind: ContentBlock["kind"]; rest: JsonObject | undefined },
  rest: JsonObject | undefined,
): DecodedKind {
  return { kind, rest: source === undefined ? rest : { ...rest, source } };
}

/** Models say "" before a call, which comes back in histories; of a user it is a mistake. */
function decodeText(block: JsonObject, { path, place }: PlacedBlock): DecodedKind {
  const text = readString(block["text"], `${path}.text`);
  if (text === "") {
    const marked = block["cache_control"] !== undefined && block["cache_control"] !== null;
    if (marked)
      throw new WireError(`${path}.cache_control`, "an empty text block cannot carry a cache mark; remove it");
    if (place !== "assistant") throw new WireError(`${path}.text`, "must not be empty; leave the block out");
  }
  return {
    kind: { case: "text", value: create(TextBlockSchema, { text }) },
    rest: extraMembers(block, TEXT_KNOWN),
  };
}

function decodeThinking(block: JsonObject, path: string): DecodedKind {
  checkUnmarked(block, path);
  const thinking = readString(block["thinking"], `${path}.thinking`);
  const signature = readString(block["signature"], `${path}.signature`);
  const value = create(ThinkingBlockSchema, {
    summary: thinking === "" ? [] : [thinking],
    // Attune answers with an empty signature where the upstream gave none.
    opaque: signature === "" ? undefined : signature,
  });
  return { kind: { case: "thinking", value }, rest: extraMembers(block, THINKING_KNOWN) };
}

function decodeRedactedThinking(block: JsonObject, path: string): DecodedKind {
  checkUnmarked(block, path);
  const value = create(RedactedThinkingBlockSchema, { data: readString(block["data"], `${path}.data`) });
  return { kind: { case: "redactedThinking", value }, rest: extraMembers(block, REDACTED_KNOWN) };
}

function checkUnmarked(block: JsonObject, path: string): void {
  if (block["cache_control"] === undefined || block["cache_control"] === null) return;
  throw new WireError(
    `${path}.cache_control`,
    "thinking blocks cannot carry a cache mark; move it to the block before or after",
  );
}

function decodeToolUse(block: JsonObject, path: string): DecodedKind {
  const id = readString(block["id"], `${path}.id`);
  const name = readString(block["name"], `${path}.name`);
  if (id === "") throw new WireError(`${path}.id`, "must not be empty");
  if (name === "") throw new WireError(`${path}.name`, "must not be empty");
  const value = create(ToolUseBlockSchema, {
    id,
    name,
    arguments: JSON.stringify(readObject(block["input"], `${path}.input`)),
    kind: ToolKind.FUNCTION,
  });
  const rest = extraMembers(block, TOOL_USE_KNOWN);
  if (rest !== undefined && isDirectCaller(rest["caller"])) delete rest["caller"];
  return { kind: { case: "toolUse", value }, rest: rest && Object.keys(rest).length > 0 ? rest : undefined };
}

/** A call by the model itself, which is what a call without `caller` is. */
function isDirectCaller(caller: unknown): boolean {
  return isJsonObject(caller) && caller["type"] === "direct" && Object.keys(caller).length === 1;
}
