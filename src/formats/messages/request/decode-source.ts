import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  DocumentBlockSchema,
  ImageBlockSchema,
  InlineDataSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { optional, readChoice, readName, readObject, readString, WireError } from "../../shared/read.ts";
import { isNewWord } from "../../shared/words.ts";

const IMAGE_SOURCES = ["base64", "url", "file"] as const;
const DOCUMENT_SOURCES = ["base64", "text", "content", "url", "file"] as const;
const TEXT_TYPES = ["text/plain"] as const;
const KNOWN = new Set(["type", "media_type", "data", "url", "file_id", "content"]);
/** Characters of base64 that are looked at: enough to find a data: prefix or text that was not encoded. */
const PROBE_LENGTH = 64;

type Kind = ContentBlock["kind"];

/** A block with a source, decoded. */
interface DecodedSource {
  readonly kind: Kind;
  /** Members of `source` that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** Decodes the blocks of a document whose source is `content`. */
type DocumentBlocksDecoder = (content: unknown, path: string) => ContentBlock[];

/**
 * Tells whether the source of an image or a document is of a type that is not known, so that the block must be kept
 * whole.
 */
export function isNewSource(block: JsonObject): boolean {
  const { source } = block;
  if (!isJsonObject(source)) return false;
  const { type, media_type: mediaType } = source;
  if (block["type"] === "image") return isNewWord(type, IMAGE_SOURCES);
  return isNewWord(type, DOCUMENT_SOURCES) || (type === "text" && isNewWord(mediaType, TEXT_TYPES));
}

/** Decodes an image block. */
export function decodeImage(block: JsonObject, path: string): DecodedSource {
  const place = `${path}.source`;
  const source = readObject(block["source"], place);
  const value = create(ImageBlockSchema, { source: imageSource(source, place) });
  return { kind: { case: "image", value }, rest: extraMembers(source, KNOWN) };
}

function imageSource(source: JsonObject, path: string) {
  switch (readChoice(source["type"], `${path}.type`, IMAGE_SOURCES)) {
    case "base64":
      return { case: "inline" as const, value: inlineData(source, path) };
    case "url":
      return { case: "url" as const, value: readUrl(source["url"], `${path}.url`) };
    case "file":
      return { case: "fileId" as const, value: readString(source["file_id"], `${path}.file_id`) };
  }
}

/** Decodes a document block. */
export function decodeDocument(block: JsonObject, path: string, decodeBlocks: DocumentBlocksDecoder): DecodedSource {
  const place = `${path}.source`;
  const source = readObject(block["source"], place);
  const value = create(DocumentBlockSchema, {
    source: documentSource(source, place, decodeBlocks),
    title: optional(block["title"], `${path}.title`, readString),
    context: optional(block["context"], `${path}.context`, readString),
  });
  return { kind: { case: "document", value }, rest: extraMembers(source, KNOWN) };
}

function documentSource(source: JsonObject, path: string, decodeBlocks: DocumentBlocksDecoder) {
  switch (readChoice(source["type"], `${path}.type`, DOCUMENT_SOURCES)) {
    case "base64":
      return { case: "inline" as const, value: inlineData(source, path) };
    case "text":
      readChoice(source["media_type"], `${path}.media_type`, TEXT_TYPES);
      return { case: "text" as const, value: readString(source["data"], `${path}.data`) };
    case "content":
      return { case: "content" as const, value: { blocks: decodeBlocks(source["content"], `${path}.content`) } };
    case "url":
      return { case: "url" as const, value: readUrl(source["url"], `${path}.url`) };
    case "file":
      return { case: "fileId" as const, value: readString(source["file_id"], `${path}.file_id`) };
  }
}

/** Decodes inline data. The upstream knows which media types it takes; every format can name them. */
function inlineData(source: JsonObject, path: string) {
  const mediaType = readName(source["media_type"], `${path}.media_type`);
  return create(InlineDataSchema, { mediaType, base64: readBase64(source["data"], `${path}.data`) });
}

function readBase64(value: unknown, path: string): string {
  const data = readString(value, path);
  if (!/^[A-Za-z0-9+/\r\n]+={0,2}$/.test(data.slice(0, PROBE_LENGTH))) {
    throw new WireError(path, "must be base64 alone, without a 'data:' prefix");
  }
  return data;
}

function readUrl(value: unknown, path: string): string {
  const url = readString(value, path);
  if (/^https?:\/\/./i.test(url)) return url;
  throw new WireError(path, "must be an http or https address; send the bytes with a source of type 'base64'");
}
