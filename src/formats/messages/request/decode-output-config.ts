import { create } from "@bufbuild/protobuf";
import {
  JsonSchemaSchema,
  type OutputFormat,
  OutputFormatSchema,
  type Reasoning,
  type ReasoningEffort,
  ReasoningSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { optional, readChoice, readInteger, readObject, readString } from "../../shared/read.ts";
import { isNewWord, joinMembers, listWords, readWords } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { EFFORT_WORDS, THINKING_MODE_WORDS } from "../reasoning-words.ts";

const CONFIG_KNOWN = knownMembers("messages", [InferenceInputSchema, ReasoningSchema], { path: "output_config" });
const FORMAT_KNOWN = knownMembers("messages", [JsonSchemaSchema], {
  path: "output_config.format",
  further: ["type"],
});
const THINKING_KNOWN = knownMembers("messages", [ReasoningSchema], { path: "thinking", further: ["type"] });
const EFFORTS = listWords(EFFORT_WORDS);
const MODES = listWords(THINKING_MODE_WORDS);
const DISPLAYS = ["summarized", "omitted"] as const;
const FORMATS = ["json_schema"] as const;
/** Fewest tokens that may be set aside for thinking. */
const MIN_BUDGET_TOKENS = 1024;

/** A decoded `output_config`. */
interface DecodedOutputConfig {
  readonly effort: ReasoningEffort | undefined;
  readonly format: OutputFormat | undefined;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** Decodes `output_config`. */
export function decodeOutputConfig(value: unknown): DecodedOutputConfig | undefined {
  const config = optional(value, "output_config", readObject);
  if (config === undefined) return undefined;
  const { words, unknown } = readWords(config, "output_config", { effort: EFFORTS });
  const format = optional(config["format"], "output_config.format", decodeFormat);
  const rest = joinMembers(extraMembers(config, CONFIG_KNOWN), unknown);
  return {
    effort: words.effort === undefined ? undefined : EFFORT_WORDS[words.effort],
    format: format?.format,
    rest: format?.rest === undefined ? rest : { ...rest, format: format.rest },
  };
}

interface DecodedFormat {
  readonly format?: OutputFormat;
  readonly rest: JsonObject | undefined;
}

/** A form of a type that is not known is kept whole. */
function decodeFormat(value: unknown, path: string): DecodedFormat {
  const format = readObject(value, path);
  if (isNewWord(format["type"], FORMATS)) return { rest: format };
  readChoice(format["type"], `${path}.type`, FORMATS);
  const schemaJson = JSON.stringify(readObject(format["schema"], `${path}.schema`));
  return {
    format: create(OutputFormatSchema, { kind: { case: "jsonSchema", value: { schemaJson } } }),
    rest: extraMembers(format, FORMAT_KNOWN),
  };
}

/** Decodes `thinking`, and adds the effort that `output_config` asks for; undefined if neither says anything. */
export function decodeReasoning(value: unknown, effort: ReasoningEffort | undefined): Reasoning | undefined {
  const thinking = optional(value, "thinking", readObject);
  if (thinking === undefined) return effort === undefined ? undefined : create(ReasoningSchema, { effort });
  if (isNewWord(thinking["type"], MODES)) return decodeNewThinking(thinking, effort);
  const mode = readChoice(thinking["type"], "thinking.type", MODES);
  const { words, unknown } = readWords(thinking, "thinking", { display: DISPLAYS });
  const budget = mode === "enabled" ? thinking["budget_tokens"] : undefined;
  const known = mode === "enabled" ? THINKING_KNOWN : new Set(["type", "display"]);
  return create(ReasoningSchema, {
    effort,
    mode: THINKING_MODE_WORDS[mode],
    budgetTokens:
      mode === "enabled" ? readInteger(budget, "thinking.budget_tokens", { min: MIN_BUDGET_TOKENS }) : undefined,
    display: words.display,
    extension: messagesJson(joinMembers(extraMembers(thinking, known), unknown)),
  });
}

/** Decodes thinking of an unknown type: all of it is kept, since its members are unknown too. */
function decodeNewThinking(thinking: JsonObject, effort: ReasoningEffort | undefined): Reasoning {
  optional(thinking["budget_tokens"], "thinking.budget_tokens", readInteger);
  optional(thinking["display"], "thinking.display", readString);
  return create(ReasoningSchema, { effort, extension: messagesJson(thinking) });
}
