import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { englishLength } from "./script-weight.ts";

/** Characters of English and of code that a token holds, as a rule. */
export const CHARACTERS_PER_TOKEN = 4;

/**
 * Estimates the tokens of a prompt from the length and the script of its texts, at least 1, without reading them whole:
 * for reservations, and for where an upstream counts only at the end of its answer. Media count nothing, for their
 * tokens depend on pixels and pages.
 */
export function estimateInputTokens({ system, messages, tools }: InferenceInput): number {
  const blocks = [...system, ...messages.flatMap(({ content }) => content)];
  const characters = sum(blocks, blockCharacters) + sum(tools, toolCharacters);
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}

function blockCharacters({ kind }: ContentBlock): number {
  switch (kind.case) {
    case "text":
    case "refusal":
      return englishLength(kind.value.text);
    case "toolUse":
      return englishLength(kind.value.name) + englishLength(kind.value.arguments);
    case "toolResult":
      return sum(kind.value.content, blockCharacters);
    case "thinking":
      return englishLength(kind.value.text) + sum(kind.value.summary, englishLength);
    case "document":
      return documentCharacters(kind.value.source);
    case "opaque":
      return englishLength(kind.value.json);
    default:
      return 0;
  }
}

type DocumentSource = Extract<ContentBlock["kind"], { case: "document" }>["value"]["source"];

function documentCharacters(source: DocumentSource): number {
  if (source.case === "text") return englishLength(source.value);
  return source.case === "content" ? sum(source.value.blocks, blockCharacters) : 0;
}

function toolCharacters({ kind }: Tool): number {
  switch (kind.case) {
    case "function":
      return sum([kind.value.name, kind.value.description, kind.value.parametersJson], lengthOf);
    case "custom":
      return sum([kind.value.name, kind.value.description, kind.value.formatJson], lengthOf);
    case "opaque":
      return englishLength(kind.value.json);
    default:
      return 0;
  }
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : englishLength(text);
}

function sum<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
