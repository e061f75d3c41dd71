import { create } from "@bufbuild/protobuf";
import {
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { readCacheControl } from "../../shared/chat-cache-control.ts";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { decodeCustomTool, decodeFunctionTool, decodeToolList } from "../../shared/openai-tools.ts";
import { readArray, readChoice, readName, readObject, readString, WireError } from "../../shared/read.ts";
import { isNewWord } from "../../shared/words.ts";
import { MODELLED } from "../members.ts";
import { chatJson } from "../raw-json.ts";
import { nestedExtra } from "./decode-part.ts";

/** Decodes `tools`; a tool of an unknown type becomes an opaque tool. Throws WireError. */
export function decodeTools(value: unknown): Tool[] {
  return decodeToolList(value, decodeTool);
}

function decodeTool(tool: JsonObject, path: string): Tool {
  const type = readString(tool.type, `${path}.type`);
  const extension = chatJson(
    nestedExtra(tool, MODELLED.tool, { function: MODELLED.function, custom: MODELLED.custom }),
  );
  if (type === "function") {
    const value = decodeFunctionTool(readObject(tool.function, `${path}.function`), `${path}.function`);
    return create(ToolSchema, { kind: { case: "function", value }, cacheMark: readCacheControl(tool), extension });
  }
  if (type === "custom") {
    const value = decodeCustomTool(readObject(tool.custom, `${path}.custom`), `${path}.custom`);
    return create(ToolSchema, { kind: { case: "custom", value }, cacheMark: readCacheControl(tool), extension });
  }
  return create(ToolSchema, { kind: { case: "opaque", value: chatJson(tool) } });
}

const MODES = {
  auto: ToolChoiceMode.AUTO,
  none: ToolChoiceMode.NONE,
  required: ToolChoiceMode.REQUIRED,
} as const;

/** In the order in which errors tell them. */
const MODE_WORDS = ["none", "auto", "required"] as const;
const ALLOWED_MODES = ["auto", "required"] as const;

/** Decodes `tool_choice`. A choice of an unknown type stays opaque. Throws WireError. */
export function decodeToolChoice(value: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") {
    if (isNewWord(value, MODE_WORDS)) return opaqueChoice(value);
    const mode = MODES[readChoice(value, "tool_choice", MODE_WORDS)];
    return create(ToolChoiceSchema, { mode });
  }
  const choice = readObject(value, "tool_choice");
  const type = readString(choice.type, "tool_choice.type");
  if (type === "function" || type === "custom") return decodeNamed(choice, type, tools);
  if (type === "allowed_tools") return decodeAllowed(choice);
  return opaqueChoice(choice);
}

function opaqueChoice(choice: JsonObject | string): ToolChoice {
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: chatJson(choice) });
}

function decodeNamed(choice: JsonObject, type: "function" | "custom", tools: readonly Tool[]): ToolChoice {
  const named = readObject(choice[type], `tool_choice.${type}`);
  const name = readName(named.name, `tool_choice.${type}.name`);
  if (!tools.some(({ kind }) => kind.case === type && kind.value.name === name)) {
    throw new WireError(`tool_choice.${type}.name`, `'${name}' is not among the tools: define it, or choose another`);
  }
  const kind = type === "custom" ? ToolKind.CUSTOM : ToolKind.FUNCTION;
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.NAMED, name, kind });
}

function decodeAllowed(choice: JsonObject): ToolChoice {
  const path = "tool_choice.allowed_tools";
  const allowed = readObject(choice.allowed_tools, path);
  if (isNewWord(allowed.mode, ALLOWED_MODES)) return opaqueChoice(choice);
  const mode = readChoice(allowed.mode, `${path}.mode`, ALLOWED_MODES);
  const references = readArray(allowed.tools, `${path}.tools`);
  if (references.length === 0) throw new WireError(`${path}.tools`, "must name at least one tool");
  return create(ToolChoiceSchema, {
    mode: MODES[mode],
    allowedNames: references.map((reference, index) => nameOf(reference, `${path}.tools[${index}]`)),
    opaque: chatJson(choice),
  });
}

/** A reference names its tool as the definition does; one to a tool of an unknown type is named by that type. */
function nameOf(value: unknown, path: string): string {
  const reference = readObject(value, path);
  const type = readString(reference.type, `${path}.type`);
  const inner = reference[type];
  return readName(isJsonObject(inner) ? inner.name : (reference.name ?? type), `${path}.${type}.name`);
}
