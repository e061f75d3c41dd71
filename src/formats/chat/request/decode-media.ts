import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ContentBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { isDataUrl, parseDataUrl } from "../../shared/data-url.ts";
import type { JsonObject } from "../../shared/json.ts";
import { DETAIL_WORDS } from "../../shared/openai-words.ts";
import { optional, readObject, readString, WireError } from "../../shared/read.ts";
import { readWords } from "../../shared/words.ts";

/** The hub's kind of block for a part. */
export type KindInit = NonNullable<MessageInitShape<typeof ContentBlockSchema>["kind"]>;

/** Decodes an `image_url` part: a data: URL becomes inline data, any other URL stays. Throws WireError. */
export function decodeImage(part: JsonObject, path: string): KindInit {
  const image = readObject(part.image_url, `${path}.image_url`);
  const urlPath = `${path}.image_url.url`;
  const url = readString(image.url, urlPath);
  const { words } = readWords(image, `${path}.image_url`, { detail: DETAIL_WORDS });
  const { detail } = words;
  if (isDataUrl(url)) {
    return { case: "image", value: { source: { case: "inline", value: decodeDataUrl(url, urlPath) }, detail } };
  }
  if (!/^https?:\/\//i.test(url)) throw new WireError(urlPath, "must begin with 'https://', 'http://' or 'data:'");
  return { case: "image", value: { source: { case: "url", value: url }, detail } };
}

/** Decodes an `input_audio` part. Throws WireError. */
export function decodeAudio(part: JsonObject, path: string): KindInit {
  const audio = readObject(part.input_audio, `${path}.input_audio`);
  const base64 = readString(audio.data, `${path}.input_audio.data`);
  return { case: "audio", value: { base64, format: readString(audio.format, `${path}.input_audio.format`) } };
}

/** Decodes a `file` part: bytes (a data: URL, or bare base64) or the id of a file at the upstream. Throws WireError. */
export function decodeFile(part: JsonObject, path: string): KindInit {
  const file = readObject(part.file, `${path}.file`);
  const data = optional(file.file_data, `${path}.file.file_data`, readString);
  const id = optional(file.file_id, `${path}.file.file_id`, readString);
  const title = optional(file.filename, `${path}.file.filename`, readString);
  if ((data === undefined) === (id === undefined)) {
    throw new WireError(`${path}.file`, "must have either file_data or file_id, and not both");
  }
  if (data === undefined) return { case: "document", value: { source: { case: "fileId", value: id ?? "" }, title } };
  const inline = isDataUrl(data)
    ? decodeDataUrl(data, `${path}.file.file_data`)
    : { mediaType: "", base64: decodeBase64(data, `${path}.file.file_data`) };
  return { case: "document", value: { source: { case: "inline", value: inline }, title } };
}

function decodeDataUrl(url: string, path: string): { mediaType: string; base64: string } {
  const data = parseDataUrl(url);
  if (data !== undefined && data.base64 !== "") return data;
  throw new WireError(path, "must be a data: URL such as data:image/png;base64,iVBORw0KGgo=");
}

function decodeBase64(text: string, path: string): string {
  if (text !== "" && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return text;
  throw new WireError(path, "must be a data: URL, or bytes in base64");
}
