import { create } from "@bufbuild/protobuf";
import { type ContentBlock, ContentBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { decodeAnnotations } from "../../shared/annotations.ts";
import { extraMembers, isJsonObject, type JsonObject } from "../../shared/json.ts";
import { decodeCacheMark, withMarkRest } from "../../shared/openai-cache-mark.ts";
import { DETAIL_WORDS } from "../../shared/openai-words.ts";
import { optional, readArray, readObject, readString, WireError } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { isNewWord } from "../../shared/words.ts";
import { RESPONSES_ANNOTATIONS } from "../forms.ts";
import { MODELLED } from "../members.ts";
import { decodeFile, decodeImage, type KindInit } from "./decode-media.ts";

type KindDecoder = (part: JsonObject, path: string) => KindInit;

const PARTS: Readonly<Record<string, readonly [ReadonlySet<string>, KindDecoder]>> = {
  // A history may spell the assistant's text either way.
  input_text: [MODELLED.text, decodeText],
  output_text: [MODELLED.text, decodeText],
  // Chat's word, which clients of both formats mix up.
  text: [MODELLED.text, decodeText],
  refusal: [MODELLED.refusal, decodeRefusal],
  input_image: [MODELLED.input_image, decodeImage],
  input_file: [MODELLED.input_file, decodeFile],
  input_audio: [MODELLED.input_audio, decodeAudio],
};

/** Decodes a text, or a list of parts. Throws WireError. */
export function decodeContent(value: unknown, path: string): ContentBlock[] {
  if (typeof value === "string")
    return [create(ContentBlockSchema, { kind: { case: "text", value: { text: value } } })];
  if (value !== undefined && value !== null && !Array.isArray(value)) {
    throw new WireError(path, "must be a string or an array of parts");
  }
  return readArray(value, path).map((part, index) => decodePart(part, `${path}[${index}]`));
}

/** A part of a type that is not known becomes an opaque block. */
function decodePart(value: unknown, path: string): ContentBlock {
  const part = readObject(value, path);
  const type = readString(part.type, `${path}.type`);
  const found = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (found === undefined) {
    return create(ContentBlockSchema, { kind: { case: "opaque", value: responsesJson(part) } });
  }
  const [modelled, decodeKind] = found;
  const annotations = decodeAnnotations(part.annotations, RESPONSES_ANNOTATIONS);
  const { annotations: _decoded, ...others } = part;
  const rest = extraOf(annotations === undefined ? part : others, modelled);
  const mark = optional(part.prompt_cache_breakpoint, `${path}.prompt_cache_breakpoint`, decodeCacheMark);
  return create(ContentBlockSchema, {
    kind: decodeKind(part, path),
    cacheMark: mark?.mark,
    ...(annotations && { annotations }),
    extension: responsesJson(withMarkRest(withoutEmptyLists(rest), mark)),
  });
}

/** Sound alone has an object inside its part, and images alone a word that may be new. */
function extraOf(part: JsonObject, modelled: ReadonlySet<string>): JsonObject | undefined {
  const members = extraMembers(part, modelled);
  if (modelled === MODELLED.input_image && isNewWord(part.detail, DETAIL_WORDS)) {
    return { ...members, detail: part.detail };
  }
  if (modelled !== MODELLED.input_audio || !isJsonObject(part.input_audio)) return members;
  const inner = extraMembers(part.input_audio, MODELLED.input_audio_inner);
  return inner === undefined ? members : { ...members, input_audio: inner };
}

function decodeText(part: JsonObject, path: string): KindInit {
  return { case: "text", value: { text: readString(part.text, `${path}.text`) } };
}

function decodeRefusal(part: JsonObject, path: string): KindInit {
  return { case: "refusal", value: { text: readString(part.refusal, `${path}.refusal`) } };
}

function decodeAudio(part: JsonObject, path: string): KindInit {
  const audio = readObject(part.input_audio, `${path}.input_audio`);
  const base64 = readString(audio.data, `${path}.input_audio.data`);
  return { case: "audio", value: { base64, format: readString(audio.format, `${path}.input_audio.format`) } };
}

/** An answer's part says `annotations: []`; sent back in a history that says no more than leaving it out. */
function withoutEmptyLists(members: JsonObject | undefined): JsonObject | undefined {
  if (members === undefined) return undefined;
  const rest = Object.entries(members).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}
