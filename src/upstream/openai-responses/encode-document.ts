import { Dialect, type DocumentBlock } from "../../../gen/attune/content/v1/content_pb.ts";
import { dataUrl } from "../../wire/data-url.ts";
import type { JsonObject } from "../../wire/json.ts";
import { foreignFile } from "../foreign-file.ts";
import type { EncodeContext } from "./encode-context.ts";
import { encodePart, type PartPlace } from "./encode-part.ts";

/** File names for bytes without one, which the format does not take. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  "application/pdf": "document.pdf",
  "text/plain": "document.txt",
};

/** Encodes a document: a file as a rule; one that is made of blocks becomes these blocks. */
export function encodeDocument(document: DocumentBlock, place: PartPlace, context: EncodeContext): JsonObject[] {
  const { source, title, context: aside } = document;
  if (aside !== undefined) context.losses.at(`${place.path}.context`);
  if (source.case === "content") {
    if (title !== undefined) context.losses.at(`${place.path}.title`);
    return source.value.blocks.flatMap((block, index) =>
      encodePart(block, { ...place, path: `${place.path}.source.content[${index}]` }, context),
    );
  }
  return [{ type: "input_file", ...encodeSource({ source, filename: title, path: place.path }, context) }];
}

interface File {
  readonly source: Exclude<DocumentBlock["source"], { case: "content" }>;
  readonly filename: string | undefined;
  readonly path: string;
}

function encodeSource(file: File, context: EncodeContext): JsonObject {
  const { source, filename } = file;
  const { native } = context;
  switch (source.case) {
    case "url":
      return { file_url: source.value, filename: nameBesideReference(file, context) };
    case "fileId":
      if (context.dialect === Dialect.MESSAGES) throw foreignFile(file.path, source.value);
      return { file_id: source.value, filename: nameBesideReference(file, context) };
    case "inline": {
      const { mediaType, base64 } = source.value;
      const name = filename ?? (native ? undefined : (FILE_NAMES[mediaType] ?? "document"));
      return { file_data: mediaType === "" ? base64 : dataUrl(source.value), filename: name };
    }
    case "text": {
      const base64 = Buffer.from(source.value, "utf8").toString("base64");
      return {
        file_data: dataUrl({ mediaType: "text/plain", base64 }),
        filename: filename ?? FILE_NAMES["text/plain"],
      };
    }
    case undefined:
      return { filename };
    default:
      return source satisfies never;
  }
}

/** OpenAI takes a filename beside bytes only, and refuses a request that has one beside an address or an id. */
function nameBesideReference({ filename, path }: File, { native, dialect, losses }: EncodeContext): string | undefined {
  if (native || filename === undefined) return filename;
  losses.at(`${path}.${dialect === Dialect.CHAT ? "file.filename" : "title"}`);
  return undefined;
}
