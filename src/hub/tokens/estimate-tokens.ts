import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { estimateTextTokens } from "./estimate-text.ts";
import { MESSAGE_TOKENS, TOOL_TOKENS } from "./prompt-parts.ts";

/** Characters of English and of code that a token holds, as a rule. */
export const CHARACTERS_PER_TOKEN = 4;

/** Estimates by the inputs that they are of: several steps ask for that of one prompt. */
const ESTIMATES = new WeakMap<InferenceInput, number>();

/**
 * Estimates the tokens of a prompt from samples of its texts, at least 1, with what templates put around messages and
 * tools: for reservations, and for where an upstream counts only at the end of its answer. Media count nothing, for
 * their tokens depend on pixels and pages.
 */
export function estimateInputTokens(input: InferenceInput): number {
  const known = ESTIMATES.get(input);
  if (known !== undefined) return known;
  const { system, messages, tools } = input;
  const framed = messages.length * MESSAGE_TOKENS + tools.length * TOOL_TOKENS;
  const said = sum(system, blockTokens) + sum(messages, ({ content }) => sum(content, blockTokens));
  const tokens = Math.max(1, Math.ceil(framed + said + sum(tools, toolTokens)));
  ESTIMATES.set(input, tokens);
  return tokens;
}

/** Part of an estimate by which it may be below what o200k counts. */
const MARGIN = 0.1;

/** Estimates no less than the tokens of a prompt: for where money, or the room of a model, is judged. */
export function boundInputTokens(input: InferenceInput): number {
  const estimate = estimateInputTokens(input);
  return estimate + Math.floor(estimate * MARGIN);
}

function blockTokens({ kind }: ContentBlock): number {
  switch (kind.case) {
    case "text":
    case "refusal":
      return estimateTextTokens(kind.value.text);
    case "toolUse":
      return estimateTextTokens(kind.value.name) + estimateTextTokens(kind.value.arguments);
    case "toolResult":
      return sum(kind.value.content, blockTokens);
    case "thinking":
      return estimateTextTokens(kind.value.text) + sum(kind.value.summary, estimateTextTokens);
    case "document":
      return documentTokens(kind.value.source);
    case "opaque":
      return estimateTextTokens(kind.value.json);
    default:
      return 0;
  }
}

type DocumentSource = Extract<ContentBlock["kind"], { case: "document" }>["value"]["source"];

function documentTokens(source: DocumentSource): number {
  if (source.case === "text") return estimateTextTokens(source.value);
  return source.case === "content" ? sum(source.value.blocks, blockTokens) : 0;
}

function toolTokens({ kind }: Tool): number {
  switch (kind.case) {
    case "function":
      return sum([kind.value.name, kind.value.description, kind.value.parametersJson], tokensOf);
    case "custom":
      return sum([kind.value.name, kind.value.description, kind.value.formatJson], tokensOf);
    case "opaque":
      return estimateTextTokens(kind.value.json);
    default:
      return 0;
  }
}

function tokensOf(text: string | undefined): number {
  return text === undefined ? 0 : estimateTextTokens(text);
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
