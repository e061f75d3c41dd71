import { create } from "@bufbuild/protobuf";
import {
  JsonSchemaSchema,
  type OutputFormat,
  OutputFormatSchema,
  type Reasoning,
  ReasoningSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { InferenceInputSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { EFFORT_WORDS, SUMMARY_WORDS, VERBOSITY_WORDS } from "../../shared/openai-words.ts";
import { optional, readBoolean, readName, readObject, readString } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { joinMembers, listWords, readWords } from "../../shared/words.ts";

const REASONING = knownMembers("responses", [ReasoningSchema], { path: "reasoning" });
const EFFORTS = listWords(EFFORT_WORDS);
const TEXT = knownMembers("responses", [InferenceInputSchema], { path: "text" });
const TYPE = new Set(["type"]);
const JSON_SCHEMA = knownMembers("responses", [JsonSchemaSchema], { path: "text.format", further: ["type"] });

/** Decodes `reasoning`. Throws WireError. */
export function decodeReasoning(value: unknown, path: string): Reasoning {
  const reasoning = readObject(value, path);
  const { words, unknown } = readWords(reasoning, path, { effort: EFFORTS, summary: SUMMARY_WORDS });
  return create(ReasoningSchema, {
    ...(words.effort === undefined ? {} : { effort: EFFORT_WORDS[words.effort] }),
    summary: words.summary,
    extension: responsesJson(joinMembers(extraMembers(reasoning, REASONING), unknown)),
  });
}

/** The settings in `text`. */
interface TextOptions {
  readonly outputFormat?: OutputFormat | undefined;
  readonly verbosity?: string | undefined;
  /** Members of `text` that only the format knows, in their places. */
  readonly rest?: JsonObject | undefined;
}

/** Decodes `text`. Throws WireError. */
export function decodeText(value: unknown, path: string): TextOptions {
  const text = readObject(value, path);
  const format = optional(text.format, `${path}.format`, decodeFormat);
  const { words, unknown } = readWords(text, path, { verbosity: VERBOSITY_WORDS });
  const rest = joinMembers(extraMembers(text, TEXT), unknown);
  return {
    outputFormat: format?.format,
    verbosity: words.verbosity,
    rest: format?.rest === undefined ? rest : { ...rest, format: format.rest },
  };
}

interface DecodedFormat {
  readonly format?: OutputFormat;
  readonly rest?: JsonObject | undefined;
}

/** A form of a type that is not known is kept whole. */
function decodeFormat(value: unknown, path: string): DecodedFormat {
  const format = readObject(value, path);
  switch (readString(format.type, `${path}.type`)) {
    case "text":
      return {
        format: create(OutputFormatSchema, { kind: { case: "text", value: {} } }),
        rest: extraMembers(format, TYPE),
      };
    case "json_object":
      return {
        format: create(OutputFormatSchema, { kind: { case: "jsonObject", value: {} } }),
        rest: extraMembers(format, TYPE),
      };
    case "json_schema":
      return { format: decodeSchema(format, path), rest: extraMembers(format, JSON_SCHEMA) };
    default:
      return { rest: format };
  }
}

function decodeSchema(format: JsonObject, path: string): OutputFormat {
  const value = {
    name: readName(format.name, `${path}.name`),
    description: optional(format.description, `${path}.description`, readString),
    schemaJson: JSON.stringify(readObject(format.schema, `${path}.schema`)),
    strict: optional(format.strict, `${path}.strict`, readBoolean),
  };
  return create(OutputFormatSchema, { kind: { case: "jsonSchema", value } });
}
