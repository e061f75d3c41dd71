import { unknownMembers } from "../../wire/json.ts";
import { messagesJson } from "../../wire/messages/raw-json.ts";
import type { DecodedCount } from "../protocol.ts";
import { readCount } from "../read-count.ts";

const KNOWN = new Set(["input_tokens"]);

/** Decodes the answer of POST /v1/messages/count_tokens. Throws UPSTREAM_ERROR. */
export function decodeCount(body: string): DecodedCount {
  const { inputTokens, json } = readCount(body);
  return { inputTokens, extension: messagesJson(unknownMembers(json, KNOWN)) };
}
