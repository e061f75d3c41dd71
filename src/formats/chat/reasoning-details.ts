import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type ThinkingBlock,
  ThinkingBlockSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, type JsonObject } from "../shared/json.ts";
import { optional, readArray, readObject, readString } from "../shared/read.ts";
import { blockMembers } from "./block-members.ts";
import { chatJson, readChatJson } from "./raw-json.ts";

const SUMMARY = "reasoning.summary";
const TEXT = "reasoning.text";
const ENCRYPTED = "reasoning.encrypted";

const MODELLED_SUMMARY = new Set(["type", "summary", "id"]);
const MODELLED_TEXT = new Set(["type", "text", "signature", "id"]);
const MODELLED_ENCRYPTED = new Set(["type", "data"]);

/** Tells whether a block is written among `reasoning_details`. */
export function isReasoning({ kind }: ContentBlock): boolean {
  if (kind.case === "thinking" || kind.case === "redactedThinking") return true;
  const type = kind.case === "opaque" ? readChatJson(kind.value)?.type : undefined;
  return typeof type === "string" && type.startsWith("reasoning.");
}

/**
 * Returns a call of a type that the hub does not know, of an answer: what else only this format knows there is
 * reasoning.
 */
export function opaqueCall(block: ContentBlock): JsonObject | undefined {
  return block.kind.case !== "opaque" || isReasoning(block) ? undefined : readChatJson(block.kind.value);
}

/**
 * Tells whether a block holds what only `reasoning_details` can carry: the format's other members are for text alone.
 */
export function needsDetails(block: ContentBlock): boolean {
  const { kind } = block;
  return kind.case === "thinking" ? kind.value.opaque !== undefined : isReasoning(block);
}

/**
 * Returns the text of a block as `reasoning_content` shows it: raw, else the parts of the summary, a blank line apart.
 */
function reasoningText({ text, summary }: ThinkingBlock): string {
  return text === "" ? summary.filter((part) => part !== "").join("\n\n") : text;
}

/** Returns the `reasoning_content` of a message; undefined if nothing of it can be read. */
export function joinReasoning(blocks: readonly ContentBlock[]): string | undefined {
  const texts = blocks.map(({ kind }) => (kind.case === "thinking" ? reasoningText(kind.value) : ""));
  const filled = texts.filter((text) => text !== "");
  return filled.length === 0 ? undefined : filled.join("\n\n");
}

/**
 * Encodes a block as entries of `reasoning_details`: a summary entry for each part, then a text entry, which closes the
 * block and carries its signature. Inverse of decodeReasoningDetails.
 */
export function encodeReasoningDetails({ kind, extension }: ContentBlock): JsonObject[] {
  const extra = blockMembers(extension);
  if (kind.case === "redactedThinking") return [{ type: ENCRYPTED, data: kind.value.data, ...extra }];
  if (kind.case === "opaque") return [readChatJson(kind.value) ?? {}];
  if (kind.case !== "thinking") return [];
  const { text, summary, opaque, id } = kind.value;
  const named = id === "" ? {} : { id };
  const parts = summary.map((part) => ({ type: SUMMARY, summary: part, ...named, ...extra }));
  const signed = opaque === undefined ? {} : { signature: opaque };
  return [...parts, { type: TEXT, text, ...signed, ...named, ...extra }];
}

/** Decodes `reasoning_details` of a message in the history. An entry of an unknown type becomes an opaque block. */
export function decodeReasoningDetails(value: unknown, path: string): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let open: ThinkingBlock | undefined;
  for (const [index, item] of readArray(value, path).entries()) {
    const entryPath = `${path}[${index}]`;
    const entry = readObject(item, entryPath);
    const type = readString(entry.type, `${entryPath}.type`);
    const id = type === SUMMARY || type === TEXT ? (optional(entry.id, `${entryPath}.id`, readString) ?? "") : "";
    if (type !== SUMMARY && type !== TEXT) {
      blocks.push(decodeSealed(entry, entryPath));
      open = undefined;
      continue;
    }
    if (open === undefined || (id !== "" && open.id !== "" && id !== open.id)) {
      open = create(ThinkingBlockSchema, { id });
      blocks.push(
        create(ContentBlockSchema, { kind: { case: "thinking", value: open }, extension: textExtension(entry) }),
      );
    }
    if (type === SUMMARY) open.summary.push(readString(entry.summary, `${entryPath}.summary`));
    else {
      open.text = optional(entry.text, `${entryPath}.text`, readString) ?? "";
      open.opaque = optional(entry.signature, `${entryPath}.signature`, readString) || undefined;
      open = undefined;
    }
  }
  return blocks;
}

function textExtension(entry: JsonObject) {
  return chatJson(extraMembers(entry, entry.type === SUMMARY ? MODELLED_SUMMARY : MODELLED_TEXT));
}

function decodeSealed(entry: JsonObject, path: string): ContentBlock {
  if (entry.type !== ENCRYPTED) {
    return create(ContentBlockSchema, { kind: { case: "opaque", value: chatJson(entry) } });
  }
  const data = readString(entry.data, `${path}.data`);
  return create(ContentBlockSchema, {
    kind: { case: "redactedThinking", value: { data } },
    extension: chatJson(extraMembers(entry, MODELLED_ENCRYPTED)),
  });
}
