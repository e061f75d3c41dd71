import { unknownMembers } from "../../shared/json.ts";
import type { DecodedCount } from "../../shared/protocol.ts";
import { readCount } from "../../shared/read-count.ts";
import { responsesJson } from "../../shared/responses-json.ts";

const KNOWN = new Set(["object", "input_tokens"]);

/** Decodes the answer of POST /responses/input_tokens. Throws UPSTREAM_ERROR. */
export function decodeCount(body: string): DecodedCount {
  const { inputTokens, json } = readCount(body);
  return { inputTokens, extension: responsesJson(unknownMembers(json, KNOWN)) };
}
