import {
  Dialect,
  type FunctionTool,
  type RawJson,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { hasCacheControl } from "../../shared/chat-cache-control.ts";
import { checkCallPossible, needsNoTools } from "../../shared/check-call-possible.ts";
import { fitParameters, withProperties } from "../../shared/fit-openai-schema.ts";
import { checkHostedTools } from "../../shared/hosted-tools/check-hosted-tools.ts";
import {
  carrySearch,
  isSearchDemanded,
  nameSearch,
  type RequestedSearch,
} from "../../shared/hosted-tools/web-search.ts";
import { definedMembers, isJsonObject, type JsonObject, mergeMembers, parseJson } from "../../shared/json.ts";
import { jsonMember } from "../../shared/json-member.ts";
import { ownChoice } from "../../shared/own-choice.ts";
import { withDemanded } from "../../shared/with-demanded.ts";
import { readChatJson } from "../raw-json.ts";
import type { Translation } from "./translation.ts";

/** Encodes `tools`, `tool_choice` and `parallel_tool_calls`. Throws INVALID_REQUEST for a call that cannot be made. */
export function encodeToolMembers(translation: Translation): JsonObject {
  const { input, isNative, search } = translation;
  const tools = encodeTools(translation);
  const searching = search === undefined ? {} : { web_search_options: encodeSearch(search, translation) };
  if (!isNative) {
    const count = search === undefined ? tools.length : tools.length + 1;
    checkHostedTools(input, { target: Dialect.CHAT, count, carried: search?.tool });
  }
  // A model that searches does so for every answer.
  if (isSearchDemanded(nameSearch(input, search), search)) return searching;
  const choice = input.toolChoice === undefined ? undefined : encodeToolChoice(input.toolChoice, translation);
  const parallel = encodeParallel(translation);
  if (!isNative) checkCallPossible(input.toolChoice, tools);
  // Without tools these two say nothing, and servers refuse them; they tell who demands a call so.
  if (tools.length === 0 && (!isNative || needsNoTools(input.toolChoice))) return searching;
  return {
    ...searching,
    ...(tools.length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(parallel === undefined ? {} : { parallel_tool_calls: parallel }),
  };
}

/** A server that knows no such member makes several calls if it can, as one does that is told to. */
function encodeParallel({ input, losses, profile }: Translation): boolean | undefined {
  const { parallelToolCalls } = input;
  if (profile.parallelToolCalls) return parallelToolCalls;
  if (parallelToolCalls === false) losses.at("parallel_tool_calls");
  return undefined;
}

/** Encodes the search of a caller of another format. */
function encodeSearch(search: RequestedSearch, { losses }: Translation): JsonObject {
  const options = carrySearch(search, ["user_location", "search_context_size"], losses);
  const { user_location: location, search_context_size } = options;
  if (!isJsonObject(location)) return definedMembers({ search_context_size });
  const { type: _type, ...approximate } = location;
  return definedMembers({ search_context_size, user_location: { type: "approximate", approximate } });
}

/**
 * Servers of this format differ in whether they know `allowed_tools`, so for other callers the list itself is
 * shortened, and for all where the server takes no choice by name.
 */
function encodeTools(translation: Translation): JsonObject[] {
  const { input, isNative, losses } = translation;
  const allowed = new Set(allowedNames(translation));
  const isForbidden = mayNotForbid(translation);
  return input.tools.flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (index === translation.search?.tool) return [];
    if (isForbidden || (allowed.size > 0 && isLeftOut(tool, allowed, translation))) {
      losses.settle(path);
      return [];
    }
    const encoded = encodeTool(tool, path, translation);
    if (encoded === undefined) return [];
    // The mark stands in the tool's own members.
    if (isNative && hasCacheControl(tool.extension)) losses.settle(`${path}.cache_mark`);
    return [mergeMembers(encoded, losses.own(tool.extension))];
  });
}

