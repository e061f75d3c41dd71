import { create } from "@bufbuild/protobuf";
import {
  type Annotation,
  AnnotationSchema,
  type Annotations,
  AnnotationsSchema,
  type Dialect,
  RawJsonSchema,
  type UrlCitation,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { isJsonObject, type JsonObject, mergeMembers, parseJsonObject, unknownMembers } from "./json.ts";

const TYPE = "url_citation";
const CITATION: ReadonlySet<string> = new Set(["url", "title", "start_index", "end_index"]);
const FLAT: ReadonlySet<string> = new Set([...CITATION, "type"]);
const HOLDER: ReadonlySet<string> = new Set(["type", TYPE]);

/**
 * How a format writes a citation of a page: Responses in one object, Chat with an object inside it. Sources:
 * ChatCompletionMessage.Annotation and ResponseOutputText.URLCitation of the openai SDK.
 */
export interface AnnotationForm {
  readonly dialect: Dialect;
  readonly isNested: boolean;
}

/**
 * Decodes an annotation of an answer or of a history. One of another type, or of another form, stays as it is. `offset`
 * is what its places count before the block that it is of.
 */
export function decodeAnnotation(value: JsonObject, form: AnnotationForm, offset = 0): Annotation {
  const citation = value.type === TYPE ? decodeCitation(value, form, offset) : undefined;
  if (citation !== undefined) return create(AnnotationSchema, { kind: { case: "urlCitation", value: citation } });
  return create(AnnotationSchema, { kind: { case: "opaque", value: rawJson(value, form) } });
}

/** Decodes the annotations of a history; undefined if there are none, or if they are no list of objects. */
export function decodeAnnotations(value: unknown, form: AnnotationForm): Annotations | undefined {
  if (!areAnnotations(value)) return undefined;
  return create(AnnotationsSchema, { annotations: value.map((each) => decodeAnnotation(each, form)) });
}

/** Tells whether a value is a list of objects, and not empty. */
export function areAnnotations(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
}

function decodeCitation(value: JsonObject, form: AnnotationForm, offset: number) {
  const inner = form.isNested ? value[TYPE] : value;
  if (!isJsonObject(inner) || typeof inner.url !== "string") return undefined;
  const { url, title = "", start_index: start, end_index: end } = inner;
  if (typeof title !== "string" || !isIndex(start) || !isIndex(end)) return undefined;
  const rest = restOf(value, inner, form);
  const places = { startIndex: fromOffset(start, offset), endIndex: fromOffset(end, offset) };
  return { url, title, ...places, ...(rest && { extension: rawJson(rest, form) }) };
}

function restOf(value: JsonObject, inner: JsonObject, { isNested }: AnnotationForm): JsonObject | undefined {
  if (!isNested) return unknownMembers(value, FLAT);
  const outer = unknownMembers(value, HOLDER);
  const own = unknownMembers(inner, CITATION);
  return own === undefined ? outer : { ...outer, [TYPE]: own };
}

function isIndex(value: unknown): value is number | undefined {
  return value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31);
}

/** A place before the block is one that its upstream counts otherwise: it stays. */
function fromOffset(place: number | undefined, offset: number): number | undefined {
  return place === undefined || place < offset ? place : place - offset;
}

/** Encodes an annotation; undefined for one that only another format knows. `offset` is added to its places. */
function encodeAnnotation({ kind }: Annotation, form: AnnotationForm, offset = 0): JsonObject | undefined {
  if (kind.case === "urlCitation") return encodeCitation(kind.value, form, offset);
  return kind.case === "opaque" && kind.value.dialect === form.dialect ? parseJsonObject(kind.value.json) : undefined;
}

/** Encodes those that the format can say. */
export function encodeAnnotations(
  annotations: Pick<Annotations, "annotations"> | undefined,
  form: AnnotationForm,
  offset = 0,
): JsonObject[] {
  const encoded = (annotations?.annotations ?? []).map((each) => encodeAnnotation(each, form, offset));
  return encoded.filter((each) => each !== undefined);
}

function encodeCitation(citation: UrlCitation, form: AnnotationForm, offset: number): JsonObject {
  const { url, title, startIndex, endIndex, extension } = citation;
  const members = {
    ...(startIndex === undefined ? {} : { start_index: startIndex + offset }),
    ...(endIndex === undefined ? {} : { end_index: endIndex + offset }),
    url,
    title,
  };
  const encoded: JsonObject = form.isNested ? { type: TYPE, [TYPE]: members } : { type: TYPE, ...members };
  return mergeMembers(encoded, extension?.dialect === form.dialect ? parseJsonObject(extension.json) : undefined);
}

function rawJson(members: JsonObject, { dialect }: AnnotationForm) {
  return create(RawJsonSchema, { dialect, json: JSON.stringify(members) });
}
