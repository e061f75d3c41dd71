import type { PromptPart } from "./prompt-parts.ts";

/** Bytes of UTF-8 that a token holds, as a rule: characters of English, and fewer of most other languages. */
const BYTES_PER_TOKEN = 4;

/** UTF-16 units of a text that are looked at, to tell how many bytes its characters have. */
const SAMPLE_LENGTH = 4096;

/** Estimates the tokens of texts and media from their lengths; of a text only the beginning is read. */
export function estimateParts(parts: Iterable<PromptPart>): number {
  let [tokens, bytes] = [0, 0];
  for (const part of parts) {
    if (typeof part === "number") tokens += part;
    else bytes += bytesOf(part);
  }
  return tokens + Math.ceil(bytes / BYTES_PER_TOKEN);
}

function bytesOf(text: string): number {
  const sample = text.slice(0, SAMPLE_LENGTH);
  return sample === "" ? 0 : (Buffer.byteLength(sample) * text.length) / sample.length;
}
