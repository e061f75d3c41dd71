import {
  type ContentBlock,
  Dialect,
  type Message,
  Role,
  type Tool,
  ToolKind,
  type ToolUseBlock,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { brokenAnswer } from "../broken-answer.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject, parseJsonObject, toText } from "../json.ts";
import { readResponsesJson, responsesJson } from "../responses-json.ts";
import { holdCalls } from "./hold-calls.ts";
import { newMessage, newTool } from "./new-parts.ts";
import type { RewrittenInput } from "./rewritten-input.ts";
import { areToolsOwn, type ToolRules } from "./tool-rules.ts";

const TEXT = { type: "string" };
const COUNT = { type: "integer" };
const TEXTS = { type: "array", items: TEXT };

/** A tool that a client runs itself, of a type that its provider's models know: its definition says no schema. */
interface ClientTool {
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** A tool of the Responses format, whose calls and results are items of types of their own. */
interface ItemTool extends ClientTool {
  readonly call: string;
  /** Member of its call that has the arguments, and what it says beside them. */
  readonly member: string;
  readonly beside?: JsonObject;
  readonly idPrefix: string;
}

/** Source: the types of openai 7.55.0. */
const ITEM_TOOLS: Readonly<Record<string, ItemTool>> = {
  local_shell: {
    description: "Runs a command on the user's machine, and returns what it prints.",
    properties: { command: TEXTS, working_directory: TEXT, timeout_ms: COUNT },
    required: ["command"],
    call: "local_shell_call",
    member: "action",
    beside: { type: "exec", env: {} },
    idPrefix: "lsh_",
  },
  shell: {
    description: "Runs shell commands one after another, and returns what they print.",
    properties: { commands: TEXTS, timeout_ms: COUNT, max_output_length: COUNT },
    required: ["commands"],
    call: "shell_call",
    member: "action",
    idPrefix: "sh_",
  },
  apply_patch: {
    description:
      "Creates, updates or deletes a file. `diff` is the whole content behind `+` for a file that is created, and a V4A diff for one that is updated.",
    properties: {
      type: { type: "string", enum: ["create_file", "update_file", "delete_file"] },
      path: TEXT,
      diff: TEXT,
    },
    required: ["type", "path"],
    call: "apply_patch_call",
    member: "operation",
    idPrefix: "apc_",
  },
};

const CALLS = new Map(Object.entries(ITEM_TOOLS).map(([name, tool]) => [tool.call, { ...tool, name }]));

/** Tools of the Messages format by the beginning of their types; their calls and results are those of any tool. */
const TYPED_TOOLS: Readonly<Record<string, ClientTool>> = {
  bash_: {
    description: "Runs a command in a shell that stays open between calls. `restart` restarts it.",
    properties: { command: TEXT, restart: { type: "boolean" } },
    required: [],
  },
  text_editor_: {
    description: "Views, creates and edits text files.",
    properties: {
      command: { type: "string", enum: ["view", "create", "str_replace", "insert"] },
      path: TEXT,
      file_text: TEXT,
      old_str: TEXT,
      new_str: TEXT,
      insert_line: COUNT,
      insert_text: TEXT,
      view_range: { type: "array", items: COUNT },
    },
    required: ["command", "path"],
  },
  memory_: {
    description: "Views, creates, edits, renames and deletes files below /memories, which stay between conversations.",
    properties: {
      command: { type: "string", enum: ["view", "create", "str_replace", "insert", "delete", "rename"] },
      path: TEXT,
      file_text: TEXT,
      old_str: TEXT,
      new_str: TEXT,
      insert_line: COUNT,
      insert_text: TEXT,
      view_range: { type: "array", items: COUNT },
      old_path: TEXT,
      new_path: TEXT,
    },
    required: ["command"],
  },
};

/**
 * Has tools that clients run themselves called as functions, and gives their calls back as the items that the client
 * knows; calls and results in the history become those of the functions. Undefined where there are none.
 */
export function clientTools(input: HubInput, rules: ToolRules): RewrittenInput | undefined {
  const isResponses = input.dialect === Dialect.RESPONSES;
  if (areToolsOwn(input, rules) || (!isResponses && !input.tools.some(isOpaque))) return undefined;
  const taken = new Set(input.tools.map(({ kind }) => (kind.case === "function" ? kind.value.name : undefined)));
  const tools = input.tools.map((tool) => toFunction(tool, taken));
  const messages = isResponses ? input.messages.map(toPlainMessage) : input.messages;
  const isSame = tools.every((tool, at) => tool === input.tools[at]);
  if (isSame && messages.every((message, at) => message === input.messages[at])) return undefined;
  const items = new Set(
    tools.flatMap(({ kind }, at) => {
      const isItem =
        kind !== input.tools[at]?.kind && kind.case === "function" && Object.hasOwn(ITEM_TOOLS, kind.value.name);
      return isItem ? [kind.value.name] : [];
    }),
  );
  return {
    input: { ...input, tools, messages },
    losses: [],
    placeOf: (place) => place,
    ...(items.size > 0 && { createRestore: () => holdCalls((name) => items.has(name), toItem) }),
    restored: [...items],
  };
}

function isOpaque({ kind }: Tool): boolean {
  return kind.case === "opaque";
}

/** Of a name that a function has already the tool stays what it is, and is a loss. */
function toFunction(tool: Tool, taken: ReadonlySet<string | undefined>): Tool {
  const { kind } = tool;
  if (kind.case !== "opaque") return tool;
  const { dialect, json } = kind.value;
  const members = lookAtJsonObject(json) ?? {};
  const type = toText(members["type"]);
  if (dialect === Dialect.MESSAGES) {
    const [, known] = Object.entries(TYPED_TOOLS).find(([beginning]) => type.startsWith(beginning)) ?? [];
    const name = toText(members["name"]);
    return known === undefined || taken.has(name) ? tool : getFunction(name, known);
  }
  const isHosted = isJsonObject(members["environment"]) && members["environment"]["type"] !== "local";
  const known = dialect === Dialect.RESPONSES && Object.hasOwn(ITEM_TOOLS, type) && !isHosted && !taken.has(type);
  return known ? getFunction(type, ITEM_TOOLS[type]) : tool;
}

function getFunction(name: string, known: ClientTool | undefined): Tool {
  const { description = "", properties = {}, required = [] } = known ?? {};
  const parametersJson = JSON.stringify({ type: "object", properties, required });
  return newTool({ case: "function", value: { name, description, parametersJson } });
}

function toPlainMessage(message: Message): Message {
  const [block] = message.content;
  if (message.role !== Role.UNSPECIFIED || block?.kind.case !== "opaque") return message;
  const { dialect, json } = block.kind.value;
  if (dialect !== Dialect.RESPONSES || !json.includes("_call")) return message;
  const item = readResponsesJson(block.kind.value) ?? {};
  const type = toText(item["type"]);
  const called = CALLS.get(type);
  if (called !== undefined) return callMessage(item, called) ?? message;
  return (type.endsWith("_output") && CALLS.has(type.slice(0, -"_output".length)) && resultMessage(item)) || message;
}

function callMessage(item: JsonObject, { name, member, beside = {} }: ItemTool & { readonly name: string }) {
  const [id, action] = [toText(item["call_id"]), item[member]];
  if (id === "" || !isJsonObject(action)) return undefined;
  const actionMembers = Object.fromEntries(
    Object.entries(action).filter(([key, value]) => !(key in beside && isEmpty(value)) && value !== null),
  );
  const value = { id, name, arguments: JSON.stringify(actionMembers), kind: ToolKind.FUNCTION };
  return newMessage(Role.ASSISTANT, { case: "toolUse", value });
}

/** Returns whether a member goes along with each call and says nothing of this one. */
function isEmpty(value: unknown): boolean {
  return typeof value === "string" || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** The result of a local shell names its call by `id`. */
function resultMessage({ call_id: callId, id, output, status }: JsonObject): Message | undefined {
  const toolUseId = toText(callId) || toText(id);
  if (toolUseId === "") return undefined;
  const text = typeof output === "string" ? output : JSON.stringify(output ?? status ?? "");
  const content = [{ kind: { case: "text" as const, value: { text } } }];
  return newMessage(Role.TOOL, {
    case: "toolResult",
    value: { toolUseId, content, kind: ToolKind.FUNCTION, isError: status === "failed" },
  });
}

/** Throws STREAM_INTERRUPTED for arguments that no client could read. */
function toItem({ id, name, arguments: text }: ToolUseBlock): ContentBlock["kind"] {
  const tool = ITEM_TOOLS[name];
  const values = parseJsonObject(text === "" ? "{}" : text);
  if (tool === undefined || values === undefined || tool.required.some((member) => values[member] === undefined))
    throw brokenAnswer(`the arguments of a call of '${name}' cannot be read`);
  const { call: type, member, beside, idPrefix } = tool;
  const item = { id: `${idPrefix}${id}`, type, call_id: id, status: "completed", [member]: { ...beside, ...values } };
  return { case: "opaque", value: responsesJson(item) };
}
