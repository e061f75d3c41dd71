import { Dialect, type DocumentBlock } from "../../../../gen/attune/content/v1/content_pb.ts";
import { dataUrl } from "../../shared/data-url.ts";
import { foreignFile } from "../../shared/foreign-file.ts";
import { inlineFile } from "../../shared/inline-data.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { EncodeContext } from "./encode-context.ts";

/** File names for bytes without one, which the format does not take. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  "application/pdf": "document.pdf",
  "text/plain": "document.txt",
};

/** A document that is not made of blocks. */
type FileSource = Exclude<DocumentBlock["source"], { case: "content" }>;

/** Encodes a document that is a file. */
export function encodeFile(source: FileSource, { title, path }: FileFacts, context: EncodeContext): JsonObject {
  return { type: "input_file", ...encodeSource({ source, filename: title, path }, context) };
}

interface FileFacts {
  readonly title: string | undefined;
  /** The document's place in the hub's request. */
  readonly path: string;
}

interface File {
  readonly source: FileSource;
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
      const { mediaType } = source.value;
      const name = filename ?? (native ? undefined : (FILE_NAMES[mediaType] ?? "document"));
      return { file_data: inlineFile(source.value), filename: name };
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
function nameBesideReference({ filename, path }: File, { native, losses }: EncodeContext): string | undefined {
  if (native || filename === undefined) return filename;
  losses.at(`${path}.title`);
  return undefined;
}
