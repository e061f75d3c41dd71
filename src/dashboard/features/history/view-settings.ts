import type { DescEnum } from "@bufbuild/protobuf";
import {
  CacheTtl,
  type OutputFormat,
  type Reasoning,
  ReasoningEffort,
  ReasoningEffortSchema,
  ThinkingMode,
  ThinkingModeSchema,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceModeSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { FIELDS } from "../../../hub/fields.ts";
import { enumName } from "../../../lib/protobuf/enum-name.ts";
import type { TextParts, TextView } from "./text-parts.ts";
import { dialectName } from "./view-block.ts";

/** Something that a request asks for beside its messages: in a few words, or as a text of any length. */
export type SettingView =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly text: TextView };

type Value = string | number | undefined;

/** Returns what a request asks for beside its messages and tools; what it does not say is not in it. */
export function viewSettings(input: InferenceInput, parts: TextParts): SettingView[] {
  const { outputFormat, extension } = input;
  const values = Object.entries(FIELDS["InferenceInput"] ?? {}).flatMap(([field, { label }]): [string, Value][] =>
    label === undefined ? [] : [[label, describe(field as keyof InferenceInput, input)]],
  );
  const texts: [name: string, text: string | undefined][] = [
    ["Schema of the answer", outputFormat?.kind.case === "jsonSchema" ? outputFormat.kind.value.schemaJson : undefined],
    ["Tools to call, in the format's own words", input.toolChoice?.opaque?.json],
    ["Reasoning, in the format's own words", input.reasoning?.extension?.json],
    [extension === undefined ? "" : `Only in the ${dialectName(extension.dialect)} format`, extension?.json],
  ];
  return [
    ...values.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: String(value) }])),
    ...texts.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text: parts.view(text) }])),
  ];
}

/** The texts of fields that are more than a number or a text. */
const DESCRIBERS: Partial<Record<keyof InferenceInput, (input: InferenceInput) => Value>> = {
  stopSequences: ({ stopSequences }) => list(stopSequences.map((text) => JSON.stringify(text))),
  reasoning: ({ reasoning }) => reasoning && describeReasoning(reasoning),
  outputFormat: ({ outputFormat }) => outputFormat && describeFormat(outputFormat),
  toolChoice: ({ toolChoice }) => toolChoice && describeChoice(toolChoice),
  parallelToolCalls: ({ parallelToolCalls }) => choose(parallelToolCalls, "several", "one"),
  automaticCacheMark: ({ automaticCacheMark: mark }) => mark && `automatic${LIFETIMES[mark.ttl] ?? ""}`,
  metadata: ({ metadata }) => list(Object.entries(metadata).map(([key, value]) => `${key}: ${value}`)),
  betas: ({ betas }) => list(betas),
  candidates: ({ candidates }) => (candidates === 0 ? undefined : candidates),
  n: ({ n }) => (n > 1 ? n : undefined),
  store: ({ store }) => choose(store, "yes", "no"),
  strict: ({ strict }) => (strict ? "refused" : undefined),
};

function describe(field: keyof InferenceInput, input: InferenceInput): Value {
  const describer = DESCRIBERS[field];
  if (describer !== undefined) return describer(input);
  const value = input[field];
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function list(texts: readonly string[]): Value {
  return texts.length === 0 ? undefined : texts.join(", ");
}

function choose(answer: boolean | undefined, yes: string, no: string): Value {
  if (answer === undefined) return undefined;
  return answer ? yes : no;
}

function describeReasoning({ effort, mode, budgetTokens, summary, display }: Reasoning): Value {
  return list([
    ...(mode === ThinkingMode.UNSPECIFIED ? [] : [words(ThinkingModeSchema, mode)]),
    ...(effort === ReasoningEffort.UNSPECIFIED ? [] : [`effort ${words(ReasoningEffortSchema, effort)}`]),
    ...(budgetTokens === undefined ? [] : [`${budgetTokens.toLocaleString("en-US")} tokens at most`]),
    ...(summary === undefined ? [] : [`summary ${summary}`]),
    ...(display === undefined ? [] : [`shown ${display}`]),
  ]);
}

function describeFormat({ kind }: OutputFormat): Value {
  switch (kind.case) {
    case "text":
      return "text";
    case "jsonObject":
      return "a JSON object";
    case "jsonSchema": {
      const { name, strict } = kind.value;
      const binding = choose(strict, ", which binds", ", which does not bind") ?? "";
      return `JSON of the schema${name === "" ? "" : ` ${name}`}${binding}`;
    }
    case undefined:
      return undefined;
  }
}

function describeChoice({ mode, name, allowedNames }: ToolChoice): Value {
  const among = allowedNames.length === 0 ? "" : ` among ${allowedNames.join(", ")}`;
  switch (mode) {
    case ToolChoiceMode.AUTO:
      return `as the model sees fit${among}`;
    case ToolChoiceMode.NONE:
      return "none";
    case ToolChoiceMode.REQUIRED:
      return `at least one${among}`;
    case ToolChoiceMode.NAMED:
      return name;
    case ToolChoiceMode.OPAQUE:
    case ToolChoiceMode.UNSPECIFIED:
      return undefined;
    default:
      return words(ToolChoiceModeSchema, mode);
  }
}

const LIFETIMES: Readonly<Record<number, string>> = {
  [CacheTtl.CACHE_TTL_5M]: ", kept for 5 minutes",
  [CacheTtl.CACHE_TTL_1H]: ", kept for an hour",
  [CacheTtl.CACHE_TTL_30M]: ", kept for 30 minutes",
  [CacheTtl.CACHE_TTL_12H]: ", kept for 12 hours",
};

function words(schema: DescEnum, value: number): string {
  return enumName(schema, value).replaceAll("_", " ");
}
