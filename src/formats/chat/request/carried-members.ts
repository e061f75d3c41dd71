import {
  type CarriedMember,
  type CarriedMembers,
  carriedFlag,
  carriedNumber,
  carriedObject,
  carriedText,
} from "../../shared/carried-member.ts";
import { readInteger, readNumber, readObject, WireError } from "../../shared/read.ts";

const penalty = carriedNumber({ min: -2, max: 2 });

const maxTokens: CarriedMember = {
  check: (value, path) => readInteger(value, path, { min: 1 }),
  schema: {
    type: "integer",
    format: "int32",
    description: "Older name of `max_completion_tokens`",
    minimum: 1,
    deprecated: true,
  },
};

/** A seed has 64 bits, more than a double holds. */
const seed: CarriedMember = {
  check: (value, path) => {
    if (typeof value === "string" || !/^-?\d{1,20}$/.test(JSON.stringify(value)))
      throw new WireError(path, "must be a whole number");
  },
  schema: { type: "integer", format: "int64", description: "Carried to an upstream of the same format" },
};

const logitBias: CarriedMember = {
  check: (value, path) => {
    for (const [token, bias] of Object.entries(readObject(value, path)))
      readNumber(bias, `${path}.${token}`, { min: -100, max: 100 });
  },
  schema: {
    type: "object",
    description: "Biases of tokens, by their numbers",
    additionalProperties: { type: "number", format: "double", description: "Bias", minimum: -100, maximum: 100 },
  },
};

/** Members of a request that only this format has. */
export const CARRIED: CarriedMembers = {
  max_tokens: maxTokens,
  user: carriedText("Older name of `safety_identifier`"),
  prompt_cache_options: carriedObject("Options of the upstream's cache"),
  prompt_cache_retention: carriedText("Lifetime of the upstream's cache"),
  store: carriedFlag("Carried to an upstream of the same format; Attune stores by the settings of the project"),
  seed,
  frequency_penalty: penalty,
  presence_penalty: penalty,
  logit_bias: logitBias,
  service_tier: carriedText(),
  prediction: carriedObject(),
  moderation: carriedObject(),
  audio: carriedObject(),
  web_search_options: carriedObject("Asks for a search of the web, of models that can"),
};
