import { type CustomTool, type FunctionTool, ToolChoiceMode } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import type { Conversation } from "./conversation.ts";

/** A tool that the sandbox can call. */
type CallableTool = (
  | { readonly kind: "function"; readonly tool: FunctionTool }
  | { readonly kind: "custom"; readonly tool: CustomTool }
) & {
  /** Position in the request. */
  readonly index: number;
};

/** A tool to call, and the part of the user's text that speaks of it. */
export interface ChosenTool {
  readonly callable: CallableTool;
  readonly text: string;
}

/**
 * Chooses the tools to call: none after results of tools, unless a call is demanded; those that the user names, in the
 * order of their first mention; else the one whose name has most words in common with what the user says, the first of
 * equals, or two if the user says "parallel" or "both". Throws INVALID_REQUEST for a demand that cannot be met.
 */
export function chooseTools(input: InferenceInput, { userText, results }: Conversation): ChosenTool[] {
  const mode = input.toolChoice?.mode ?? ToolChoiceMode.UNSPECIFIED;
  if (mode === ToolChoiceMode.NONE) return [];
  const callable = callableTools(input);
  if (mode === ToolChoiceMode.NAMED) {
    const named = callable.find(({ tool }) => tool.name === input.toolChoice?.name);
    if (named === undefined) throw InferenceError.invalid("tool_choice", "names a tool that is not among the tools");
    return [{ callable: named, text: userText }];
  }
  const isRequired = mode === ToolChoiceMode.REQUIRED;
  if (isRequired && callable.length === 0) {
    throw InferenceError.invalid(
      "tool_choice",
      "requires a call, but the request has no tool that the sandbox can call",
    );
  }
  if (!isRequired && results.length > 0) return [];
  const named = namedTools(callable, userText);
  if (input.parallelToolCalls === false && named.length > 0) return named.slice(0, 1);
  const isPair = wantsTwo(userText) && input.parallelToolCalls !== false;
  if (named.length > 1 || (named.length === 1 && !isPair)) return named;
  const [best, next = best] = rank(callable, userText);
  if (best === undefined || next === undefined) return [];
  const chosen = isPair ? [best, next] : [best];
  return chosen.map((tool) => ({ callable: tool, text: userText }));
}

function wantsTwo(userText: string): boolean {
  return /\b(parallel|both)\b/i.test(userText);
}

/** Names of tools as they stand in a text; those with other characters are looked for one by one. */
const NAME = /[\p{L}\p{N}_-]+/gu;

/**
 * The tools whose whole names the user says. The first one's text begins with the user's, and the last one's ends with
 * it.
 */
function namedTools(tools: readonly CallableTool[], userText: string): ChosenTool[] {
  const mentions = new Map<string, number>();
  for (const match of userText.matchAll(NAME)) if (!mentions.has(match[0])) mentions.set(match[0], match.index);
  const named = tools
    .map((callable) => ({ callable, at: getMention(callable.tool.name, mentions, userText) }))
    .filter(({ at }) => at !== -1)
    .toSorted((one, other) => one.at - other.at);
  return named.map(({ callable, at }, index) => {
    return { callable, text: userText.slice(index === 0 ? 0 : at, named[index + 1]?.at) };
  });
}

function getMention(name: string, mentions: ReadonlyMap<string, number>, userText: string): number {
  if (name === "") return -1;
  return mentions.get(name) ?? (/[^\p{L}\p{N}_-]/u.test(name) ? userText.indexOf(name) : -1);
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
  const userWords = new Set(getWords(userText));
  const named = new Set(namedTools(tools, userText).map(({ callable }) => callable));
  const score = (callable: CallableTool): number => {
    if (named.has(callable)) return Number.POSITIVE_INFINITY;
    return getWords(callable.tool.name).filter((word) => userWords.has(word)).length;
  };
  const scored = tools.map((tool) => ({ tool, score: score(tool) }));
  return scored
    .toSorted((one, other) => (one.score === other.score ? 0 : other.score - one.score))
    .map(({ tool }) => tool);
}

/** get_weather, getWeather and "the weather" have a word in common. */
function getWords(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
}
