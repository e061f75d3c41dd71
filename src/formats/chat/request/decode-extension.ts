import { ReasoningSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers } from "../../shared/extra-members.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readBoolean, readInteger, readNumber, readObject, readString, WireError } from "../../shared/read.ts";

/** Members of the request that the hub models, or that end here. */
const MODELLED = knownMembers("chat", [InferenceInputSchema, ReasoningSchema], {
  further: ["stream", "stream_options", "n", "modalities", "functions", "function_call"],
});

const readPenalty = (value: unknown, path: string) => readNumber(value, path, { min: -2, max: 2 });

/** Checks of the members that travel on to an upstream of the same format. */
const CHECKS: Readonly<Record<string, (value: unknown, path: string) => unknown>> = {
  max_tokens: (value, path) => readInteger(value, path, { min: 1 }),
  audio: readObject,
  frequency_penalty: readPenalty,
  presence_penalty: readPenalty,
  logit_bias: readLogitBias,
  moderation: readObject,
  prediction: readObject,
  prompt_cache_options: readObject,
  prompt_cache_retention: readString,
  seed: readSeed,
  service_tier: readString,
  store: readBoolean,
  user: readString,
  web_search_options: readObject,
};

/**
 * Returns the members of a request that only this dialect knows, or nobody; undefined if there are none. Throws
 * WireError.
 */
export function decodeExtension(body: JsonObject): JsonObject | undefined {
  const members = extraMembers(body, MODELLED);
  if (members === undefined) return undefined;
  for (const [name, check] of Object.entries(CHECKS)) if (Object.hasOwn(members, name)) check(members[name], name);
  return members;
}

function readLogitBias(value: unknown, path: string): void {
  for (const [token, bias] of Object.entries(readObject(value, path))) {
    readNumber(bias, `${path}.${token}`, { min: -100, max: 100 });
  }
}

/** A seed has 64 bits, more than a double holds. */
function readSeed(value: unknown, path: string): void {
  if (typeof value === "string" || !/^-?\d{1,20}$/.test(JSON.stringify(value))) {
    throw new WireError(path, "must be a whole number");
  }
}
