import {
  Dialect,
  type FunctionTool,
  type RawJson,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../../hub/error.ts";
import { checkCallPossible } from "../../shared/check-call-possible.ts";
import { fitSchema } from "../../shared/fit-schema.ts";
import { checkHostedTools } from "../../shared/hosted-tools/check-hosted-tools.ts";
import { carrySearch, isSearchAllowed, SEARCH_NAME } from "../../shared/hosted-tools/web-search.ts";
import { isJsonObject, type JsonObject, mergeMembers, parseJsonObject } from "../../shared/json.ts";
import { jsonMember } from "../../shared/json-member.ts";
import { ANTHROPIC_SUBSET, type SchemaSubset } from "../../shared/schema-subset.ts";
import { encodeCacheControl } from "../cache-control.ts";
import { TOOL_NAME, TOOL_NAME_RULE } from "../tool-names.ts";
import type { EncodeContext } from "./encode-context.ts";
import { fitInputSchema } from "./fit-input-schema.ts";

/** Arguments are an object. */
const STRICT_TOOL: SchemaSubset = { ...ANTHROPIC_SUBSET, requiresObject: true };

/** The schema of a function without parameters. */
const EMPTY_SCHEMA = '{"type":"object","properties":{}}';

/**
 * Encodes the tools; those that may not be called are left out, for the format has no list of allowed ones. A
 * conversation with calls has no tools where its request has none: Anthropic answers it so (recorded on 2026-07-09 in
 * vercel/ai#17005, reported in anomalyco/opencode#8246) and refused it in 2024 (BerriAI/litellm#4689).
 */
export function encodeTools(input: InferenceInput, context: EncodeContext): JsonObject[] {
  const allowed = new Set(input.toolChoice?.allowedNames);
  const encoded = input.tools.map((tool, index) => {
    const { kind } = tool;
    const path = `tools[${index}]`;
    const isSearch = index === context.search?.tool;
    if (isSearch && (allowed.size === 0 || isSearchAllowed(input))) return encodeSearch(context);
    if (allowed.size === 0 || (kind.case === "function" && allowed.has(kind.value.name))) {
      return encodeTool(tool, path, context);
    }
    context.losses.settle(path);
    return undefined;
  });
  const isMember = context.search !== undefined && context.search.tool === undefined;
  const tools = [...encoded, isMember ? encodeSearch(context) : undefined].filter((json) => json !== undefined);
  if (!context.native) {
    checkHostedTools(input, { target: Dialect.MESSAGES, count: tools.length, carried: context.search?.tool });
  }
  if (allowed.size > 0 && tools.length === 0) {
    throw InferenceError.invalid("tool_choice", "allows only tools that the request does not define for this model");
  }
  return tools;
}

/** Options of a web search that the tool has. */
export const SEARCH_OPTIONS = ["max_uses", "allowed_domains", "blocked_domains", "user_location"] as const;

/** Encodes the search of a caller of another format, in the version of the tool that all models take. */
function encodeSearch({ search, losses }: EncodeContext): JsonObject | undefined {
  if (search === undefined) return undefined;
  const { user_location: location, ...options } = carrySearch(search, SEARCH_OPTIONS, losses);
  const place = isJsonObject(location) ? { user_location: { type: "approximate", ...location } } : {};
  return { type: "web_search_20250305", name: SEARCH_NAME, ...options, ...place };
}

function encodeTool(tool: Tool, path: string, context: EncodeContext): JsonObject | undefined {
  const { kind, cacheMark } = tool;
  if (kind.case === "opaque" && kind.value.dialect === Dialect.MESSAGES) return parseJsonObject(kind.value.json);
  if (kind.case !== "function") return undefined;
  const json = encodeFunction(kind.value, tool.extension, { path, context });
  if (cacheMark !== undefined) {
    if (context.native) json["cache_control"] = encodeCacheControl(cacheMark);
    else context.marks.add({ block: json, mark: cacheMark, place: `${path}.cache_mark` });
  }
  return mergeMembers(json, context.losses.own(tool.extension));
}

function encodeFunction(
  tool: FunctionTool,
  extension: RawJson | undefined,
  { path, context: { native, losses } }: { readonly path: string; readonly context: EncodeContext },
): JsonObject {
  const { name, description, parametersJson = EMPTY_SCHEMA, strict } = tool;
  if (!TOOL_NAME.test(name)) throw InferenceError.invalid(`${path}.name`, TOOL_NAME_RULE);
  const parse = (json: string): JsonObject => parseSchema(json, path);
  const place = `${path}.parameters_json`;
  const places = { place, strictPlace: `${path}.strict` };
  const input = native
    ? { schema: jsonMember(parametersJson, { dialect: Dialect.MESSAGES, extension }, parse), strict }
    : fitSchema(
        { schema: fitInputSchema(parse(parametersJson), place, losses), strict, ...places },
        STRICT_TOOL,
        losses,
      );
  const json: JsonObject = { name };
  if (description !== undefined) json["description"] = description;
  json["input_schema"] = input.schema;
  if (input.strict !== undefined) json["strict"] = input.strict;
  return json;
}

function parseSchema(json: string, path: string): JsonObject {
  const schema = parseJsonObject(json);
  if (schema === undefined)
    throw InferenceError.invalid(`${path}.parameters_json`, "must be a JSON schema of an object");
  return schema;
}

/**
 * Encodes the choice; `tools` are those that the upstream is told of. Throws INVALID_REQUEST for a call that cannot be
 * made.
 */
export function encodeToolChoice(
  input: InferenceInput,
  tools: readonly JsonObject[],
  context: EncodeContext,
): JsonObject | undefined {
  const { toolChoice, parallelToolCalls } = input;
  if (!context.native) checkCallPossible(toolChoice, tools);
  if (!context.native && tools.length === 0) {
    // The format takes neither without tools; that no tool is called holds anyway.
    if (toolChoice?.mode === ToolChoiceMode.OPAQUE) context.losses.at("tool_choice");
    return undefined;
  }
  const json = toolChoice === undefined ? undefined : encodeMode(toolChoice, context);
  if (parallelToolCalls === undefined || json?.["type"] === "none") return json;
  if (json === undefined && parallelToolCalls) return undefined;
  return { ...(json ?? { type: "auto" }), disable_parallel_tool_use: !parallelToolCalls };
}

function encodeMode(choice: ToolChoice, context: EncodeContext): JsonObject | undefined {
  switch (choice.mode) {
    case ToolChoiceMode.AUTO:
      return { type: "auto" };
    case ToolChoiceMode.REQUIRED:
      return { type: "any" };
    case ToolChoiceMode.NONE:
      return { type: "none" };
    case ToolChoiceMode.NAMED:
      return { type: "tool", name: choice.name };
    case ToolChoiceMode.OPAQUE:
      if (choice.opaque?.dialect === Dialect.MESSAGES) return parseJsonObject(choice.opaque.json);
      context.losses.at("tool_choice");
      return undefined;
    case ToolChoiceMode.UNSPECIFIED:
      return undefined;
  }
}
