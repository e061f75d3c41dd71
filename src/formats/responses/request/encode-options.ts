import { type OutputFormat, type Reasoning, ThinkingMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { fitAnswerSchema } from "../../shared/fit-openai-schema.ts";
import { fitThinking } from "../../shared/fit-thinking.ts";
import type { JsonObject } from "../../shared/json.ts";
import { plainMembers } from "../../shared/plain-fields.ts";
import { encodeThinkingSwitch } from "../../shared/thinking-switch.ts";
import { UNNAMED_SCHEMA } from "../../shared/unnamed-schema.ts";
import { type EncodeContext, parseMember } from "./encode-context.ts";

/** Most characters of a `safety_identifier`. */
const END_USER_CHARACTERS = 128;

/**
 * Encodes sampling, labels and the end user; names what the format has no place for. `cacheKey` is for callers who give
 * none.
 */
export function encodeSampling(
  input: InferenceInput,
  context: EncodeContext,
  cacheKey: string | undefined,
): JsonObject {
  const { losses, native, breakpoints } = context;
  const cacheOptions = breakpoints.options("12h");
  const endUserId = input.endUserId ?? "";
  // A shortened identifier would be another one.
  const fits = native || endUserId.length <= END_USER_CHARACTERS;
  if (!fits) losses.at("end_user_id");
  return {
    max_output_tokens: input.maxOutputTokens,
    ...plainMembers("responses", input),
    metadata: Object.keys(input.metadata).length > 0 ? input.metadata : undefined,
    safety_identifier: fits ? input.endUserId : undefined,
    prompt_cache_key: input.promptCacheKey ?? cacheKey,
    ...(cacheOptions === undefined ? {} : { prompt_cache_options: cacheOptions }),
  };
}

/** Encodes `reasoning`, and what switches thinking on and off at servers that have another member for it. */
export function encodeReasoning(reasoning: Reasoning | undefined, context: EncodeContext): JsonObject {
  if (reasoning === undefined) return {};
  const { losses } = context;
  const fitted = fitThinking(reasoning, context, losses);
  if (reasoning.mode === ThinkingMode.BETWEEN_TOOLS) losses.at("reasoning.mode");
  const extension = losses.own(reasoning.extension);
  const encoded = { effort: fitted.effort, summary: encodeSummary(reasoning, context), ...extension };
  const isEmpty = Object.values(encoded).every((value) => value === undefined);
  return { reasoning: isEmpty && !context.native ? undefined : encoded, ...encodeThinkingSwitch(fitted) };
}

/** Without a wish for a summary none is given, which is what `omitted` asks for. */
function encodeSummary({ summary, display }: Reasoning, { losses }: EncodeContext): string | undefined {
  if (summary !== undefined) return summary;
  if (display === "summarized") return "auto";
  if (display !== undefined && display !== "omitted") losses.at("reasoning.display");
  return undefined;
}

/** Encodes `text`; undefined if the request says nothing of it. */
export function encodeText(input: InferenceInput, context: EncodeContext): JsonObject | undefined {
  const { outputFormat, verbosity } = input;
  if (outputFormat === undefined && verbosity === undefined) return undefined;
  return { format: outputFormat && encodeFormat(outputFormat, context), verbosity };
}

function encodeFormat({ kind }: OutputFormat, context: EncodeContext): JsonObject | undefined {
  switch (kind.case) {
    case "text":
      return { type: "text" };
    case "jsonObject":
      return { type: "json_object" };
    case "jsonSchema": {
      const { name, description, schemaJson } = kind.value;
      const sentSchema = parseMember(schemaJson, "output_format.json_schema.schema_json");
      const { schema, strict } = context.native
        ? { schema: sentSchema, strict: kind.value.strict }
        : fitAnswerSchema(kind.value, sentSchema, context);
      return { type: "json_schema", name: name || UNNAMED_SCHEMA, description, schema, strict };
    }
    case undefined:
      return undefined;
    default:
      return kind satisfies never;
  }
}
