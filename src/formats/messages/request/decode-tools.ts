import { create } from "@bufbuild/protobuf";
import {
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
import { optional, readArray, readBoolean, readChoice, readObject, readString, WireError } from "../../shared/read.ts";
import { isNewWord, listWords } from "../../shared/words.ts";
import { messagesJson } from "../raw-json.ts";
import { TOOL_NAME, TOOL_NAME_RULE } from "../tool-names.ts";
import { decodeCacheControl, type PlacedCacheMark } from "./decode-cache-control.ts";

const TOOL_KNOWN = knownMembers("messages", [FunctionToolSchema, ToolSchema], { further: ["type"] });
const CHOICE_KNOWN = new Set(["type", "name", "disable_parallel_tool_use"]);
const MODES = {
  auto: ToolChoiceMode.AUTO,
  any: ToolChoiceMode.REQUIRED,
  tool: ToolChoiceMode.NAMED,
  none: ToolChoiceMode.NONE,
} as const;
const CHOICES = listWords(MODES);

/** Decodes `tools`. A tool of a type that the hub does not know is kept whole. */
export function decodeTools(value: unknown, marks: PlacedCacheMark[]): Tool[] {
  const names = new Set<string>();
  return (optional(value, "tools", readArray) ?? []).map((item, index) => {
    const path = `tools[${index}]`;
    const tool = readObject(item, path);
    const name = tool["name"];
    if (typeof name === "string" && names.has(name)) {
      throw new WireError(`${path}.name`, `tool names must be unique, and '${name}' is there twice`);
    }
    if (typeof name === "string") names.add(name);
    return decodeTool(tool, path, marks);
  });
}

function decodeTool(tool: JsonObject, path: string, marks: PlacedCacheMark[]): Tool {
  const type = optional(tool["type"], `${path}.type`, readString) ?? "custom";
  const control = decodeCacheControl(tool, path, marks);
  const cacheMark = control?.mark;
  const whole = type === "custom" ? undefined : messagesJson(tool);
  if (whole !== undefined) return create(ToolSchema, { kind: { case: "opaque", value: whole }, cacheMark });
  const rest = extraMembers(tool, TOOL_KNOWN);
  const extension = control?.rest === undefined ? rest : { ...rest, cache_control: control.rest };
  return create(ToolSchema, {
    kind: { case: "function", value: decodeFunction(tool, path) },
    cacheMark,
    extension: messagesJson(extension),
  });
}

function decodeFunction(tool: JsonObject, path: string) {
  const name = readString(tool["name"], `${path}.name`);
  if (!TOOL_NAME.test(name)) throw new WireError(`${path}.name`, TOOL_NAME_RULE);
  const schema = readObject(tool["input_schema"], `${path}.input_schema`);
  readChoice(schema["type"], `${path}.input_schema.type`, ["object"]);
  return create(FunctionToolSchema, {
    name,
    description: optional(tool["description"], `${path}.description`, readString),
    parametersJson: JSON.stringify(schema),
    strict: optional(tool["strict"], `${path}.strict`, readBoolean),
  });
}

/** A decoded `tool_choice`. */
interface DecodedToolChoice {
  readonly toolChoice: ToolChoice;
  /** Undefined if the choice does not say. */
  readonly parallelToolCalls: boolean | undefined;
}

/** Decodes `tool_choice`. */
export function decodeToolChoice(value: unknown): DecodedToolChoice | undefined {
  const choice = optional(value, "tool_choice", readObject);
  if (choice === undefined) return undefined;
  if (isNewWord(choice["type"], CHOICES)) return { toolChoice: opaqueChoice(choice), parallelToolCalls: undefined };
  const type = readChoice(choice["type"], "tool_choice.type", CHOICES);
  const place = "tool_choice.disable_parallel_tool_use";
  const disabled = optional(choice["disable_parallel_tool_use"], place, readBoolean);
  if (type === "none" && disabled !== undefined) {
    throw new WireError(place, "does not go with a choice of type 'none'; remove it");
  }
  const name = type === "tool" ? readString(choice["name"], "tool_choice.name") : "";
  if (type === "tool" && name === "") throw new WireError("tool_choice.name", "must name one of the tools");
  // A choice with members that the hub does not know travels whole.
  if (extraMembers(choice, CHOICE_KNOWN) !== undefined) {
    return { toolChoice: opaqueChoice(choice), parallelToolCalls: undefined };
  }
  const kind = type === "tool" ? ToolKind.FUNCTION : ToolKind.UNSPECIFIED;
  const toolChoice = create(ToolChoiceSchema, { mode: MODES[type], name, kind });
  return { toolChoice, parallelToolCalls: disabled === undefined ? undefined : !disabled };
}

function opaqueChoice(choice: JsonObject): ToolChoice {
  return create(ToolChoiceSchema, { mode: ToolChoiceMode.OPAQUE, opaque: messagesJson(choice) });
}
