import type { Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { JsonObject } from "./json.ts";
import { optional, readArray, readBoolean, readName, readObject, readString, WireError } from "./read.ts";

/** Decodes the list of tools that stands at `list`, each by `decode`; no two have one name. Throws WireError. */
export function decodeToolList(
  value: unknown,
  decode: (tool: JsonObject, path: string) => Tool,
  list = "tools",
): Tool[] {
  const names = new Set<string>();
  return (optional(value, list, readArray) ?? []).map((item, index) => {
    const path = `${list}[${index}]`;
    const tool = decode(readObject(item, path), path);
    const name = tool.kind.case === "opaque" ? undefined : tool.kind.value?.name;
    if (name === undefined) return tool;
    if (names.has(name)) throw new WireError(path, `has the name '${name}', which another tool has too`);
    names.add(name);
    return tool;
  });
}

/** Decodes the members of a function, which OpenAI's two formats hold at different depths. Throws WireError. */
export function decodeFunctionTool(tool: JsonObject, path: string) {
  const parameters = optional(tool.parameters, `${path}.parameters`, readObject);
  return {
    name: readName(tool.name, `${path}.name`),
    description: optional(tool.description, `${path}.description`, readString),
    parametersJson: parameters && JSON.stringify(parameters),
    strict: optional(tool.strict, `${path}.strict`, readBoolean),
  };
}

/** Decodes the members of a tool with free text input. Throws WireError. */
export function decodeCustomTool(tool: JsonObject, path: string) {
  const format = optional(tool.format, `${path}.format`, readObject);
  return {
    name: readName(tool.name, `${path}.name`),
    description: optional(tool.description, `${path}.description`, readString),
    formatJson: format && JSON.stringify(format),
  };
}
