import type { DocumentBlock, ImageBlock, InlineData } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { toBase64 } from "../../../hub/to-base64.ts";
import { foreignFile } from "../../shared/foreign-file.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { EncodeContext } from "./encode-context.ts";

/** Media types of images that Anthropic takes, with the beginning of each in base64. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  "image/png": "iVBORw0KGgo",
  "image/jpeg": "/9j/",
  "image/gif": "R0lGOD",
  "image/webp": "UklGR",
};
const PDF_START = "JVBERi0";

/** Encodes the source of an image. Throws INVALID_REQUEST for an image that the format cannot carry. */
export function encodeImageSource({ source, detail }: ImageBlock, place: string, context: EncodeContext): JsonObject {
  // auto is what every reader does unasked.
  if (detail !== undefined && detail !== "auto") context.losses.at(`${place}.detail`);
  switch (source.case) {
    case "url":
      return { type: "url", url: source.value };
    case "inline":
      return { type: "base64", media_type: imageType(source.value, place, context), data: toBase64(source.value) };
    case "fileId":
      return fileSource(source.value, place, context);
    case undefined:
      throw InferenceError.invalid(place, "the image has no source");
  }
}

function imageType(data: InlineData, place: string, { native }: EncodeContext): string {
  const { mediaType } = data;
  if (native) return mediaType;
  const named = bareType(mediaType).replace("image/jpg", "image/jpeg");
  if (Object.hasOwn(IMAGE_TYPES, named)) return named;
  const found = Object.entries(IMAGE_TYPES).find(([, start]) => named === "" && toBase64(data).startsWith(start));
  if (found !== undefined) return found[0];
  const what = named === "" ? "without a media type" : `of type '${named}'`;
  throw InferenceError.invalid(place, `this model doesn't accept an image ${what}; send JPEG, PNG, GIF or WebP`);
}

/** Encodes the source of a document. Throws INVALID_REQUEST for a document that the format cannot carry. */
export function encodeDocumentSource(
  { source }: DocumentBlock,
  place: string,
  { context, content }: { context: EncodeContext; content: () => string | JsonObject[] },
): JsonObject {
  switch (source.case) {
    case "url":
      return { type: "url", url: source.value };
    case "text":
      return textSource(source.value);
    case "inline":
      return inlineDocument(source.value, place, context);
    case "content":
      return { type: "content", content: content() };
    case "fileId":
      return fileSource(source.value, place, context);
    case undefined:
      throw InferenceError.invalid(place, "the document has no source");
  }
}

function inlineDocument(data: InlineData, place: string, { native }: EncodeContext): JsonObject {
  const { mediaType } = data;
  const base64 = toBase64(data);
  if (native) return { type: "base64", media_type: mediaType, data: base64 };
  const type = bareType(mediaType);
  if (type === "application/pdf" || (type === "" && base64.startsWith(PDF_START))) {
    return { type: "base64", media_type: "application/pdf", data: base64 };
  }
  if (type.startsWith("text/")) return textSource(decodeText(base64, place));
  const what = type === "" ? "without a media type" : `of type '${type}'`;
  throw InferenceError.invalid(place, `this model doesn't accept a file ${what}; send a PDF or plain text`);
}

function decodeText(base64: string, place: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    throw InferenceError.invalid(place, "the file is not text in UTF-8; send it as a PDF");
  }
}

function textSource(data: string): JsonObject {
  return { type: "text", media_type: "text/plain", data };
}

function fileSource(fileId: string, place: string, { native }: EncodeContext): JsonObject {
  if (native) return { type: "file", file_id: fileId };
  throw foreignFile(place, fileId);
}

/** A media type in lower case and without its parameters. */
function bareType(mediaType: string): string {
  return (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
}
