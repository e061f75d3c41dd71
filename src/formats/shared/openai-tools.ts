import type { Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  flagMember,
  jsonMember,
  listMember,
  type Member,
  nameMember,
  required,
  textMember,
  type Values,
} from "./member.ts";
import { WireError } from "./read.ts";

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
  description: textMember("Purpose of the function, for the model"),
  parameters: jsonMember("JSON schema of the arguments"),
  strict: flagMember("Whether arguments keep to the schema"),
};

/** Returns a function as the hub has it. */
export function toFunction({ name, description, parameters, strict }: Values<typeof FUNCTION>) {
  return { name, description, parametersJson: parameters && JSON.stringify(parameters), strict };
}

/** Members of a tool that takes text. */
export const CUSTOM = {
  name: required(nameMember("Name of the tool")),
  description: textMember("Purpose of the tool, for the model"),
  format: jsonMember("Form of the input"),
};

/** Returns a tool that takes text as the hub has it. */
export function toCustomTool({ name, description, format }: Values<typeof CUSTOM>) {
  return { name, description, formatJson: format && JSON.stringify(format) };
}
