import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { estimateTextTokens, WINDOWS } from "./estimate-text.ts";
import { MESSAGE_TOKENS, TOOL_TOKENS } from "./prompt-parts.ts";
import { getVocabulary, O200K, type Vocabulary } from "./vocabulary.ts";

/** Characters of English and of code that a token holds, as a rule. */
export const CHARACTERS_PER_TOKEN = 4;

/** Windows of all texts of a prompt together, and the fewest of one text. */
const PROMPT_WINDOWS = 128;
const LEAST_WINDOWS = 4;

type TextEstimate = (text?: string) => number;

/** Estimates by their vocabularies and inputs: several steps ask for that of one prompt. */
const ESTIMATES = new WeakMap<Vocabulary, WeakMap<InferenceInput, number>>();

/**
 * Estimates the tokens of a prompt from samples of its texts, at least 1, with what templates put around messages and
 * tools: for reservations, and for where an upstream counts only at the end of its answer. Media count nothing, for
 * their tokens depend on pixels and pages.
 */
export function estimateInputTokens(input: InferenceInput, vocabulary: Vocabulary = O200K): number {
  const estimates = ESTIMATES.get(vocabulary) ?? new WeakMap<InferenceInput, number>();
  ESTIMATES.set(vocabulary, estimates);
  const known = estimates.get(input);
  if (known !== undefined) return known;
  const { system, messages, tools } = input;
  const framed = messages.length * MESSAGE_TOKENS + tools.length * TOOL_TOKENS;
  // Of many texts fewer windows each: errors of one are evened out by others, and a long conversation costs no more.
  const share = Math.floor(PROMPT_WINDOWS / (system.length + messages.length + tools.length));
  const windows = Math.min(WINDOWS, Math.max(LEAST_WINDOWS, share));
  const ofText: TextEstimate = (text = "") => estimateTextTokens(text, vocabulary, windows);
  const ofBlock = (block: ContentBlock): number => blockTokens(block, ofText);
  const contentTokens = sum(system, ofBlock) + sum(messages, ({ content }) => sum(content, ofBlock));
  const tokens = Math.max(1, Math.ceil(framed + contentTokens + sum(tools, (tool) => toolTokens(tool, ofText))));
  estimates.set(input, tokens);
  return tokens;
}

/** Part of an estimate by which it may be below what o200k, and other vocabularies, count. */
const MARGIN = 0.13;
const OTHER_MARGIN = 0.25;

/** Estimates no less than the tokens of a prompt for a model: where money, or the room of the model, is judged. */
export function boundInputTokens(input: InferenceInput, model: Parameters<typeof getVocabulary>[0]): number {
  const vocabulary = getVocabulary(model);
  const estimate = estimateInputTokens(input, vocabulary);
  return estimate + Math.floor(estimate * (vocabulary === O200K ? MARGIN : OTHER_MARGIN));
}

function blockTokens({ kind }: ContentBlock, ofText: TextEstimate): number {
  const ofBlock = (block: ContentBlock): number => blockTokens(block, ofText);
  switch (kind.case) {
    case "text":
    case "refusal":
      return ofText(kind.value.text);
    case "toolUse":
      return ofText(kind.value.name) + ofText(kind.value.arguments);
    case "toolResult":
      return sum(kind.value.content, ofBlock);
    case "thinking":
      return ofText(kind.value.text) + sum(kind.value.summary, ofText);
    case "document": {
      const { source } = kind.value;
      if (source.case === "text") return ofText(source.value);
      return source.case === "content" ? sum(source.value.blocks, ofBlock) : 0;
    }
    case "opaque":
      return ofText(kind.value.json);
    default:
      return 0;
  }
}

function toolTokens({ kind }: Tool, ofText: TextEstimate): number {
  switch (kind.case) {
    case "function":
      return sum([kind.value.name, kind.value.description, kind.value.parametersJson], ofText);
    case "custom":
      return sum([kind.value.name, kind.value.description, kind.value.formatJson], ofText);
    case "opaque":
      return ofText(kind.value.json);
    default:
      return 0;
  }
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
