import { create } from "@bufbuild/protobuf";
import {
  type OutputFormat,
  OutputFormatSchema,
  type Reasoning,
  type ReasoningEffort,
  ReasoningSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import { extraMembers } from "../../wire/extra-members.ts";
import type { JsonObject } from "../../wire/json.ts";
import { messagesJson } from "../../wire/messages/raw-json.ts";
import { EFFORT_WORDS, THINKING_MODE_WORDS } from "../../wire/messages/reasoning-words.ts";
import { optional, readChoice, readInteger, readObject } from "../../wire/read.ts";

const CONFIG_KNOWN = new Set(["effort", "format"]);
const FORMAT_KNOWN = new Set(["type", "schema"]);
const THINKING_KNOWN = new Set(["type", "budget_tokens", "display"]);
const EFFORTS = Object.keys(EFFORT_WORDS) as (keyof typeof EFFORT_WORDS)[];
const MODES = Object.keys(THINKING_MODE_WORDS) as (keyof typeof THINKING_MODE_WORDS)[];
/** Fewest tokens that may be set aside for thinking. */
const MIN_BUDGET_TOKENS = 1024;

/** A decoded `output_config`. */
export interface DecodedOutputConfig {
  readonly effort: ReasoningEffort | undefined;
  readonly format: OutputFormat | undefined;
  /** Members that the hub does not know. */
  readonly rest: JsonObject | undefined;
}

/** Decodes `output_config`. */
export function decodeOutputConfig(value: unknown): DecodedOutputConfig | undefined {
  const config = optional(value, "output_config", readObject);
  if (config === undefined) return undefined;
  const effort = optional(config["effort"], "output_config.effort", readChoice, EFFORTS);
  const format = optional(config["format"], "output_config.format", readObject);
  const formatRest = format === undefined ? undefined : extraMembers(format, FORMAT_KNOWN);
  const rest = extraMembers(config, CONFIG_KNOWN);
  return {
    effort: effort === undefined ? undefined : EFFORT_WORDS[effort],
    format: format === undefined ? undefined : decodeFormat(format),
    rest: formatRest === undefined ? rest : { ...rest, format: formatRest },
  };
}

function decodeFormat(format: JsonObject): OutputFormat {
  readChoice(format["type"], "output_config.format.type", ["json_schema"]);
  const schemaJson = JSON.stringify(readObject(format["schema"], "output_config.format.schema"));
  return create(OutputFormatSchema, { kind: { case: "jsonSchema", value: { schemaJson } } });
}

/** Decodes `thinking`, and adds the effort that `output_config` asks for; undefined if neither says anything. */
export function decodeReasoning(value: unknown, effort: ReasoningEffort | undefined): Reasoning | undefined {
  const thinking = optional(value, "thinking", readObject);
  if (thinking === undefined) return effort === undefined ? undefined : create(ReasoningSchema, { effort });
  const mode = readChoice(thinking["type"], "thinking.type", MODES);
  const budget = mode === "enabled" ? thinking["budget_tokens"] : undefined;
  const known = mode === "enabled" ? THINKING_KNOWN : new Set(["type", "display"]);
  return create(ReasoningSchema, {
    effort,
    mode: THINKING_MODE_WORDS[mode],
    budgetTokens:
      mode === "enabled" ? readInteger(budget, "thinking.budget_tokens", { min: MIN_BUDGET_TOKENS }) : undefined,
    display: optional(thinking["display"], "thinking.display", readChoice, ["summarized", "omitted"]),
    extension: messagesJson(extraMembers(thinking, known)),
  });
}
