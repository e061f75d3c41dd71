import {
  type ContentBlock,
  Dialect,
  type DocumentBlock,
  type ImageBlock,
  Role,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { toBase64 } from "../../../hub/to-base64.ts";
import { encodeAnnotations } from "../../shared/annotations.ts";
import { foreignFile } from "../../shared/foreign-file.ts";
import { inlineUrl } from "../../shared/inline-data.ts";
import { type JsonObject, mergeMembers } from "../../shared/json.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { RESPONSES_ANNOTATIONS } from "../forms.ts";
import type { EncodeContext } from "./encode-context.ts";
import { encodeFile } from "./encode-document.ts";

const FORM = RESPONSES_ANNOTATIONS;

/** The position of a block. */
interface PartPlace {
  readonly role: Role;
  /** The place in the hub's request. */
  readonly path: string;
}

/**
 * Encodes a block as parts of a message or of a tool's output: one as a rule, none if it is lost, several for a
 * document made of blocks. Throws INVALID_REQUEST for sound and for another provider's files, without which the
 * question would be another one.
 */
export function encodePart(block: ContentBlock, place: PartPlace, context: EncodeContext): JsonObject[] {
  const parts = encodeKind(block, place, context);
  const [part] = parts;
  if (part === undefined) return parts;
  // The model's own text carries no breakpoint. A mark covers the prompt up to its place: of several parts that is the
  // last one.
  if (place.role === Role.ASSISTANT && !context.native) context.breakpoints.lose(block.cacheMark, place.path);
  else context.breakpoints.put(block.cacheMark, place.path, parts.at(-1) ?? part);
  const { annotations, ...members } = context.losses.own(block.extension) ?? {};
  // The empty list that the format wants gives way to the caller's own.
  if (annotations !== undefined) part.annotations = annotations;
  // What the model reads has none.
  const cited = part.type === "output_text" || context.native ? encodeAnnotations(block.annotations, FORM) : [];
  if (cited.length > 0) part.annotations = cited;
  else if (!context.native && block.annotations !== undefined) context.losses.at(`${place.path}.annotations`);
  mergeMembers(part, members);
  return parts;
}

function encodeKind({ kind }: ContentBlock, place: PartPlace, context: EncodeContext): JsonObject[] {
  switch (kind.case) {
    case "text":
      return [textPart(kind.value.text, place.role)];
    case "refusal":
      return place.role === Role.ASSISTANT
        ? [{ type: "refusal", refusal: kind.value.text }]
        : [textPart(kind.value.text, place.role)];
    case "image":
      return isMisplaced(place, context) ? [] : [encodeImage(kind.value, place, context)];
    case "document":
      return isMisplaced(place, context) ? [] : encodeDocument(kind.value, place, context);
    case "audio":
      if (context.native)
        return [{ type: "input_audio", input_audio: { data: toBase64(kind.value), format: kind.value.format } }];
      throw InferenceError.invalid(
        place.path,
        "sound cannot be sent to this model: leave it out, or choose another model",
      );
    case "opaque": {
      const part = readResponsesJson(kind.value);
      return part === undefined ? [] : [part];
    }
    case "toolUse":
    case "toolResult":
    case "thinking":
    case "redactedThinking":
    case undefined:
      throw InferenceError.invalid(place.path, "a block of this kind isn't allowed here");
    default:
      return kind satisfies never;
  }
}

/** The format has the model's own text apart from what it reads, and wants a list of annotations with the former. */
export function textPart(text: string, role: Role): JsonObject {
  return role === Role.ASSISTANT ? { type: "output_text", text, annotations: [] } : { type: "input_text", text };
}

/** Encodes a document: a file as a rule; one that is made of blocks becomes these blocks. */
function encodeDocument(document: DocumentBlock, place: PartPlace, context: EncodeContext): JsonObject[] {
  const { source, title } = document;
  const { path } = place;
  if (source.case !== "content") return [encodeFile(source, { title, path }, context)];
  if (title !== undefined) context.losses.at(`${path}.title`);
  return source.value.blocks.flatMap((block, index) =>
    encodePart(block, { ...place, path: `${path}.content.blocks[${index}]` }, context),
  );
}

/** Turns of the model hold no media in this format. */
function isMisplaced({ role, path }: PartPlace, { native, losses }: EncodeContext): boolean {
  if (role !== Role.ASSISTANT || native) return false;
  losses.at(path);
  return true;
}

function encodeImage({ source, detail }: ImageBlock, { path }: PartPlace, context: EncodeContext): JsonObject {
  // The format requires a detail, and says that it is "auto" if there is no wish.
  const part: JsonObject = { type: "input_image", detail: detail ?? (context.native ? undefined : "auto") };
  switch (source.case) {
    case "url":
      return { ...part, image_url: source.value };
    case "inline":
      return { ...part, image_url: inlineUrl(source.value) };
    case "fileId":
      if (context.dialect === Dialect.MESSAGES) throw foreignFile(path, source.value);
      return { ...part, file_id: source.value };
    case undefined:
      return part;
    default:
      return source satisfies never;
  }
}
