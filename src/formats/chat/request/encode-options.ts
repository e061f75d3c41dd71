import {
  type JsonSchema,
  type OutputFormat,
  type Reasoning,
  ThinkingMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { fitAnswerSchema } from "../../shared/fit-openai-schema.ts";
import { fitThinking } from "../../shared/fit-thinking.ts";
import { definedMembers, isJsonObject, type JsonObject, parseJson } from "../../shared/json.ts";
import { plainMembers } from "../../shared/plain-fields.ts";
import { encodeThinkingSwitch } from "../../shared/thinking-switch.ts";
import { UNNAMED_SCHEMA } from "../../shared/unnamed-schema.ts";
import { readChatJson } from "../raw-json.ts";
import type { Translation } from "./translation.ts";

/** Most stop sequences that the format takes. */
const MAX_STOPS = 4;

/** Most characters of `safety_identifier`. */
const MAX_USER_CHARACTERS = 128;

/** Encodes the members that steer the answer. Throws INVALID_REQUEST for more stop sequences than the format takes. */
export function encodeOptions(translation: Translation): JsonObject {
  const { input, breakpoints } = translation;
  const members = {
    ...encodeLimit(translation),
    ...plainMembers("chat", input),
    ...probabilities(translation),
    stop: stops(translation),
    ...(input.reasoning === undefined ? {} : encodeThinking(input.reasoning, translation)),
    response_format: input.outputFormat === undefined ? undefined : encodeFormat(input.outputFormat, translation),
    verbosity: input.verbosity,
    safety_identifier: endUser(translation),
    metadata: Object.keys(input.metadata).length === 0 ? undefined : { ...input.metadata },
    prompt_cache_key: input.promptCacheKey ?? translation.cacheKey,
    prompt_cache_options: breakpoints.options("30m"),
  };
  return definedMembers(members);
}

/**
 * The number of likeliest tokens is refused here without `logprobs`, and Responses tells nothing of it without its own
 * word for that.
 */
function probabilities({ input, isNative, losses, profile }: Translation): JsonObject {
  const { logprobs, topLogprobs = 0 } = input;
  const isTaken = profile.logprobs && (isNative || logprobs === true);
  if (isTaken) return {};
  if (!profile.logprobs && logprobs === true) losses.at("logprobs");
  if (topLogprobs > 0) losses.at("top_logprobs");
  return { logprobs: undefined, top_logprobs: undefined };
}

/** A caller who wrote `max_tokens` alone has it in the extension: servers exist that know only that. */
function encodeLimit({ input, isNative, profile }: Translation): JsonObject {
  if (profile.limitMember !== "as-called") return { [profile.limitMember]: input.maxOutputTokens };
  // All servers know the older name but OpenAI's newest models, and some know it alone.
  if (!isNative) return { max_tokens: input.maxOutputTokens };
  const older = readChatJson(input.extension)?.max_tokens;
  return older === input.maxOutputTokens ? {} : { max_completion_tokens: input.maxOutputTokens };
}

function stops({ input }: Translation): readonly string[] | undefined {
  const { stopSequences } = input;
  if (stopSequences.length === 0) return undefined;
  if (stopSequences.length <= MAX_STOPS) return stopSequences;
  throw InferenceError.invalid(
    "stop_sequences",
    `the upstream accepts at most ${MAX_STOPS} texts, not ${stopSequences.length}: leave some out, or choose ` +
      "another model",
  );
}

/** Callers of other formats put more into this field than the format holds; cut short it would name somebody else. */
function endUser({ input, isNative, losses }: Translation): string | undefined {
  const { endUserId } = input;
  if (isNative || endUserId === undefined || endUserId.length <= MAX_USER_CHARACTERS) return endUserId;
  losses.at("end_user_id");
  return undefined;
}

/** The form of an object for a server that takes nothing but schemas. */
const ANY_OBJECT = { type: "json_schema", json_schema: { name: UNNAMED_SCHEMA, schema: { type: "object" } } };

/** A server without schemas is asked for JSON at least. */
function encodeFormat({ kind }: OutputFormat, translation: Translation): JsonObject | undefined {
  const { losses, profile } = translation;
  if (profile.responseFormats === "none") {
    if (kind.case !== "text" && kind.case !== undefined) losses.at("output_format");
    return undefined;
  }
  switch (kind.case) {
    case "text":
      return { type: "text" };
    case "jsonObject":
      return profile.responseFormats === "json_schema_only" ? ANY_OBJECT : { type: "json_object" };
    case "jsonSchema":
      if (profile.responseFormats !== "json_object") return encodeSchema(kind.value, translation);
      losses.at("output_format.schema_json");
      return { type: "json_object" };
    case undefined:
      return undefined;
    default:
      return kind satisfies never;
  }
}

function encodeSchema(format: JsonSchema, translation: Translation): JsonObject {
  const { name, description, schemaJson } = format;
  const { schema, strict } = fitFormat(format, parseJson(schemaJson), translation);
  return {
    type: "json_schema",
    json_schema: {
      name: name || UNNAMED_SCHEMA,
      ...(description === undefined ? {} : { description }),
      schema,
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

function fitFormat({ strict }: JsonSchema, schema: unknown, { input, isNative, losses }: Translation) {
  if (isNative || !isJsonObject(schema)) return { schema, strict };
  return fitAnswerSchema({ strict }, schema, { dialect: input.dialect, losses });
}

/** Encodes what is asked of thinking; `adaptive` is what a model does when nothing is said. */
function encodeThinking(reasoning: Reasoning, translation: Translation): JsonObject {
  const { losses } = translation;
  const fitted = fitThinking(reasoning, translation, losses);
  const switched = encodeThinkingSwitch(fitted);
  const isEnabled = reasoning.budgetTokens !== undefined || Object.keys(switched).length > 0;
  const { mode } = reasoning;
  if (mode === ThinkingMode.BETWEEN_TOOLS || (mode === ThinkingMode.ENABLED && !isEnabled)) losses.at("reasoning.mode");
  return { reasoning_effort: fitted.effort, ...switched };
}
