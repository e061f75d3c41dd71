import {
  type JsonSchema,
  type OutputFormat,
  type Reasoning,
  ReasoningEffort,
  ThinkingMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { fitSchema } from "../../shared/fit-schema.ts";
import { type JsonObject, mergeMembers, parseJsonObject } from "../../shared/json.ts";
import { plainMembers } from "../../shared/plain-fields.ts";
import { ANTHROPIC_SUBSET } from "../../shared/schema-subset.ts";
import { UNNAMED_SCHEMA } from "../../shared/unnamed-schema.ts";
import { findWord } from "../../shared/words.ts";
import { EFFORT_WORDS, THINKING_MODE_WORDS } from "../reasoning-words.ts";
import type { RequestedThinking } from "./ask-thinking.ts";
import type { EncodeContext } from "./encode-context.ts";

/** Encodes sampling, stop sequences and the end user. Throws INVALID_REQUEST for a temperature above 1. */
export function encodeSampling(input: InferenceInput, context: EncodeContext): JsonObject {
  const { temperature, endUserId } = input;
  if (temperature !== undefined && temperature > 1) {
    throw InferenceError.invalid("temperature", `must be from 0 to 1 for this model, not ${temperature}`);
  }
  if (input.logprobs) context.losses.at("logprobs");
  if ((input.topLogprobs ?? 0) > 0) context.losses.at("top_logprobs");
  const json = plainMembers("messages", input);
  // Anthropic takes no stop sequence of white space alone.
  const stops = context.native ? input.stopSequences : input.stopSequences.filter((text) => text.trim() !== "");
  if (stops.length < input.stopSequences.length) context.losses.at("stop_sequences");
  if (stops.length > 0) json["stop_sequences"] = stops;
  if (endUserId !== undefined) json["metadata"] = { user_id: endUserId };
  return json;
}

/** Encodes `thinking`; undefined if the request says nothing of it. */
export function encodeThinkingConfig(reasoning: Reasoning | undefined, context: EncodeContext): JsonObject | undefined {
  if (reasoning === undefined) return undefined;
  if (reasoning.summary !== undefined) context.losses.at("reasoning.summary");
  const extension = context.losses.own(reasoning.extension);
  const type = findWord(THINKING_MODE_WORDS, reasoning.mode);
  if (reasoning.mode !== ThinkingMode.ENABLED && reasoning.budgetTokens !== undefined)
    context.losses.at("reasoning.budget_tokens");
  if (type === undefined) {
    // A type that the hub does not know is in the extension, with all that stands beside it.
    if (extension !== undefined) return extension;
    if (reasoning.display !== undefined) context.losses.at("reasoning.display");
    return undefined;
  }
  const json: JsonObject = { type };
  if (reasoning.mode === ThinkingMode.ENABLED) json["budget_tokens"] = reasoning.budgetTokens;
  if (reasoning.display !== undefined) json["display"] = reasoning.display;
  return mergeMembers(json, extension);
}

/** Encodes `output_config`; undefined if the request says nothing of it. */
export function encodeOutputConfig(
  input: InferenceInput,
  thinking: Pick<RequestedThinking, "effort"> | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const own = findWord(EFFORT_WORDS, input.reasoning?.effort ?? ReasoningEffort.UNSPECIFIED);
  const effort = thinking === undefined ? own : thinking.effort;
  if (thinking === undefined && own === undefined && asksEffort(input.reasoning)) context.losses.at("reasoning.effort");
  const format = encodeFormat(input.outputFormat, context);
  if (effort === undefined && format === undefined) return undefined;
  return { ...(effort === undefined ? {} : { effort }), ...(format === undefined ? {} : { format }) };
}

/** Tells whether an effort is asked for, other than none where there is to be no thinking. */
function asksEffort(reasoning: Reasoning | undefined): boolean {
  if (reasoning === undefined || reasoning.effort === ReasoningEffort.UNSPECIFIED) return false;
  return reasoning.effort !== ReasoningEffort.NONE || reasoning.mode !== ThinkingMode.DISABLED;
}

function encodeFormat(format: OutputFormat | undefined, context: EncodeContext): JsonObject | undefined {
  const kind = format?.kind;
  if (kind?.case === "jsonObject") context.losses.at("output_format");
  return kind?.case === "jsonSchema" ? encodeSchema(kind.value, context) : undefined;
}

/**
 * Encodes the schema of an answer. It always binds, which a caller who does not insist on it allows. One that the
 * format cannot hold a model to is lost with the form of the answer: undefined. The format's own callers are left to
 * the upstream, whose words they use.
 */
function encodeSchema(format: JsonSchema, context: EncodeContext): JsonObject | undefined {
  const schema = namedSchema(format, context);
  if (context.native) return { type: "json_schema", schema };
  const answerSchema = { schema, strict: true, place: "output_format.schema_json", strictPlace: "output_format" };
  const fitted = fitSchema(answerSchema, ANTHROPIC_SUBSET, context.losses);
  return fitted.strict ? { type: "json_schema", schema: fitted.schema } : undefined;
}

/**
 * Returns the schema with what the other formats say beside it: name and description go into its own `title` and
 * `description`, where a model reads the same words.
 */
function namedSchema({ name, description, schemaJson }: JsonSchema, context: EncodeContext): JsonObject {
  const schema = parseJsonObject(schemaJson);
  if (schema === undefined)
    throw InferenceError.invalid("output_format.json_schema.schema_json", "must be a JSON object");
  const isNamed = name !== "" && name !== UNNAMED_SCHEMA;
  // A title that is there says what the name would.
  if (isNamed && schema["title"] === undefined) schema["title"] = name;
  if (description === undefined || description === schema["description"]) return schema;
  if (schema["description"] === undefined) schema["description"] = description;
  else context.losses.at("output_format.description");
  return schema;
}
