import { type ToolChoice, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * Checks a choice of another format's caller against the tools that the upstream is told of. An answer without the call
 * that was demanded would be another answer, so that INVALID_REQUEST is thrown where it cannot be made.
 */
export function checkCallPossible(choice: ToolChoice | undefined, tools: readonly JsonObject[]): void {
  if (choice?.mode === ToolChoiceMode.REQUIRED && tools.length === 0) {
    throw InferenceError.invalid(
      "tool_choice",
      "requires a call, but the upstream supports none of the tools: define one as a function",
    );
  }
  if (choice?.mode === ToolChoiceMode.NAMED && !tools.some((tool) => getName(tool) === choice.name)) {
    throw InferenceError.invalid(
      "tool_choice",
      `requires a call of '${choice.name}', but the upstream does not support that tool: define it as a function`,
    );
  }
}

/** Tells whether a choice says nothing where there are no tools, so that it need not be sent, which servers refuse. */
export function needsNoTools(choice: ToolChoice | undefined): boolean {
  return choice === undefined || choice.mode === ToolChoiceMode.AUTO || choice.mode === ToolChoiceMode.NONE;
}

/** Chat has the name one level down. */
function getName(tool: JsonObject): unknown {
  const inner = tool.function ?? tool.custom;
  return isJsonObject(inner) ? inner.name : tool.name;
}
