import type { InlineData } from "../../../gen/attune/content/v1/content_pb.ts";
import { toBase64 } from "../../hub/to-base64.ts";
import { dataUrl } from "./data-url.ts";

/** Writes the bytes of a block as a data: URL. */
export function inlineUrl(data: InlineData): string {
  return dataUrl({ mediaType: data.mediaType, base64: toBase64(data) });
}

/**
 * Writes the bytes of a file as OpenAI's formats take them: a data: URL, or base64 alone, as it came, without a media
 * type.
 */
export function inlineFile(data: InlineData): string {
  return data.mediaType === "" ? toBase64(data) : inlineUrl(data);
}
