import { create } from "@bufbuild/protobuf";
import {
  type ContentBlock,
  ContentBlockSchema,
  type Message,
  MessageSchema,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { isJsonObject, type JsonObject, lookAtJsonObject, parseJsonObject } from "../json.ts";
import { holdCalls } from "./hold-calls.ts";
import { newTool } from "./new-parts.ts";
import type { RewrittenInput } from "./rewritten-input.ts";
import type { ToolRules } from "./tool-rules.ts";

/** The member of a function's arguments that holds what a tool with free text input takes. */
const MEMBER = "input";

const PARAMETERS = JSON.stringify({
  type: "object",
  properties: { [MEMBER]: { type: "string", description: "The whole input of the tool, as plain text." } },
  required: [MEMBER],
  additionalProperties: false,
});

/**
 * Makes functions of one text of the tools with free text input, for upstreams that know functions alone, in the list
 * of tools, the choice and the conversation; calls of them come back with their text. A grammar is told to the model
 * and binds it no more, which is a loss. Undefined where there are none.
 */
export function customsToFunctions(input: HubInput, { customTools }: ToolRules): RewrittenInput | undefined {
  if (customTools === "any" || customTools === input.dialect) return undefined;
  const names = new Set(input.tools.flatMap(({ kind }) => (kind.case === "custom" ? [kind.value.name] : [])));
  if (names.size === 0 && !input.messages.some(({ content }) => content.some(isCustom))) return undefined;
  const losses: string[] = [];
  const tools = input.tools.map((tool, index) =>
    tool.kind.case === "custom" ? asFunction(tool, index, losses) : tool,
  );
  const { toolChoice } = input;
  return {
    input: {
      ...input,
      tools,
      messages: input.messages.map(withFunctions),
      ...(toolChoice && { toolChoice: chooseFunction(toolChoice) }),
    },
    losses,
    placeOf: (place) => place,
    createRestore: () =>
      holdCalls(
        (name) => names.has(name),
        (call) => ({
          case: "toolUse",
          value: { ...call, arguments: readInput(call.arguments), kind: ToolKind.CUSTOM },
        }),
      ),
    restored: [...names],
  };
}

function asFunction(tool: Tool, index: number, losses: string[]): Tool {
  if (tool.kind.case !== "custom") return tool;
  const { name, description = "", formatJson } = tool.kind.value;
  const format = parseJsonObject(formatJson ?? '{"type":"text"}');
  if (format?.["type"] !== "text") losses.push(`tools[${index}].format_json`);
  for (const member of Object.keys(lookAtJsonObject(tool.extension?.json ?? "{}") ?? {}))
    losses.push(`tools[${index}].extension.${member}`);
  const descriptionText = [description, grammarText(format ?? {})].filter((text) => text !== "").join("\n\n");
  const value = { name, ...(descriptionText !== "" && { description: descriptionText }), parametersJson: PARAMETERS };
  const { cacheMark } = tool;
  return Object.assign(newTool({ case: "function", value }), cacheMark && { cacheMark });
}

/** Says what form an input must have; "" for any text. */
function grammarText(format: JsonObject): string {
  const { type, grammar } = format;
  // The Chat format has a grammar's members one level down.
  const { syntax, definition } = isJsonObject(grammar) ? grammar : format;
  if (type !== "grammar" || typeof definition !== "string") return "";
  const kind = typeof syntax === "string" ? `${syntax} ` : "";
  return `The input must obey this ${kind}grammar:\n${definition}`;
}

function isCustom({ kind }: ContentBlock): boolean {
  return (kind.case === "toolUse" || kind.case === "toolResult") && kind.value.kind === ToolKind.CUSTOM;
}

function withFunctions(message: Message): Message {
  if (!message.content.some(isCustom)) return message;
  const made = create(MessageSchema, { ...message, content: [] });
  // Blocks are known by their identity.
  made.content = message.content.map((block) => (isCustom(block) ? blockAsFunction(block) : block));
  return made;
}

function blockAsFunction(block: ContentBlock): ContentBlock {
  const { kind } = block;
  if (kind.case === "toolUse") {
    const text = JSON.stringify({ [MEMBER]: kind.value.arguments });
    const value = { ...kind.value, arguments: text, kind: ToolKind.FUNCTION };
    return create(ContentBlockSchema, { ...block, kind: { case: "toolUse", value } });
  }
  if (kind.case !== "toolResult") return block;
  const value = { ...kind.value, kind: ToolKind.FUNCTION };
  return create(ContentBlockSchema, { ...block, kind: { case: "toolResult", value } });
}

function chooseFunction(choice: ToolChoice): ToolChoice {
  const { opaque, ...others } = choice;
  const isList = choice.mode === ToolChoiceMode.AUTO || choice.mode === ToolChoiceMode.REQUIRED;
  const kind = choice.kind === ToolKind.CUSTOM ? ToolKind.FUNCTION : choice.kind;
  // The names of the list suffice; its own form has the kinds of the tools.
  return create(ToolChoiceSchema, { ...others, kind, ...(opaque && !isList && { opaque }) });
}

/** The text of a call; of arguments that are something else, what the model wrote. */
export function readInput(text: string): string {
  const json = parseJsonObject(text);
  if (json === undefined) return readCut(text) ?? text;
  const values = Object.values(json);
  const input = json[MEMBER] ?? (values.length === 1 ? values[0] : undefined);
  return typeof input === "string" ? input : text;
}

const BEGINNING = new RegExp(`^\\s*\\{\\s*"${MEMBER}"\\s*:\\s*"`);

/** The text as far as it came of arguments that were cut off in it. */
function readCut(text: string): string | undefined {
  const [beginning] = BEGINNING.exec(text) ?? [];
  if (beginning === undefined) return undefined;
  const rest = text.slice(beginning.length).replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, "$1");
  try {
    return String(JSON.parse(`"${rest}"`));
  } catch {
    return undefined;
  }
}
