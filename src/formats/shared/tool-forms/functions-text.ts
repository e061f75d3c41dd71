import type { Tool } from "../../../../gen/attune/content/v1/content_pb.ts";
import { parseJsonObject } from "../json.ts";

/**
 * Writes tools that were found as a model reads them: a line each, in the form that Claude Code's own description of
 * its ToolSearch promises.
 */
export function functionsText(tools: readonly Tool[]): string {
  const lines = tools.flatMap(({ kind }) => {
    if (kind.case === "opaque") {
      const json = parseJsonObject(kind.value.json) ?? {};
      return [JSON.stringify(json)];
    }
    if (kind.case === undefined) return [];
    const { description, name } = kind.value;
    const parameters = kind.case === "function" ? parseJsonObject(kind.value.parametersJson ?? "{}") : undefined;
    return [JSON.stringify({ description, name, parameters })];
  });
  return ["<functions>", ...lines.map((line) => `<function>${line}</function>`), "</functions>"].join("\n");
}
