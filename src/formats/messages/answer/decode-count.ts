import { unknownMembers } from "../../shared/json.ts";
import type { DecodedCount } from "../../shared/protocol.ts";
import { readCount } from "../../shared/read-count.ts";
import { messagesJson } from "../raw-json.ts";

const KNOWN = new Set(["input_tokens"]);

/** Decodes the answer of POST /v1/messages/count_tokens. Throws UPSTREAM_ERROR. */
export function decodeCount(body: string): DecodedCount {
  const { inputTokens, json } = readCount(body);
  return { inputTokens, extension: messagesJson(unknownMembers(json, KNOWN)) };
}
