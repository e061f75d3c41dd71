import {
  carriedTable,
  deprecated,
  flagMember,
  integerMember,
  jsonMember,
  type Member,
  numberMember,
  textMember,
} from "../../shared/member.ts";
import { readNumber, readObject, WireError } from "../../shared/read.ts";
import { CARRIED as DESCRIPTION } from "../../shared/request-members.ts";
import { number, record } from "../../shared/schema.ts";

const penalty = numberMember(DESCRIPTION, { min: -2, max: 2 });

/** A seed has 64 bits, more than a double holds. */
const seed: Member = {
  read: (value, path) => {
    if (typeof value === "string" || !/^-?\d{1,20}$/.test(JSON.stringify(value)))
      throw new WireError(path, "must be a whole number");
  },
  schema: { type: "integer", format: "int64", description: DESCRIPTION },
};

const logitBias: Member = {
  read: (value, path) => {
    for (const [token, bias] of Object.entries(readObject(value, path)))
      readNumber(bias, `${path}.${token}`, { min: -100, max: 100 });
  },
  schema: record(number("Bias", { minimum: -100, maximum: 100 }), "Biases of tokens, by their numbers"),
};

/** Members of a request that only this format has. */
export const CARRIED = carriedTable({
  max_tokens: deprecated(integerMember("Older name of `max_completion_tokens`", { min: 1 })),
  user: textMember("Older name of `safety_identifier`"),
  prompt_cache_options: jsonMember("Options of the upstream's cache"),
  prompt_cache_retention: textMember("Lifetime of the upstream's cache"),
  store: flagMember("Passed on to an upstream of the same format; Attune itself follows the project's settings"),
  seed,
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: logitBias,
  service_tier: textMember(DESCRIPTION),
  prediction: jsonMember(DESCRIPTION),
  moderation: jsonMember(DESCRIPTION),
  audio: jsonMember(DESCRIPTION),
  web_search_options: jsonMember("Requests a web search, from models that support it"),
});
