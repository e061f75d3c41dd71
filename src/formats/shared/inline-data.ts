import type { InlineData } from "../../../gen/attune/content/v1/content_pb.ts";
import { base64Of } from "../../hub/base64-of.ts";
import { dataUrl } from "./data-url.ts";

/** Writes the bytes of a block as a data: URL. */
export function inlineUrl(data: InlineData): string {
  return dataUrl({ mediaType: data.mediaType, base64: base64Of(data) });
}

/**
 * Writes the bytes of a file as OpenAI's formats take them: a data: URL, or base64 alone, as it came, without a media
 * type.
 */
export function inlineFile(data: InlineData): string {
  return data.mediaType === "" ? base64Of(data) : inlineUrl(data);
}
