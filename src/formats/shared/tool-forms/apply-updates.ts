import { create } from "@bufbuild/protobuf";
import {
  type Message,
  type OutputFormat,
  OutputFormatSchema,
  type Reasoning,
  ReasoningSchema,
  Role,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { saysNothing } from "../is-default-value.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { EFFORT_WORDS } from "../openai-words.ts";
import { readResponsesJson } from "../responses-json.ts";
import { listWords } from "../words.ts";
import { createPlaceFinder, type RewrittenInput } from "./rewritten-input.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

const TYPE = "configuration_update";

/** The settings of a request that an item of its input may change. */
interface Settings {
  reasoning: Reasoning | undefined;
  outputFormat: OutputFormat | undefined;
}

/**
 * Asks for what updates in a Responses conversation say, the last one of each setting, where the upstream's format has
 * settings of the request alone. An update that says more stays where it is, and is a loss. Undefined if there is none.
 */
export function applyUpdates(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  if (areToolsOwn(input, rules) || !input.messages.some(mayUpdate)) return undefined;
  const { reasoning, outputFormat } = input;
  const settings: Settings = { reasoning, outputFormat };
  const remaining = [...input.messages.entries()].filter(([, message]) => !apply(message, settings));
  const messages = remaining.map(([, message]) => message);
  const positions = remaining.map(([index]) => index);
  const tools = input.tools.map((tool, index) => ({ tool, path: `tools[${index}]` }));
  return { input: { ...input, ...settings, messages }, losses: [], placeOf: createPlaceFinder(tools, positions) };
}

function mayUpdate({ role, content: [block] }: Message): boolean {
  return role === Role.UNSPECIFIED && block?.kind.case === "opaque" && block.kind.value.json.includes(`"${TYPE}"`);
}

/** Takes the settings of an update; false if the message is none, or says more. */
function apply(message: Message, settings: Settings): boolean {
  const [block] = message.content;
  const item = mayUpdate(message) && block?.kind.case === "opaque" ? readResponsesJson(block.kind.value) : undefined;
  if (item === undefined || item["type"] !== TYPE) return false;
  const { id: _id, type: _type, reasoning, text, ...rest } = item;
  const effort = getEffort(reasoning);
  const format = getFormat(text);
  if (effort !== undefined)
    settings.reasoning = { ...(settings.reasoning ?? create(ReasoningSchema)), effort: EFFORT_WORDS[effort] };
  if (format !== undefined) settings.outputFormat = format;
  const isRead = (effort !== undefined || asksNothing(reasoning)) && (format !== undefined || asksNothing(text));
  return isRead && Object.entries(rest).every(([name, value]) => saysNothing(name, value));
}

/** Tells whether a setting is left as it is: absent, null, or an object of such members. */
function asksNothing(setting: unknown): boolean {
  return (setting ?? null) === null || (isJsonObject(setting) && Object.values(setting).every((each) => each === null));
}

function getEffort(reasoning: unknown): keyof typeof EFFORT_WORDS | undefined {
  if (!isJsonObject(reasoning) || hasOthers(reasoning, ["effort"])) return undefined;
  return listWords(EFFORT_WORDS).find((word) => word === reasoning["effort"]);
}

function getFormat(text: unknown): OutputFormat | undefined {
  if (!isJsonObject(text) || hasOthers(text, ["format"]) || !isJsonObject(text["format"])) return undefined;
  const { type, name, schema, strict, description, ...rest } = text["format"];
  if (Object.keys(rest).length > 0) return undefined;
  if (type === "text") return create(OutputFormatSchema, { kind: { case: "text", value: {} } });
  if (type !== "json_schema" || typeof name !== "string" || !isJsonObject(schema)) return undefined;
  const value = {
    name,
    schemaJson: JSON.stringify(schema),
    strict: typeof strict === "boolean" ? strict : undefined,
    description: typeof description === "string" ? description : undefined,
  };
  return create(OutputFormatSchema, { kind: { case: "jsonSchema", value } });
}

function hasOthers(object: JsonObject, known: readonly string[]): boolean {
  return Object.keys(object).some((name) => !known.includes(name));
}
