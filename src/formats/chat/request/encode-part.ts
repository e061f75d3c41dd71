import { Dialect, type DocumentBlock, type ImageBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { toBase64 } from "../../../hub/to-base64.ts";
import { dataUrl } from "../../shared/data-url.ts";
import { foreignFile } from "../../shared/foreign-file.ts";
import { inlineFile, inlineUrl } from "../../shared/inline-data.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { readChatJson } from "../raw-json.ts";
import type { PlacedBlock, Translation } from "./translation.ts";

/**
 * Encodes blocks as `content`: a lone plain text as a string, all else as a list of parts. What has no part is a loss.
 */
export function encodeContent(blocks: readonly PlacedBlock[], translation: Translation): string | JsonObject[] {
  return joinParts(blocks.flatMap((placed) => encodePart(placed, translation)));
}

/** Returns the text of a lone plain text part; otherwise the parts. */
export function joinParts(parts: JsonObject[]): string | JsonObject[] {
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.type === "text" && Object.keys(first).length === 2;
  return isPlain && typeof first.text === "string" ? first.text : parts;
}

/**
 * Encodes a block as the parts that say the same; none, and a loss, if there is no such part. Throws INVALID_REQUEST
 * for images and documents that cannot be sent: without them the question would be another one.
 */
export function encodePart(placed: PlacedBlock, translation: Translation): JsonObject[] {
  const { block, path } = placed;
  const parts = encodeKind(placed, translation);
  const last = parts.at(-1);
  const members = translation.losses.own(block.extension);
  if (last === undefined || !canBeMarked(placed, translation)) translation.breakpoints.lose(block.cacheMark, path);
  else translation.breakpoints.put(block.cacheMark, path, last);
  if (last !== undefined) mergeMembers(last, members);
  return parts;
}

function encodeKind({ block, path }: PlacedBlock, translation: Translation): JsonObject[] {
  const { kind } = block;
  switch (kind.case) {
    case "text":
      return [{ type: "text", text: kind.value.text }];
    case "refusal":
      return [{ type: "refusal", refusal: kind.value.text }];
    case "image":
      return encodeImage(kind.value, path, translation);
    case "audio":
      return [{ type: "input_audio", input_audio: { data: toBase64(kind.value), format: kind.value.format } }];
    case "document":
      return encodeDocument(kind.value, path, translation);
    case "opaque": {
      const part = readChatJson(kind.value);
      return part === undefined ? [] : [part];
    }
    case "toolUse":
    case "toolResult":
    case "thinking":
    case "redactedThinking":
    case undefined:
      translation.losses.at(path);
      return [];
    default:
      return kind satisfies never;
  }
}

function encodeImage({ source, detail }: ImageBlock, path: string, { losses, input }: Translation): JsonObject[] {
  const rest = detail === undefined ? {} : { detail };
  if (source.case === "url") return [{ type: "image_url", image_url: { url: source.value, ...rest } }];
  if (source.case === "inline") return [{ type: "image_url", image_url: { url: inlineUrl(source.value), ...rest } }];
  if (source.case === "fileId") {
    if (input.dialect === Dialect.MESSAGES) throw foreignFile(path, source.value);
    throw InferenceError.invalid(path, "this model doesn't accept images by file id; send the bytes or an address");
  }
  losses.at(path);
  return [];
}

/** The format takes files by value or by id, not by URL. Blocks of a document become parts of their own. */
function encodeDocument(document: DocumentBlock, path: string, translation: Translation): JsonObject[] {
  const { source, title } = document;
  const { losses, input } = translation;
  const rest = title === undefined ? {} : { filename: title };
  switch (source.case) {
    case "inline": {
      return [{ type: "file", file: { file_data: inlineFile(source.value), ...rest } }];
    }
    case "text": {
      const base64 = Buffer.from(source.value, "utf8").toString("base64");
      return [{ type: "file", file: { file_data: dataUrl({ mediaType: "text/plain", base64 }), ...rest } }];
    }
    case "content": {
      if (title !== undefined) losses.at(`${path}.title`);
      const blocks = source.value.blocks.map((block, index) => ({ block, path: `${path}.content.blocks[${index}]` }));
      return blocks.flatMap((placed) => encodePart(placed, translation));
    }
    case "fileId":
      if (input.dialect === Dialect.MESSAGES) throw foreignFile(path, source.value);
      return [{ type: "file", file: { file_id: source.value, ...rest } }];
    case "url":
      throw InferenceError.invalid(path, "this model accepts files only inline, not by URL; send the bytes in base64");
    case undefined:
      losses.at(path);
      return [];
    default:
      return source satisfies never;
  }
}

/** A refusal is the one part that the format gives no breakpoint. */
function canBeMarked({ block }: PlacedBlock, { isNative }: Translation): boolean {
  return isNative || block.kind.case !== "refusal";
}