function allowedNames({ input, isNative, profile }: Translation): readonly string[] {
  const { mode, name, allowedNames: names } = input.toolChoice ?? {};
  if (profile.toolChoices !== "named" && mode === ToolChoiceMode.NAMED && name !== undefined) return [name];
  return (isNative && profile.toolChoices === "named" ? undefined : names) ?? [];
}

/** Tools that must not be called are left out where the server cannot be told so. */
function mayNotForbid({ input, profile }: Translation): boolean {
  return profile.toolChoices === "auto" && input.toolChoice?.mode === ToolChoiceMode.NONE;
}

/** A tool without a name is none of a list of functions, and not the one that is demanded. */
function isLeftOut({ kind }: Tool, allowed: ReadonlySet<string>, { input }: Translation): boolean {
  if (kind.case === "function" || kind.case === "custom") return !allowed.has(kind.value.name);
  return input.toolChoice?.mode === ToolChoiceMode.NAMED;
}

function encodeTool({ kind, extension }: Tool, path: string, translation: Translation): JsonObject | undefined {
  const { losses } = translation;
  switch (kind.case) {
    case "function":
      return { type: "function", function: encodeFunction(kind.value, extension, { path, translation }) };
    case "custom": {
      const { name, description, formatJson } = kind.value;
      const format = formatJson === undefined ? undefined : encodeFormat(formatJson);
      return { type: "custom", custom: { name, ...definedMembers({ description, format }) } };
    }
    case "opaque":
      return readChatJson(kind.value);
    case undefined:
      losses.at(path);
      return undefined;
    default:
      return kind satisfies never;
  }
}

function encodeFunction(
  tool: FunctionTool,
  extension: RawJson | undefined,
  { path, translation }: { readonly path: string; readonly translation: Translation },
): JsonObject {
  const { name, description, parametersJson, strict } = tool;
  const { input, isNative, losses, profile } = translation;
  const fitted = isNative ? undefined : fitParameters(tool, path, losses);
  if (fitted !== undefined) {
    return withDemanded({ name, description, parameters: fitted.schema, strict: fitted.strict }, profile);
  }
  const facts = { dialect: input.dialect, extension };
  const json = isNative || parametersJson === undefined ? parametersJson : withProperties(parametersJson);
  const parameters = json === undefined ? undefined : jsonMember(json, facts, parseJson);
  return withDemanded({ name, description, parameters, strict }, profile);
}

/** Responses writes a grammar flat, this format one level down. */
function encodeFormat(json: string): unknown {
  const format = parseJson(json);
  if (typeof format !== "object" || format === null || !("type" in format) || format.type !== "grammar") return format;
  if ("grammar" in format) return format;
  const { type, ...grammar } = format;
  return { type, grammar };
}

/** A server that decides itself is not told anything else. */
function encodeAuto({ mode }: ToolChoice, losses: Translation["losses"]): "auto" | undefined {
  if (mode === ToolChoiceMode.NONE) return undefined;
  if (mode !== ToolChoiceMode.AUTO) losses.at("tool_choice");
  return "auto";
}

function encodeToolChoice(choice: ToolChoice, { isNative, losses, profile }: Translation): unknown {
  if (profile.toolChoices === "auto") return encodeAuto(choice, losses);
  const hasNames = profile.toolChoices === "named";
  const own = ownChoice(choice, Dialect.CHAT);
  if (isNative && hasNames && own !== undefined) return own;
  switch (choice.mode) {
    case ToolChoiceMode.AUTO:
      return "auto";
    case ToolChoiceMode.NONE:
      return "none";
    case ToolChoiceMode.REQUIRED:
      return "required";
    case ToolChoiceMode.NAMED:
      // No other tool is offered then.
      if (!hasNames) return "required";
      return choice.kind === ToolKind.CUSTOM
        ? { type: "custom", custom: { name: choice.name } }
        : { type: "function", function: { name: choice.name } };
    case ToolChoiceMode.OPAQUE:
      losses.at("tool_choice");
      return undefined;
    default:
      return undefined;
  }
}
