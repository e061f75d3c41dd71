import {
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  Role,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { toBase64 } from "../../../hub/to-base64.ts";
import { encodeAnnotations } from "../../shared/annotations.ts";
import { dataUrl } from "../../shared/data-url.ts";
import { inlineFile, inlineUrl } from "../../shared/inline-data.ts";
import type { JsonObject } from "../../shared/json.ts";
import { CACHE_TTL_WORDS } from "../../shared/openai-words.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { findWord } from "../../shared/words.ts";
import { RESPONSES_ANNOTATIONS } from "../forms.ts";

/** Encodes a part of what was asked, as the format gives it back; none for what only another format knows. */
export function encodeInputPart(block: ContentBlock, role: Role): JsonObject[] {
  const parts = encodeKind(block, role);
  const last = parts.at(-1);
  if (last === undefined) return parts;
  if (block.cacheMark !== undefined) {
    const ttl = findWord(CACHE_TTL_WORDS, block.cacheMark.ttl);
    last.prompt_cache_breakpoint = { mode: "explicit", ...(ttl === undefined ? {} : { ttl }) };
  }
  const annotations = encodeAnnotations(block.annotations, RESPONSES_ANNOTATIONS);
  if (annotations.length > 0) last.annotations = annotations;
  Object.assign(last, readResponsesJson(block.extension));
  return parts;
}

function encodeKind({ kind }: ContentBlock, role: Role): JsonObject[] {
  switch (kind.case) {
    case "text":
      return role === Role.ASSISTANT
        ? [{ type: "output_text", text: kind.value.text, annotations: [] }]
        : [{ type: "input_text", text: kind.value.text }];
    case "refusal":
      return [{ type: "refusal", refusal: kind.value.text }];
    case "image":
      return [encodeImage(kind.value)];
    case "document":
      return encodeDocument(kind.value, role);
    case "audio":
      return [{ type: "input_audio", input_audio: { data: toBase64(kind.value), format: kind.value.format } }];
    case "opaque": {
      const part = readResponsesJson(kind.value);
      return part === undefined ? [] : [part];
    }
    // Items of their own, see encode-input-items.ts.
    case "toolUse":
    case "toolResult":
    case "thinking":
    case "redactedThinking":
    case undefined:
      return [];
    default:
      return kind satisfies never;
  }
}

/** The format says a detail of every image: `auto` where the request left it out. */
function encodeImage({ source, detail = "auto" }: ImageBlock): JsonObject {
  const image = { type: "input_image", detail };
  if (source.case === "fileId") return { ...image, file_id: source.value };
  if (source.case === "inline") return { ...image, image_url: inlineUrl(source.value) };
  return { ...image, image_url: source.value ?? "" };
}

function encodeDocument({ source, title }: DocumentBlock, role: Role): JsonObject[] {
  const file = { type: "input_file", ...(title === undefined ? {} : { filename: title }) };
  switch (source.case) {
    case "url":
      return [{ ...file, file_url: source.value }];
    case "fileId":
      return [{ ...file, file_id: source.value }];
    case "inline":
      return [{ ...file, file_data: inlineFile(source.value) }];
    case "text":
      return [{ ...file, file_data: textUrl(source.value) }];
    case "content":
      return source.value.blocks.flatMap((block) => encodeInputPart(block, role));
    case undefined:
      return [file];
    default:
      return source satisfies never;
  }
}

function textUrl(text: string): string {
  return dataUrl({ mediaType: "text/plain", base64: Buffer.from(text, "utf8").toString("base64") });
}
