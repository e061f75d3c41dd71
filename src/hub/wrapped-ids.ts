import { Buffer } from "node:buffer";
import { readOwnItemId } from "./item-references.ts";

const UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

/** Prefixes that clients and formats put before the id of an answer. */
const PREFIXED = new RegExp(`^(?:chatcmpl|resp|msg|cmpl|gen|run|lc_run)(?:_|--?)(${UUID}(?:\\.\\d{1,3})?)$`);

/** The text that LiteLLM writes in base64 behind `resp_`: `litellm:custom_llm_provider:P;model_id:M;response_id:ID`. */
const LITELLM = new RegExp(`(?:^|;)response_id:(?:resp_)?(${UUID})(?:;|$)`);
const BASE64 = /^resp_([A-Za-z0-9+/=_-]{48,2048})$/;

/**
 * Takes the id of an answer out of the forms that clients are known to make of it: one with a prefix, one of an item of
 * the answer, and LiteLLM's. Any other text stays.
 */
export function unwrapAnswerId(text: string): string {
  const [, plain] = PREFIXED.exec(text) ?? [];
  if (plain !== undefined) return plain;
  const item = readOwnItemId(text);
  if (item !== undefined) return item.inferenceId;
  const [, packed] = BASE64.exec(text) ?? [];
  if (packed === undefined) return text;
  return LITELLM.exec(Buffer.from(packed, "base64").toString("latin1"))?.[1] ?? text;
}
