import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  type DocumentBlock,
  DocumentContentSchema,
  type ImageBlock,
  InlineDataSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import {
  formMember,
  formsMember,
  type Member,
  nameMember,
  required,
  type Source,
  textMember,
  wordMember,
} from "../../shared/member.ts";
import { readString, WireError } from "../../shared/read.ts";
import { readOpenWord } from "../../shared/words.ts";
import type { Marking } from "./decode-cache-control.ts";

/** Characters of base64 that are looked at: enough to find a data: prefix or text that was not encoded. */
const PROBE_LENGTH = 64;

/** A decoded source; undefined for one of a type that is not known, so that its block must be kept whole. */
type DecodedSource<Kind> =
  | {
      readonly source: Kind;
      /** Members of `source` that the hub does not know. */
      readonly rest: JsonObject | undefined;
    }
  | undefined;

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

const SOURCES = {
  base64: formMember(
    "MessageBytesSource",
    [
      "base64",
      {
        // The upstream knows which media types it takes; every format can name them.
        media_type: required(nameMember("Type of the bytes")),
        data: required({ ...textMember("Bytes in base64"), read: readBase64 }),
      },
      "Bytes",
    ],
    ({ media_type: mediaType, data: base64 }, { rest }) => ({
      source: { case: "inline" as const, value: create(InlineDataSchema, { mediaType, base64 }) },
      rest,
    }),
  ),
  url: formMember(
    "MessageUrlSource",
    ["url", { url: required({ ...textMember("Address: `https:` or `http:`"), read: readUrl }) }, "An address"],
    ({ url: value }, { rest }) => ({ source: { case: "url" as const, value }, rest }),
  ),
  file: formMember(
    "MessageFileSource",
    ["file", { file_id: required(textMember("Upstream's id of the file")) }, "A file of the upstream"],
    ({ file_id: value }, { rest }) => ({ source: { case: "fileId" as const, value }, rest }),
  ),
};

/** `source` of an image. */
export const IMAGE_SOURCE = formsMember<DecodedSource<ImageBlock["source"]>>(
  "MessageImageSource",
  SOURCES,
  "Source of the image",
  () => undefined,
  readOpenWord,
);

/** Describes the `source` of a document, which may be content. */
export function documentSourceMember(content: Member<ContentBlock[], Marking>) {
  return formsMember<DecodedSource<DocumentBlock["source"]>, Marking>(
    "MessageDocumentSource",
    {
      ...SOURCES,
      text: formMember(
        "MessageTextSource",
        [
          "text",
          {
            media_type: required(wordMember(["text/plain"], "Type of the text")),
            data: required(textMember("The text")),
          },
          "Text",
        ],
        ({ media_type: mediaType, data: value }, { rest }) =>
          mediaType && { source: { case: "text" as const, value }, rest },
      ),
      content: formMember(
        "MessageContentSource",
        ["content", { content: required(content) }, "Blocks"],
        ({ content: blocks }, { rest }: Source<Marking>) => ({
          source: { case: "content" as const, value: create(DocumentContentSchema, { blocks }) },
          rest,
        }),
      ),
    },
    "Source of the document",
    () => undefined,
    readOpenWord,
  );
}
