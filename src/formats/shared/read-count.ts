import { ErrorReason, InferenceError } from "../../hub/error.ts";
import { type JsonObject, parseJsonObject } from "./json.ts";

/** An answer to the question for the size of a prompt. */
interface CountAnswer {
  readonly inputTokens: number;
  readonly json: JsonObject;
}

/** Reads `input_tokens` of an answer, which two formats name alike. Throws UPSTREAM_ERROR. */
export function readCount(body: string): CountAnswer {
  const json = parseJsonObject(body);
  const inputTokens = json?.["input_tokens"];
  if (json === undefined || typeof inputTokens !== "number" || !Number.isInteger(inputTokens) || inputTokens < 0) {
    throw new InferenceError(ErrorReason.UPSTREAM_ERROR, "the upstream answered without a count of tokens");
  }
  return { inputTokens, json };
}
