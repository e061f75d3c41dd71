import { create } from "@bufbuild/protobuf";
import {
  CustomToolSchema,
  FunctionToolSchema,
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
  ToolKind,
  ToolSchema,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import { knownMembers } from "../../../hub/field-names.ts";
import { extraMembers, type JsonObject } from "../../shared/json.ts";
import { decodeCustomTool, decodeFunctionTool, decodeToolList } from "../../shared/openai-tools.ts";
import { readArray, readChoice, readName, readObject, readString } from "../../shared/read.ts";
import { responsesJson } from "../../shared/responses-json.ts";
import { isNewWord, listWords } from "../../shared/words.ts";

const FUNCTION_TOOL = knownMembers("responses", [FunctionToolSchema], { further: ["type"] });
const CUSTOM_TOOL = knownMembers("responses", [CustomToolSchema], { further: ["type"] });

const MODES = {
  none: ToolChoiceMode.NONE,
  auto: ToolChoiceMode.AUTO,
  required: ToolChoiceMode.REQUIRED,
} as const;

const MODE_WORDS = listWords(MODES);
const ALLOWED_MODES = ["auto", "required"] as const;

/** Decodes `tools`. Throws WireError. */
export function decodeTools(value: unknown): Tool[] {
  return decodeToolList(value, decodeTool);
}

/** Hosted tools, namespaces and whatever is newer are opaque. */
function decodeTool(tool: JsonObject, path: string): Tool {
  switch (readString(tool.type, `${path}.type`)) {
    case "function":
      return create(ToolSchema, {
        kind: { case: "function", value: decodeFunctionTool(tool, path) },
        extension: responsesJson(extraMembers(tool, FUNCTION_TOOL)),
      });
    case "custom":
      return create(ToolSchema, {
        kind: { case: "custom", value: decodeCustomTool(tool, path) },
        extension: responsesJson(extraMembers(tool, CUSTOM_TOOL)),
      });
    default:
      return create(ToolSchema, { kind: { case: "opaque", value: responsesJson(tool) } });
  }
}

/** Decodes `tool_choice`. Throws WireError. */
export function decodeToolChoice(value: unknown, path: string): ToolChoice {
  if (typeof value === "string") {
    if (isNewWord(value, MODE_WORDS)) return opaqueChoice(value);
    return create(ToolChoiceSchema, { mode: MODES[readChoice(value, path, MODE_WORDS)] });
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
      return opaqueChoice(choice);
  }
}

function decodeAllowedTools(choice: JsonObject, path: string): ToolChoice {
  if (isNewWord(choice.mode, ALLOWED_MODES)) return opaqueChoice(choice);
  const mode = MODES[readChoice(choice.mode, `${path}.mode`, ALLOWED_MODES)];
  const tools = readArray(choice.tools, `${path}.tools`).map((tool, index) => {
    const toolPath = `${path}.tools[${index}]`;
    const { type, name } = readObject(tool, toolPath);
    const named = type === "function" || type === "custom";
    return named ? readName(name, `${toolPath}.name`) : undefined;
  });
  const allowedNames = tools.filter((name) => name !== undefined);
  // Without names, which hosted tools do not have, the hub would read it as leave to call every tool.
  if (allowedNames.length === 0) return opaqueChoice(choice);
  return create(ToolChoiceSchema, { mode, allowedNames, opaque: responsesJson(choice) });
}

function opaqueChoice(choice: JsonObject | string): ToolChoice {
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: responsesJson(choice) });
}
