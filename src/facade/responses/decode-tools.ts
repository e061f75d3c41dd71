import { create } from "@bufbuild/protobuf";
import {
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "../../wire/json.ts";
import { extraMembers } from "../../wire/messages/extra-members.ts";
import { optional, readArray, readBoolean, readChoice, readObject, readString, WireError } from "../../wire/read.ts";
import { responsesJson } from "../../wire/responses/raw-json.ts";

const FUNCTION_TOOL = new Set(["type", "name", "description", "parameters", "strict"]);
const CUSTOM_TOOL = new Set(["type", "name", "description", "format"]);

const MODES = {
  none: ToolChoiceMode.NONE,
  auto: ToolChoiceMode.AUTO,
  required: ToolChoiceMode.REQUIRED,
} as const;

/** Decodes `tools`. Throws WireError. */
export function decodeTools(value: unknown): Tool[] {
  const names = new Set<string>();
  return (optional(value, "tools", readArray) ?? []).map((item, index) => {
    const path = `tools[${index}]`;
    const tool = decodeTool(item, path);
    const name = tool.kind.case === "opaque" ? undefined : tool.kind.value?.name;
    if (name === undefined) return tool;
    if (names.has(name)) throw new WireError(path, `has the name '${name}', which another tool has too`);
    names.add(name);
    return tool;
  });
}

/** Hosted tools, namespaces and whatever is newer are opaque. */
function decodeTool(value: unknown, path: string): Tool {
  const tool = readObject(value, path);
  switch (readString(tool.type, `${path}.type`)) {
    case "function":
      return create(ToolSchema, {
        kind: { case: "function", value: functionTool(tool, path) },
        extension: responsesJson(extraMembers(tool, FUNCTION_TOOL)),
      });
    case "custom":
      return create(ToolSchema, {
        kind: { case: "custom", value: customTool(tool, path) },
        extension: responsesJson(extraMembers(tool, CUSTOM_TOOL)),
      });
    default:
      return create(ToolSchema, { kind: { case: "opaque", value: responsesJson(tool) } });
  }
}

function functionTool(tool: JsonObject, path: string) {
  const parameters = optional(tool.parameters, `${path}.parameters`, readObject);
  return {
    name: readName(tool.name, `${path}.name`),
    description: optional(tool.description, `${path}.description`, readString),
    parametersJson: parameters && JSON.stringify(parameters),
    strict: optional(tool.strict, `${path}.strict`, readBoolean),
  };
}

function customTool(tool: JsonObject, path: string) {
  const format = optional(tool.format, `${path}.format`, readObject);
  return {
    name: readName(tool.name, `${path}.name`),
    description: optional(tool.description, `${path}.description`, readString),
    formatJson: format && JSON.stringify(format),
  };
}

/** Checks that a value is a string with something in it. */
export function readName(value: unknown, path: string): string {
  const name = readString(value, path);
  if (name === "") throw new WireError(path, "must not be empty");
  return name;
}

/** Decodes `tool_choice`. Throws WireError. */
export function decodeToolChoice(value: unknown, path: string): ToolChoice {
  if (typeof value === "string") {
    return create(ToolChoiceSchema, { mode: MODES[readChoice(value, path, ["none", "auto", "required"])] });
  }
  const choice = readObject(value, path);
  const type = readString(choice.type, `${path}.type`);
  switch (type) {
    case "function":
    case "custom":
      return create(ToolChoiceSchema, {
        mode: ToolChoiceMode.NAMED,
        name: readName(choice.name, `${path}.name`),
        kind: type === "custom" ? ToolKind.CUSTOM : ToolKind.FUNCTION,
      });
    case "allowed_tools":
      return decodeAllowedTools(choice, path);
    default:
      return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: responsesJson(choice) });
  }
}

function decodeAllowedTools(choice: JsonObject, path: string): ToolChoice {
  const mode = MODES[readChoice(choice.mode, `${path}.mode`, ["auto", "required"])];
  const tools = readArray(choice.tools, `${path}.tools`).map((tool, index) => {
    const toolPath = `${path}.tools[${index}]`;
    const { type, name } = readObject(tool, toolPath);
    const named = type === "function" || type === "custom";
    return named ? readName(name, `${toolPath}.name`) : undefined;
  });
  const allowedNames = tools.filter((name) => name !== undefined);
  const opaque = responsesJson(choice);
  // Without names, which hosted tools do not have, the hub would read it as leave to call every tool.
  if (allowedNames.length === 0) return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque });
  return create(ToolChoiceSchema, { mode, allowedNames, opaque });
}
