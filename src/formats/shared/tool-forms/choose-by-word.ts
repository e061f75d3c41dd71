import { create } from "@bufbuild/protobuf";
import { type Tool, ToolChoiceMode, ToolChoiceSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import { createPlaceFinder, type RewrittenInput } from "./rewritten-input.ts";
import type { ToolRules } from "./tool-rules.ts";

/**
 * Offers the chosen tools alone to a server that takes words and no names: of a tool that is demanded by its name, or
 * of a list of allowed ones. One that takes `auto` alone is not told that a call is demanded, which is a loss, and gets
 * no tools where none may be called. Undefined where nothing changes, or the names are of no tool of the request.
 */
export function chooseByWord(input: HubInput, { toolChoices = "named" }: ToolRules): RewrittenInput | undefined {
  const { toolChoice, ...rest } = input;
  if (toolChoices === "named" || toolChoice === undefined) return undefined;
  const { mode, name, allowedNames } = toolChoice;
  const takesAuto = toolChoices === "auto";
  if (takesAuto && mode === ToolChoiceMode.NONE)
    return { input: { ...rest, tools: [] }, losses: [], placeOf: createPlaceFinder([]) };
  const isNamed = mode === ToolChoiceMode.NAMED;
  const names = new Set(isNamed ? [name] : allowedNames);
  const chosen = input.tools
    .map((tool, index) => ({ tool, path: `tools[${index}]` }))
    .filter(({ tool }) => names.size === 0 || names.has(getName(tool) ?? ""));
  const isLost = takesAuto && mode !== ToolChoiceMode.AUTO;
  if (chosen.length === 0 || (names.size === 0 && !isLost)) return undefined;
  const wordMode = isNamed ? ToolChoiceMode.REQUIRED : mode;
  return {
    input: {
      ...input,
      tools: chosen.map(({ tool }) => tool),
      toolChoice: create(ToolChoiceSchema, { mode: isLost ? ToolChoiceMode.AUTO : wordMode }),
    },
    losses: isLost ? ["tool_choice"] : [],
    placeOf: createPlaceFinder(chosen),
  };
}

function getName({ kind }: Tool): string | undefined {
  return kind.case === "function" || kind.case === "custom" ? kind.value.name : undefined;
}
