import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ContentBlockSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { isDataUrl, parseDataUrl } from "../../shared/data-url.ts";
import type { JsonObject } from "../../shared/json.ts";
import { decodedMember, required, textMember, wordMember } from "../../shared/member.ts";
import { DETAIL_WORDS } from "../../shared/openai-words.ts";
import { WireError } from "../../shared/read.ts";

/** The hub's kind of block for a part. */
export type KindInit = NonNullable<MessageInitShape<typeof ContentBlockSchema>["kind"]>;

/** The object inside a part. */
interface DecodedInner {
  readonly kind: KindInit;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** `image_url`: a data: URL becomes inline data, any other URL stays. */
export const IMAGE = decodedMember(
  {
    url: required(textMember("Address of the image: `https:`, `http:` or `data:`")),
    detail: wordMember(DETAIL_WORDS, "Resolution that the model sees"),
  },
  "Source of the image",
  ({ url, detail }, { path, rest }): DecodedInner => {
    const at = `${path}.url`;
    if (isDataUrl(url)) {
      return {
        kind: { case: "image", value: { source: { case: "inline", value: decodeDataUrl(url, at) }, detail } },
        rest,
      };
    }
    if (!/^https?:\/\//i.test(url)) throw new WireError(at, "must begin with 'https://', 'http://' or 'data:'");
    return { kind: { case: "image", value: { source: { case: "url", value: url }, detail } }, rest };
  },
);

export const AUDIO = decodedMember(
  {
    data: required(textMember("The audio in base64")),
    format: required(textMember("Audio format: `wav`, `mp3`")),
  },
  "Audio",
  ({ data, format }, { rest }): DecodedInner => ({ kind: { case: "audio", value: { base64: data, format } }, rest }),
);

/** `file`: bytes (a data: URL, or bare base64) or the id of a file at the upstream. */
export const FILE = decodedMember(
  {
    file_data: textMember("The file as a `data:` URL or base64"),
    file_id: textMember("Upstream's id of the file"),
    filename: textMember("Name"),
  },
  "File",
  ({ file_data: data, file_id: id, filename: title }, { path, rest }): DecodedInner => {
    if ((data === undefined) === (id === undefined)) {
      throw new WireError(path, "must have either file_data or file_id, and not both");
    }
    if (data === undefined) {
      return { kind: { case: "document", value: { source: { case: "fileId", value: id ?? "" }, title } }, rest };
    }
    const at = `${path}.file_data`;
    const inline = isDataUrl(data) ? decodeDataUrl(data, at) : { mediaType: "", base64: decodeBase64(data, at) };
    return { kind: { case: "document", value: { source: { case: "inline", value: inline }, title } }, rest };
  },
);

function decodeDataUrl(url: string, path: string): { mediaType: string; base64: string } {
  const data = parseDataUrl(url);
  if (data !== undefined && data.base64 !== "") return data;
  throw new WireError(path, "must be a data: URL such as data:image/png;base64,iVBORw0KGgo=");
}

function decodeBase64(text: string, path: string): string {
  if (text !== "" && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return text;
  throw new WireError(path, "must be a data: URL, or bytes in base64");
}
