import { create } from "@bufbuild/protobuf";
import {
  type Tool,
  type ToolChoice,
  ToolChoiceMode,
  ToolChoiceSchema,
} from "../../../gen/attune/content/v1/content_pb.ts";
import {
  flagMember,
  jsonMember,
  listMember,
  type Member,
  named,
  nameMember,
  required,
  textMember,
  type Values,
  wordMember,
} from "./member.ts";
import { WireError } from "./read.ts";
import { oneOf } from "./schema.ts";

/** Describes a list of tools, of which no two have one name. */
export function toolsMember(tool: Member<Tool>, description: string): Member<Tool[]> {
  const list = listMember(tool, description);
  return { ...list, read: (value, path) => checkNames(list.read(value, path, undefined), path) };
}

function checkNames(tools: Tool[], path: string): Tool[] {
  const names = new Set<string>();
  for (const [index, { kind }] of tools.entries()) {
    const name = kind.case === "opaque" ? undefined : kind.value?.name;
    if (name === undefined) continue;
    if (names.has(name)) throw new WireError(`${path}[${index}]`, `has the name '${name}', which another tool has too`);
    names.add(name);
  }
  return tools;
}

/** Members of a function, which OpenAI's two formats hold at different depths. */
export const FUNCTION = {
  name: required(nameMember("Name of the function")),
  description: textMember("Description of the function, for the model"),
  parameters: jsonMember("JSON schema of the arguments"),
  strict: flagMember("Whether arguments must match the schema"),
};

/** Returns a function as the hub has it. */
export function toFunction({ name, description, parameters, strict }: Values<typeof FUNCTION>) {
  return { name, description, parametersJson: parameters && JSON.stringify(parameters), strict };
}

/** Members of a tool that takes text. */
export const CUSTOM = {
  name: required(nameMember("Name of the tool")),
  description: textMember("Description of the tool, for the model"),
  format: jsonMember("Format of the input"),
};

/** Returns a tool that takes text as the hub has it. */
export function toCustomTool({ name, description, format }: Values<typeof CUSTOM>) {
  return { name, description, formatJson: format && JSON.stringify(format) };
}

/** Modes of a choice of tools. */
export const TOOL_MODES = {
  none: ToolChoiceMode.NONE,
  auto: ToolChoiceMode.AUTO,
  required: ToolChoiceMode.REQUIRED,
} as const;

const MODE = wordMember(["none", "auto", "required"], "Whether tools are called");

/** The mode of a choice of some tools. */
export const ALLOWED_MODE = required(wordMember(["auto", "required"], "Whether they are called"));

/** Describes `tool_choice`: a mode, or tools; `decodeNewer` gets a mode that is not known. */
export function toolChoiceMember(
  name: string,
  chosen: Member<ToolChoice>,
  decodeNewer: (mode: string) => ToolChoice,
): Member<ToolChoice> {
  return named(name, {
    read: (value: unknown, path: string) => {
      if (typeof value !== "string") return chosen.read(value, path, undefined);
      const mode = MODE.read(value, path, undefined);
      return mode === undefined ? decodeNewer(value) : create(ToolChoiceSchema, { mode: TOOL_MODES[mode] });
    },
    schema: oneOf([MODE.schema, chosen.schema], "Tools that the model calls"),
  });
}
