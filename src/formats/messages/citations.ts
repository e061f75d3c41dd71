import { create } from "@bufbuild/protobuf";
import {
  type Annotation,
  AnnotationSchema,
  type Annotations,
  Dialect,
  type RawJson,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { type JsonObject, parseJsonObject } from "../shared/json.ts";
import { messagesJson } from "./raw-json.ts";

const TYPE = "web_search_result_location";

/**
 * Decodes a citation of a page that a web search found, of a text of `length` characters: the format cites for a block
 * as a whole. Returns undefined for one of a document, which has no address. Source: CitationsWebSearchResultLocation
 * of @anthropic-ai/sdk.
 */
export function decodePageCitation(citation: JsonObject, length: number): Annotation | undefined {
  const { type, url, title: sentTitle, ...rest } = citation;
  const title = sentTitle ?? "";
  if (type !== TYPE || typeof url !== "string" || typeof title !== "string") return undefined;
  const value = { url, title, startIndex: 0, endIndex: length, extension: messagesJson(rest) };
  return create(AnnotationSchema, { kind: { case: "urlCitation", value } });
}

/** Encodes an annotation; undefined for one that was not made in this format, which wants the provider's own index. */
export function encodeCitation({ kind }: Annotation): JsonObject | undefined {
  if (kind.case === "opaque") return ownMembers(kind.value);
  const members = kind.case === "urlCitation" ? ownMembers(kind.value.extension) : undefined;
  if (kind.case !== "urlCitation" || typeof members?.["encrypted_index"] !== "string") return undefined;
  const { url, title } = kind.value;
  return { type: TYPE, url, title: title === "" ? null : title, ...members };
}

/** Returns the members of a block with its annotations behind the citations that it has. */
export function withCitations(
  members: JsonObject | undefined,
  annotations: Pick<Annotations, "annotations"> | undefined,
): JsonObject | undefined {
  const cited = (annotations?.annotations ?? []).map(encodeCitation).filter((each) => each !== undefined);
  if (cited.length === 0) return members;
  const known: unknown = members?.["citations"];
  return { ...members, citations: Array.isArray(known) ? [...known, ...cited] : cited };
}

function ownMembers(raw: RawJson | undefined): JsonObject | undefined {
  return raw?.dialect === Dialect.MESSAGES ? parseJsonObject(raw.json) : undefined;
}
