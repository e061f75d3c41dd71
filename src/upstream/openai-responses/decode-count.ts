import { unknownMembers } from "../../wire/json.ts";
import { responsesJson } from "../../wire/responses/raw-json.ts";
import type { DecodedCount } from "../protocol.ts";
import { readCount } from "../read-count.ts";

const KNOWN = new Set(["object", "input_tokens"]);

/** Decodes the answer of POST /responses/input_tokens. Throws UPSTREAM_ERROR. */
export function decodeCount(body: string): DecodedCount {
  const { inputTokens, json } = readCount(body);
  return { inputTokens, extension: responsesJson(unknownMembers(json, KNOWN)) };
}
