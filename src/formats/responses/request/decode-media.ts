import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ContentBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { isDataUrl, parseDataUrl } from "../../shared/data-url.ts";
import { decodedMember, type Member, required, textMember, type Values, wordMember } from "../../shared/member.ts";
import { DETAIL_WORDS } from "../../shared/openai-words.ts";
import { readString, WireError } from "../../shared/read.ts";

/** The hub's kind of block for a part. */
export type KindInit = NonNullable<MessageInitShape<typeof ContentBlockSchema>["kind"]>;

type ImageSource = { case: "url" | "fileId"; value: string } | { case: "inline"; value: Inline };
type Inline = { mediaType: string; base64: string };

/** Describes a text by which an image or a file is found. */
function sourceMember(description: string, read: Member<ImageSource>["read"]): Member<ImageSource> {
  return { ...textMember(description), read };
}

export const IMAGE = {
  image_url: sourceMember("Address of the image: `https:`, `http:` or `data:`", readImageUrl),
  file_id: sourceMember("Upstream's id of the image, instead of its address", readFileId),
  detail: wordMember(DETAIL_WORDS, "Resolution that the model sees"),
};

/** Returns the kind of a block that is an image. Throws WireError unless it has exactly one source. */
export function toImage({ image_url: url, file_id: id, detail }: Values<typeof IMAGE>, path: string): KindInit {
  const source = onlySource([url, id], path, "needs either 'image_url' or 'file_id', and not both");
  return { case: "image", value: { source, detail } };
}

export const FILE = {
  file_data: sourceMember("The file as a `data:` URL or base64", readFileData),
  file_url: sourceMember("URL of the file, instead of its data", readHttpUrl),
  file_id: sourceMember("Upstream's id of the file, instead of its data", readFileId),
  filename: textMember("Name of the file"),
};

/** Returns the kind of a block that is a document. Throws WireError unless it has exactly one source. */
export function toDocument({ filename: title, ...sources }: Values<typeof FILE>, path: string): KindInit {
  const { file_data: data, file_url: url, file_id: id } = sources;
  const source = onlySource([data, url, id], path, "needs exactly one of 'file_data', 'file_url' and 'file_id'");
  return { case: "document", value: { source, title } };
}

/** `input_audio`, the object inside its part. */
export const AUDIO = decodedMember(
  {
    data: required(textMember("The audio in base64")),
    format: required(textMember("Audio format: `wav`, `mp3`")),
  },
  "Audio",
  ({ data, format }, { rest }) => ({ kind: { case: "audio" as const, value: { base64: data, format } }, rest }),
);

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
