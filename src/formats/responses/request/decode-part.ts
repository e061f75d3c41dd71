import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { areAnnotations, decodeAnnotations } from "../../shared/annotations.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  anyMember,
  formMember,
  formsMember,
  type Member,
  named,
  required,
  textMember,
  type Values,
} from "../../shared/member.ts";
import { BREAKPOINT, withMarkRest } from "../../shared/openai-cache-mark.ts";
import { readArray, WireError } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { list, oneOf, text } from "../../shared/schema.ts";
import { RESPONSES_ANNOTATIONS } from "../forms.ts";
import { AUDIO, FILE, IMAGE, type KindInit, toDocument, toImage } from "./decode-media.ts";

const ADDED = {
  annotations: {
    ...anyMember("Citations, as in the answer"),
    read: (value: unknown) => decodeAnnotations(value, RESPONSES_ANNOTATIONS),
    isCarried: (value: unknown) => !areAnnotations(value),
  },
  prompt_cache_breakpoint: BREAKPOINT,
};

function toBlock(
  kind: KindInit,
  { annotations, prompt_cache_breakpoint: mark }: Values<typeof ADDED>,
  rest: JsonObject | undefined,
): ContentBlock {
  return create(ContentBlockSchema, {
    kind,
    cacheMark: mark?.mark,
    ...(annotations && { annotations }),
    extension: responsesJson(withMarkRest(withoutEmptyLists(rest), mark)),
  });
}

const TEXT = { text: required(textMember("The text")), ...ADDED };

const inputText = formMember("ResponseInputTextPart", ["input_text", TEXT, "Text"], (values, { rest }) =>
  toBlock({ case: "text", value: { text: values.text } }, values, rest),
);

/** A part. One of a type that is not known becomes an opaque block. */
export const PART = formsMember<ContentBlock>(
  "ResponseContentPart",
  {
    input_text: inputText,
    // A history may spell the assistant's text either way.
    output_text: formMember(
      "ResponseOutputTextPart",
      ["output_text", TEXT, "Text of the assistant"],
      (values, { rest }) => toBlock({ case: "text", value: { text: values.text } }, values, rest),
    ),
    // Chat's word, which clients of both formats mix up.
    text: inputText,
    refusal: formMember(
      "ResponseRefusalPart",
      ["refusal", { refusal: required(textMember("Text of the refusal")), ...ADDED }, "A refusal"],
      (values, { rest }) => toBlock({ case: "refusal", value: { text: values.refusal } }, values, rest),
    ),
    input_image: formMember(
      "ResponseImagePart",
      ["input_image", { ...IMAGE, ...ADDED }, "An image"],
      (values, { path, rest }) => toBlock(toImage(values, path), values, rest),
    ),
    input_file: formMember(
      "ResponseFilePart",
      ["input_file", { ...FILE, ...ADDED }, "A file"],
      (values, { path, rest }) => toBlock(toDocument(values, path), values, rest),
    ),
    input_audio: formMember(
      "ResponseAudioPart",
      ["input_audio", { input_audio: required(AUDIO), ...ADDED }, "Audio"],
      ({ input_audio: { kind, rest: inner }, ...values }, { rest }) =>
        toBlock(kind, values, inner === undefined ? rest : { ...rest, input_audio: inner }),
    ),
  },
  "A part of a message",
  (part) => create(ContentBlockSchema, { kind: { case: "opaque", value: responsesJson(part) } }),
);

/** A text, or a list of parts. */
export const CONTENT: Member<ContentBlock[]> = named("ResponseContent", {
  read: decodeContent,
  schema: oneOf([text("Text"), list(PART.schema, "Parts")], "Text, or parts"),
});

function decodeContent(value: unknown, path: string): ContentBlock[] {
  if (typeof value === "string")
    return [create(ContentBlockSchema, { kind: { case: "text", value: { text: value } } })];
  if (value !== undefined && value !== null && !Array.isArray(value)) {
    throw new WireError(path, "must be a string or an array of parts");
  }
  return readArray(value, path).map((part, index) => PART.read(part, `${path}[${index}]`, undefined));
}

/** An answer's part says `annotations: []`; sent back in a history that says no more than leaving it out. */
function withoutEmptyLists(members: JsonObject | undefined): JsonObject | undefined {
  if (members === undefined) return undefined;
  const rest = Object.entries(members).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}
