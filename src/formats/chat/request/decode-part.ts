import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema, type TextBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  describeForms,
  formMember,
  type Member,
  named,
  required,
  type Source,
  textMember,
  type Values,
} from "../../shared/member.ts";
import { BREAKPOINT, withMarkRest } from "../../shared/openai-cache-mark.ts";
import { readArray, readChoice, readObject, readString, WireError } from "../../shared/read.ts";
import { list, oneOf, text } from "../../shared/schema.ts";
import { chatJson } from "../raw-json.ts";
import { CONTROL } from "./cache-control.ts";
import { AUDIO, FILE, IMAGE, type KindInit } from "./decode-media.ts";

const MARKS = { prompt_cache_breakpoint: BREAKPOINT, ...CONTROL };

/** Returns the block of a part, of which `inner` has the members that the hub does not model inside it. */
function toBlock(
  kind: KindInit,
  { prompt_cache_breakpoint: mark, cache_control: control }: Values<typeof MARKS>,
  { object, rest }: Source,
  inner?: JsonObject,
): ContentBlock {
  // Of a part that says both, the breakpoint stays beside the mark.
  const isDouble = control !== undefined && mark !== undefined;
  const left = isDouble ? { mark: undefined, rest: readObject(object.prompt_cache_breakpoint, "") } : mark;
  return create(ContentBlockSchema, {
    kind,
    cacheMark: control ?? mark?.mark,
    extension: chatJson(withMarkRest(inner === undefined ? rest : { ...rest, ...inner }, left)),
  });
}

const PARTS = {
  text: formMember(
    "ChatTextPart",
    ["text", { text: required(textMember("The text")), ...MARKS }, "Text"],
    (values, source) => toBlock({ case: "text", value: { text: values.text } }, values, source),
  ),
  refusal: formMember(
    "ChatRefusalPart",
    ["refusal", { refusal: required(textMember("Text of the refusal")), ...MARKS }, "A refusal, of the assistant"],
    (values, source) => toBlock({ case: "refusal", value: { text: values.refusal } }, values, source),
  ),
  image_url: formMember(
    "ChatImagePart",
    ["image_url", { image_url: required(IMAGE), ...MARKS }, "An image"],
    (values, source) =>
      toBlock(values.image_url.kind, values, source, values.image_url.rest && { image_url: values.image_url.rest }),
  ),
  input_audio: formMember(
    "ChatAudioPart",
    ["input_audio", { input_audio: required(AUDIO), ...MARKS }, "Audio, of the user"],
    (values, source) =>
      toBlock(
        values.input_audio.kind,
        values,
        source,
        values.input_audio.rest && { input_audio: values.input_audio.rest },
      ),
  ),
  file: formMember("ChatFilePart", ["file", { file: required(FILE), ...MARKS }, "A file"], (values, source) =>
    toBlock(values.file.kind, values, source, values.file.rest && { file: values.file.rest }),
  ),
} as const satisfies Readonly<Record<string, Member<ContentBlock>>>;

/** The types of parts, by role. */
export type PartType = keyof typeof PARTS;

/** A part. One of a type that is not known becomes an opaque block. */
export const PART: Member<ContentBlock, readonly PartType[]> = {
  read: (value, path, types) => {
    const part = readObject(value, path);
    const type = readString(part.type, `${path}.type`);
    if (!isPartType(type)) return create(ContentBlockSchema, { kind: { case: "opaque", value: chatJson(part) } });
    readChoice(type, `${path}.type`, types);
    return PARTS[type].read(part, path, undefined);
  },
  ...describeForms("ChatContentPart", Object.values(PARTS), "A part of a message"),
};

function isPartType(type: string): type is PartType {
  return Object.hasOwn(PARTS, type);
}

/** Describes `content`: a text, or a list of parts of the given types. */
export function contentMember(types: readonly PartType[]): Member<ContentBlock[]> {
  return named("ChatContent", {
    read: (value, path) => decodeContent(value, path, types),
    schema: oneOf([text("Text"), list(PART.schema, "Parts")], "Text, or parts"),
  });
}

function decodeContent(value: unknown, path: string, types: readonly PartType[]): ContentBlock[] {
  if (typeof value === "string") return [textBlock(value)];
  if (value === undefined || value === null) throw new WireError(path, "is required: a string or an array of parts");
  if (!Array.isArray(value)) throw new WireError(path, "must be a string or an array of parts");
  return readArray(value, path).map((part, index) => PART.read(part, `${path}[${index}]`, types));
}

/** Makes a block of text. */
export function textBlock(text: string): ContentBlock {
  const value: TextBlock = { $typeName: "attune.content.v1.TextBlock", text };
  return { $typeName: "attune.content.v1.ContentBlock", kind: { case: "text", value }, itemId: "" };
}
