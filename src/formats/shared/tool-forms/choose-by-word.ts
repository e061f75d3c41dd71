import { create } from "@bufbuild/protobuf";
import { type Tool, ToolChoiceMode, ToolChoiceSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { createPlaceFinder, type RewrittenInput } from "./rewritten-input.ts";
import type { ToolRules } from "./tool-rules.ts";

/**
 * Offers the chosen tools alone to a server that takes words and no names: of a tool that is demanded by its name, or
 * of a list of allowed ones. Undefined where there are no such names, or none of them is a tool of the request.
 */
export function chooseByWord(input: HubInput, { choosesByWord }: ToolRules): RewrittenInput | undefined {
  const { toolChoice } = input;
  if (choosesByWord !== true || toolChoice === undefined) return undefined;
  const isNamed = toolChoice.mode === ToolChoiceMode.NAMED;
  const names = new Set(isNamed ? [toolChoice.name] : toolChoice.allowedNames);
  const chosen = input.tools
    .map((tool, index) => ({ tool, path: `tools[${index}]` }))
    .filter(({ tool }) => names.has(nameOf(tool) ?? ""));
  if (chosen.length === 0) return undefined;
  const mode = isNamed ? ToolChoiceMode.REQUIRED : toolChoice.mode;
  return {
    input: {
      ...input,
      tools: chosen.map(({ tool }) => tool),
      toolChoice: create(ToolChoiceSchema, { mode }),
    },
    losses: [],
    placeOf: createPlaceFinder(chosen),
  };
}

function nameOf({ kind }: Tool): string | undefined {
  return kind.case === "function" || kind.case === "custom" ? kind.value.name : undefined;
}
