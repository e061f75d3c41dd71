import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ContentBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { isDataUrl, parseDataUrl } from "../../shared/data-url.ts";
import type { JsonObject } from "../../shared/json.ts";
import { DETAIL_WORDS } from "../../shared/openai-words.ts";
import { optional, readString, WireError } from "../../shared/read.ts";
import { readWords } from "../../shared/words.ts";

/** The hub's kind of block for a part. */
export type KindInit = NonNullable<MessageInitShape<typeof ContentBlockSchema>["kind"]>;

type ImageSource = { case: "url" | "fileId"; value: string } | { case: "inline"; value: Inline };
type Inline = { mediaType: string; base64: string };

/** Decodes an `input_image` part. Throws WireError unless it has exactly one source. */
export function decodeImage(part: JsonObject, path: string): KindInit {
  const source = onlySource(
    [
      optional(part.image_url, `${path}.image_url`, readImageUrl),
      optional(part.file_id, `${path}.file_id`, readFileId),
    ],
    path,
    "needs either 'image_url' or 'file_id', and not both",
  );
  const { words } = readWords(part, path, { detail: DETAIL_WORDS });
  return { case: "image", value: { source, detail: words.detail } };
}

/** Decodes an `input_file` part. Throws WireError unless it has exactly one source. */
export function decodeFile(part: JsonObject, path: string): KindInit {
  const source = onlySource(
    [
      optional(part.file_data, `${path}.file_data`, readFileData),
      optional(part.file_url, `${path}.file_url`, readHttpUrl),
      optional(part.file_id, `${path}.file_id`, readFileId),
    ],
    path,
    "needs exactly one of 'file_data', 'file_url' and 'file_id'",
  );
  return { case: "document", value: { source, title: optional(part.filename, `${path}.filename`, readString) } };
}

function onlySource(sources: readonly (ImageSource | undefined)[], path: string, problem: string): ImageSource {
  const given = sources.filter((source) => source !== undefined);
  const [first] = given;
  if (first === undefined || given.length > 1) throw new WireError(path, problem);
  return first;
}

function readFileId(value: unknown, path: string): ImageSource {
  return { case: "fileId", value: readString(value, path) };
}

function readHttpUrl(value: unknown, path: string): ImageSource {
  const url = readString(value, path);
  if (!/^https?:\/\//i.test(url)) throw new WireError(path, "must begin with 'https://' or 'http://'");
  return { case: "url", value: url };
}

function readImageUrl(value: unknown, path: string): ImageSource {
  const url = readString(value, path);
  if (isDataUrl(url)) return { case: "inline", value: readDataUrl(url, path) };
  if (!/^https?:\/\//i.test(url)) throw new WireError(path, "must begin with 'https://', 'http://' or 'data:'");
  return { case: "url", value: url };
}

/** The format takes a data: URL, and base64 alone. */
function readFileData(value: unknown, path: string): ImageSource {
  const data = readString(value, path);
  return { case: "inline", value: isDataUrl(data) ? readDataUrl(data, path) : { mediaType: "", base64: data } };
}

function readDataUrl(url: string, path: string): Inline {
  const data = parseDataUrl(url);
  if (data !== undefined) return { mediaType: data.mediaType, base64: data.base64 };
  throw new WireError(path, "is not a valid data: URL: write its media type, ';base64,' and the bytes in base64");
}
