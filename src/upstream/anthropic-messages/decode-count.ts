import { ErrorReason, InferenceError } from "../../inference/error.ts";
import { parseJsonObject, unknownMembers } from "../../wire/json.ts";
import { messagesJson } from "../../wire/messages/raw-json.ts";
import type { DecodedCount } from "../protocol.ts";

const KNOWN = new Set(["input_tokens"]);

/** Decodes the answer of POST /v1/messages/count_tokens. Throws UPSTREAM_ERROR. */
export function decodeCount(body: string): DecodedCount {
  const json = parseJsonObject(body);
  const inputTokens = json?.["input_tokens"];
  if (json === undefined || typeof inputTokens !== "number" || !Number.isInteger(inputTokens) || inputTokens < 0) {
    throw new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream answered without a count of tokens");
  }
  return { inputTokens, extension: messagesJson(unknownMembers(json, KNOWN)) };
}
