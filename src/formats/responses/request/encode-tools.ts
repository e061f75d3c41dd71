import {
  type CustomTool,
  Dialect,
  type FunctionTool,
  type RawJson,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { checkCallPossible } from "../../shared/check-call-possible.ts";
import { fitParameters, NO_PARAMETERS, withProperties } from "../../shared/fit-openai-schema.ts";
import { checkHostedTools } from "../../shared/hosted-tools/check-hosted-tools.ts";
import { carrySearch, isSearchDemanded, type RequestedSearch } from "../../shared/hosted-tools/web-search.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { jsonMember } from "../../shared/json-member.ts";
import { ownChoice } from "../../shared/own-choice.ts";
import { readResponsesJson } from "../../shared/responses-json.ts";
import { withDemanded } from "../../shared/with-demanded.ts";
import { type EncodeContext, parseMember } from "./encode-context.ts";

const MODE_WORDS: Partial<Record<ToolChoiceMode, string>> = {
  [ToolChoiceMode.AUTO]: "auto",
  [ToolChoiceMode.NONE]: "none",
  [ToolChoiceMode.REQUIRED]: "required",
};

/** Encodes the tools; undefined if there are none. */
export function encodeTools(input: InferenceInput, context: EncodeContext): JsonObject[] | undefined {
  const { search } = context;
  const encoded = input.tools.flatMap((tool, index) =>
    index === search?.tool ? [encodeSearch(search, input, context)] : encodeTool(tool, `tools[${index}]`, context),
  );
  if (search !== undefined && search.tool === undefined) encoded.push(encodeSearch(search, input, context));
  if (!context.native) {
    checkHostedTools(input, { target: Dialect.RESPONSES, count: encoded.length, carried: search?.tool });
  }
  return encoded.length > 0 ? encoded : undefined;
}

const SEARCH_OPTIONS = ["allowed_domains", "user_location", "search_context_size"] as const;

/**
 * Encodes the search of a caller of another format. Its bound is that of the request where it is the only such tool.
 */
function encodeSearch(search: RequestedSearch, input: InferenceInput, { losses }: EncodeContext): JsonObject {
  const taken = mostCalls(search, input) === undefined ? SEARCH_OPTIONS : ([...SEARCH_OPTIONS, "max_uses"] as const);
  const { allowed_domains, user_location: location, search_context_size } = carrySearch(search, taken, losses);
  return {
    type: "web_search",
    filters: allowed_domains === undefined ? undefined : { allowed_domains },
    user_location: isJsonObject(location) ? { type: "approximate", ...location } : undefined,
    search_context_size,
  };
}

/** Tells whether the format that a search was asked for in has the pages that it found in every answer. */
export function tellsPages(search: RequestedSearch | undefined, { tools }: InferenceInput): boolean {
  const kind = search?.tool === undefined ? undefined : tools[search.tool]?.kind;
  return kind?.case === "opaque" && kind.value.dialect === Dialect.MESSAGES;
}

/**
 * Returns the bound of a search as that of the request; undefined if it has none, or other hosted tools stand beside.
 */
export function mostCalls(search: RequestedSearch | undefined, { tools }: InferenceInput): unknown {
  const isAlone = tools.filter(({ kind }) => kind.case === "opaque").length === 1;
  return isAlone ? search?.options.get("max_uses")?.value : undefined;
}

function encodeTool(tool: Tool, path: string, context: EncodeContext): JsonObject[] {
  const { kind } = tool;
  switch (kind.case) {
    case "function":
      return [
        {
          ...withDemanded(encodeFunction(kind.value, tool.extension, { path, context }), context.profile),
          ...context.losses.own(tool.extension),
        },
      ];
    case "custom":
      return [{ ...encodeCustom(kind.value, path), ...context.losses.own(tool.extension) }];
    case "opaque": {
      const own = readResponsesJson(kind.value);
      return own === undefined ? [] : [own];
    }
    case undefined:
      return [];
    default:
      return kind satisfies never;
  }
}

function encodeFunction(
  tool: FunctionTool,
  extension: RawJson | undefined,
  { path, context }: { readonly path: string; readonly context: EncodeContext },
): JsonObject {
  const { name, description, parametersJson, strict } = tool;
  const fitted = context.native ? undefined : fitParameters(tool, path, context.losses);
  if (fitted !== undefined) {
    return { type: "function", name, description, parameters: fitted.schema, strict: fitted.strict ?? false };
  }
  const parse = (json: string): JsonObject => parseMember(json, `${path}.parameters_json`);
  const facts = { dialect: context.dialect, extension };
  if (context.native) {
    const own = parametersJson === undefined ? undefined : jsonMember(parametersJson, facts, parse);
    return { type: "function", name, description, parameters: own, strict };
  }
  return {
    type: "function",
    name,
    description,
    parameters: jsonMember(withProperties(parametersJson ?? NO_PARAMETERS), facts, parse),
    // Here a tool is strict unless it says otherwise, and in the other formats it is not.
    strict: strict ?? false,
  };
}

function encodeCustom({ name, description, formatJson }: CustomTool, path: string): JsonObject {
  const format = formatJson === undefined ? undefined : parseMember(formatJson, `${path}.format_json`);
  return { type: "custom", name, description, format: format && flatGrammar(format) };
}

/** The Chat format has a grammar's members one level down. */
function flatGrammar(format: JsonObject): JsonObject {
  const { grammar, ...rest } = format;
  return isJsonObject(grammar) ? { ...rest, ...grammar } : format;
}

/**
 * Encodes the choice of tools; undefined if there is none. `tools` are those that the upstream is told of. Throws
 * INVALID_REQUEST for a call that cannot be made.
 */
export function encodeToolChoice(input: InferenceInput, tools: readonly JsonObject[], context: EncodeContext): unknown {
  const { toolChoice } = input;
  if (toolChoice === undefined) return undefined;
  // No choice names a search of this version alone: https://platform.openai.com/docs/api-reference/responses/create
  if (isSearchDemanded(input, context.search)) {
    return { type: "allowed_tools", mode: "required", tools: [{ type: "web_search" }] };
  }
  if (!context.native) checkCallPossible(toolChoice, tools);
  switch (toolChoice.mode) {
    case ToolChoiceMode.UNSPECIFIED:
      return undefined;
    case ToolChoiceMode.NAMED:
      return { type: toolChoice.kind === ToolKind.CUSTOM ? "custom" : "function", name: toolChoice.name };
    case ToolChoiceMode.OPAQUE: {
      const own = ownChoice(toolChoice, Dialect.RESPONSES);
      if (own === undefined) context.losses.at("tool_choice");
      return own;
    }
    default:
      return toolChoice.allowedNames.length > 0 ? encodeAllowed(toolChoice, input) : MODE_WORDS[toolChoice.mode];
  }
}

function encodeAllowed(choice: ToolChoice, { tools }: InferenceInput): JsonObject {
  const custom = new Set(tools.flatMap(({ kind }) => (kind.case === "custom" ? [kind.value.name] : [])));
  return (
    readResponsesJson(choice.opaque) ?? {
      type: "allowed_tools",
      mode: MODE_WORDS[choice.mode],
      tools: choice.allowedNames.map((name) => ({ type: custom.has(name) ? "custom" : "function", name })),
    }
  );
}
