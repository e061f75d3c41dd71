import { type CustomTool, type FunctionTool, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../inference/error.ts";
import type { Conversation } from "./conversation.ts";

/** A tool that the sandbox can call. */
export type CallableTool = (
  | { readonly kind: "function"; readonly tool: FunctionTool }
  | { readonly kind: "custom"; readonly tool: CustomTool }
) & {
  /** Position in the request. */
  readonly index: number;
};

/**
 * Chooses the tools to call: none after results of tools, unless a call is demanded; the one whose name has most words in
 * common with what the user says, the first of equals; two if the user says "parallel" or "both". Throws INVALID_REQUEST for a
 * demand that cannot be met.
 */
export function chooseTools(input: InferenceInput, conversation: Conversation): CallableTool[] {
  const mode = input.toolChoice?.mode ?? ToolChoiceMode.UNSPECIFIED;
  if (mode === ToolChoiceMode.NONE) return [];
  const callable = callableTools(input);
  if (mode === ToolChoiceMode.NAMED) {
    const named = callable.find(({ tool }) => tool.name === input.toolChoice?.name);
    if (named === undefined) throw InferenceError.invalid("tool_choice", "names a tool that is not among the tools");
    return [named];
  }
  const isRequired = mode === ToolChoiceMode.REQUIRED;
  if (isRequired && callable.length === 0) {
    throw InferenceError.invalid("tool_choice", "demands a call, and there is no tool that the sandbox can call");
  }
  if (!isRequired && conversation.results.length > 0) return [];
  const [best, next = best] = rank(callable, conversation.userText);
  if (best === undefined || next === undefined) return [];
  const wantsTwo = /\b(parallel|both)\b/i.test(conversation.userText) && input.parallelToolCalls !== false;
  return wantsTwo ? [best, next] : [best];
}

function callableTools(input: InferenceInput): CallableTool[] {
  const allowed = new Set(input.toolChoice?.allowedNames);
  return input.tools
    .flatMap(({ kind }, index): CallableTool[] => {
      if (kind.case === "function") return [{ kind: "function", tool: kind.value, index }];
      return kind.case === "custom" ? [{ kind: "custom", tool: kind.value, index }] : [];
    })
    .filter(({ tool }) => allowed.size === 0 || allowed.has(tool.name));
}

function rank(tools: readonly CallableTool[], userText: string): CallableTool[] {
  const said = new Set(wordsOf(userText));
  const score = ({ tool: { name } }: CallableTool): number => {
    if (userText.includes(name)) return Number.POSITIVE_INFINITY;
    return wordsOf(name).filter((word) => said.has(word)).length;
  };
  const scored = tools.map((tool) => ({ tool, score: score(tool) }));
  return scored
    .toSorted((one, other) => (one.score === other.score ? 0 : other.score - one.score))
    .map(({ tool }) => tool);
}

/** get_weather, getWeather and "the weather" have a word in common. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
}
