import {
  type ContentBlock,
  Dialect,
  type Message,
  Role,
  type Tool,
  ToolKind,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { bringsTools } from "../../../hub/brought-tools.ts";
import { InferenceError } from "../../../hub/error.ts";
import type { HubInput } from "../../../hub/input.ts";
import { isJsonObject, type JsonObject, toText } from "../json.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import { readTool } from "../tool-names/read-namespace.ts";
import { functionsText } from "./functions-text.ts";
import { holdCalls } from "./hold-calls.ts";
import { newMessage, newTool } from "./new-parts.ts";
import { createPlaceFinder, type PlacedTool, type RewrittenInput } from "./rewritten-input.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

/**
 * Puts the tools that stand in items of the input into the list of tools, for upstreams whose format has none there,
 * and has a search for tools that the client runs called as a function. Undefined where there is nothing to do. Throws
 * INVALID_REQUEST for a tool that cannot be read.
 */
export function gatherTools(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  if (areToolsOwn(input, rules)) return undefined;
  if (!input.tools.some(isClientSearch) && !input.messages.some(bringsTools)) return undefined;
  const items = input.messages.map((message, index) => readItem(message, index));
  const placed = input.tools.map((tool, index): PlacedTool => ({ tool, path: `tools[${index}]` }));
  for (const item of items) placed.push(...(item?.brought ?? []));
  const searchName = freeName(placed);
  const isSearched = placed.some(({ tool }) => isClientSearch(tool));
  const tools = latestOfName(
    placed.map(({ tool, path }) => ({ tool: isClientSearch(tool) ? searchFunction(tool, searchName) : tool, path })),
  );
  const messages = [...input.messages.entries()].flatMap(([index, said]) => {
    const item = items[index];
    const message = item === undefined ? said : tell(item, searchName);
    return message === undefined ? [] : [{ message, index }];
  });
  return {
    input: { ...input, tools: tools.map(({ tool }) => tool), messages: messages.map(({ message }) => message) },
    losses: [],
    placeOf: createPlaceFinder(
      tools,
      messages.map(({ index }) => index),
    ),
    ...(isSearched && { createRestore: () => holdCalls((name) => name === searchName, searchCall) }),
    restored: isSearched,
  };
}

/** An item that brings tools, or asks for them. */
interface BringingItem {
  readonly item: JsonObject;
  /** Undefined for one that asks. */
  readonly brought: readonly PlacedTool[] | undefined;
}

function readItem(message: Message, index: number): BringingItem | undefined {
  const kind = bringsTools(message) ? message.content[0]?.kind : undefined;
  const item = kind?.case === "opaque" ? readResponsesJson(kind.value) : undefined;
  switch (item?.["type"]) {
    case "additional_tools":
    case "tool_search_output":
      return { item, brought: readTools(item, index) };
    case "tool_search_call":
      return { item, brought: undefined };
    default:
      return undefined;
  }
}

/** Says what an item says beside its tools. A search that the provider ran has no call that a result could be of. */
function tell({ item, brought }: BringingItem, searchName: string): Message | undefined {
  const callId = toText(item["call_id"]);
  if (callId === "" || item["type"] === "additional_tools") return undefined;
  return brought === undefined
    ? callMessage(callId, searchName, item["arguments"])
    : resultMessage(callId, functionsText(brought.map(({ tool }) => tool)));
}

function readTools({ tools }: JsonObject, message: number): PlacedTool[] {
  const place = `messages[${message}].extension.tools`;
  if (!Array.isArray(tools)) throw InferenceError.invalid(place, "must be an array of tools");
  return tools.map((json: unknown, index) => {
    const path = `${place}[${index}]`;
    if (!isJsonObject(json)) throw InferenceError.invalid(path, "must be an object");
    // What is brought is found, whatever its definition says of loading.
    const found = undeferred(json);
    if (typeof json["type"] !== "string") throw InferenceError.invalid(`${path}.type`, "must be a string");
    const tool = readTool(found, path);
    return { tool: tool ?? newTool({ case: "opaque", value: responsesJson(found) }), path };
  });
}

function undeferred({ defer_loading: _deferred, ...tool }: JsonObject): JsonObject {
  const { tools } = tool;
  return Array.isArray(tools)
    ? { ...tool, tools: tools.map((inner: unknown) => (isJsonObject(inner) ? undeferred(inner) : inner)) }
    : tool;
}

/** A tool may come again in the course of a conversation: its latest definition is the one that holds. */
function latestOfName(placed: readonly PlacedTool[]): PlacedTool[] {
  const tools = new Map<unknown, PlacedTool>();
  for (const each of placed) {
    const { kind } = each.tool;
    const isNamed = kind.case === "function" || kind.case === "custom";
    tools.set(isNamed ? kind.value.name : each, each);
  }
  return [...tools.values()];
}

const SEARCH_NAME = "tool_search";

function freeName(placed: readonly PlacedTool[]): string {
  const taken = new Set(placed.flatMap(({ tool: { kind } }) => (kind.case === "function" ? [kind.value.name] : [])));
  let name = SEARCH_NAME;
  while (taken.has(name)) name += "_";
  return name;
}

function isClientSearch({ kind }: Tool): boolean {
  if (kind.case !== "opaque" || kind.value.dialect !== Dialect.RESPONSES) return false;
  if (!kind.value.json.includes('"tool_search"')) return false;
  const tool = readResponsesJson(kind.value);
  return tool?.["type"] === "tool_search" && tool["execution"] === "client";
}

const SEARCH_PARAMETERS = { type: "object", properties: { query: { type: "string" } }, required: ["query"] };

function searchFunction({ kind }: Tool, name: string): Tool {
  const { description, parameters } = (kind.case === "opaque" && readResponsesJson(kind.value)) || {};
  return newTool({
    case: "function",
    value: {
      name,
      description: typeof description === "string" ? description : "Searches for further tools that can be called.",
      parametersJson: JSON.stringify(isJsonObject(parameters) ? parameters : SEARCH_PARAMETERS),
    },
  });
}

function searchCall({ id, arguments: text }: ToolUseBlock): ContentBlock["kind"] {
  const item = {
    id: `tsc_${id}`,
    type: "tool_search_call",
    call_id: id,
    execution: "client",
    status: "completed",
    arguments: readArguments(text),
  };
  return { case: "opaque", value: responsesJson(item) };
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}

function callMessage(id: string, name: string, input: unknown): Message {
  const text = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return newMessage(Role.ASSISTANT, {
    case: "toolUse",
    value: { id, name, arguments: text, kind: ToolKind.FUNCTION },
  });
}

function resultMessage(id: string, text: string): Message {
  const content = [{ kind: { case: "text" as const, value: { text } } }];
  return newMessage(Role.TOOL, { case: "toolResult", value: { toolUseId: id, content, kind: ToolKind.FUNCTION } });
}
