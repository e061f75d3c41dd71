import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema, type TextBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { decodeCacheMark, withMarkRest } from "../../shared/openai-cache-mark.ts";
import { DETAIL_WORDS } from "../../shared/openai-words.ts";
import { optional, readArray, readChoice, readObject, readString, WireError } from "../../shared/read.ts";
import { isNewWord } from "../../shared/words.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";
import { decodeAudio, decodeFile, decodeImage, type KindInit } from "./decode-media.ts";

/** The types of parts, by role. */
export type PartType = "text" | "refusal" | "image_url" | "input_audio" | "file";

type KindDecoder = (part: JsonObject, path: string) => KindInit;

const DECODERS: Readonly<Record<PartType, KindDecoder>> = {
  text: (part, path) => ({ case: "text", value: { text: readString(part.text, `${path}.text`) } }),
  refusal: (part, path) => ({ case: "refusal", value: { text: readString(part.refusal, `${path}.refusal`) } }),
  image_url: decodeImage,
  input_audio: decodeAudio,
  file: decodeFile,
};

/** Members of the object inside a part, where it has one. */
const INNER: Partial<Record<PartType, ReadonlySet<string>>> = {
  image_url: MODELLED.image_url_inner,
  input_audio: MODELLED.input_audio_inner,
  file: MODELLED.file_inner,
};

const URL_ALONE: ReadonlySet<string> = new Set(["url"]);

/** Decodes `content`: a text, or a list of parts of the given types. Throws WireError. */
export function decodeContent(value: unknown, path: string, types: readonly PartType[]): ContentBlock[] {
  if (typeof value === "string") return [textBlock(value)];
  if (value === undefined || value === null) throw new WireError(path, "is required: a string or an array of parts");
  if (!Array.isArray(value)) throw new WireError(path, "must be a string or an array of parts");
  return readArray(value, path).map((part, index) => decodePart(part, `${path}[${index}]`, types));
}

/** Makes a block of text. */
function textBlock(text: string): ContentBlock {
  const value: TextBlock = { $typeName: "attune.content.v1.TextBlock", text };
  return { $typeName: "attune.content.v1.ContentBlock", kind: { case: "text", value }, itemId: "" };
}

/** A part of a type that is not known becomes an opaque block. */
function decodePart(value: unknown, path: string, types: readonly PartType[]): ContentBlock {
  const part = readObject(value, path);
  const type = readString(part.type, `${path}.type`);
  if (!isPartType(type)) {
    return create(ContentBlockSchema, { kind: { case: "opaque", value: chatJson(part) } });
  }
  readChoice(type, `${path}.type`, types);
  const mark = optional(part.prompt_cache_breakpoint, `${path}.prompt_cache_breakpoint`, decodeCacheMark);
  const members = nestedExtra(part, MODELLED[type], { [type]: innerMembers(part, type) });
  const control = readCacheControl(part);
  const rest =
    control === undefined || mark === undefined
      ? mark
      : { mark: undefined, rest: readObject(part.prompt_cache_breakpoint, path) };
  return create(ContentBlockSchema, {
    kind: DECODERS[type](part, path),
    // Of a part that says both, the breakpoint stays beside the mark.
    cacheMark: control ?? mark?.mark,
    extension: chatJson(withMarkRest(members, rest)),
  });
}

/** Members that the hub models inside a part. A detail that is new is none of them. */
function innerMembers(part: JsonObject, type: PartType): ReadonlySet<string> | undefined {
  const image = type === "image_url" ? part.image_url : undefined;
  return isJsonObject(image) && isNewWord(image.detail, DETAIL_WORDS) ? URL_ALONE : INNER[type];
}

function isPartType(type: string): type is PartType {
  return Object.hasOwn(DECODERS, type);
}

/**
 * Returns the members that the hub does not model, of an object and of objects inside it; undefined if there are none.
 */
export function nestedExtra(
  object: JsonObject,
  known: ReadonlySet<string>,
  inner: Readonly<Record<string, ReadonlySet<string> | undefined>>,
): JsonObject | undefined {
  const rest = extraMembers(object, known) ?? {};
  for (const [name, innerKnown] of Object.entries(inner)) {
    const value = object[name];
    if (innerKnown === undefined || !isJsonObject(value)) continue;
    const innerRest = extraMembers(value, innerKnown);
    if (innerRest !== undefined) rest[name] = innerRest;
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}
