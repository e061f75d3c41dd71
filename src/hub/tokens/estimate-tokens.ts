import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";

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

/** Characters of a text that are looked at: enough to tell its script, and about 100 ns. */
const SAMPLES = 32;

/**
 * The first code unit of each script, with the tokens that a character of it takes in characters of English. Measured
 * with the o200k vocabulary: a token has 1.1 to 1.6 characters of Chinese and Japanese, 2.1 of Korean, 1.3 code units
 * of emoji; four and more of English, Russian and code, and three to four of Thai, Hindi and Arabic.
 */
const SCRIPTS: readonly (readonly [from: number, weight: number])[] = [
  [0, 1],
  [0x1100, 2.25], // Hangul Jamo.
  [0x1200, 1],
  [0x2e80, 3.25], // Radicals, punctuation, kana and ideographs.
  [0xa4d0, 1],
  [0xac00, 2.25], // Hangul syllables.
  [0xd800, 3], // Halves of characters beyond: emoji, rare ideographs.
  [0xe000, 1],
  [0xf900, 3.25], // Ideographs for compatibility.
  [0xfb00, 1],
  [0xff00, 3.25], // Full-width forms.
];

/** Returns the length of a text in characters of English that take as many tokens, judged by a sample of it. */
function englishLength(text: string): number {
  const step = Math.ceil(text.length / SAMPLES);
  let [sum, count] = [0, 0];
  for (let at = 0; at < text.length; at += step) {
    const code = text.charCodeAt(at);
    sum += code < 0x1100 ? 1 : weightOf(code);
    count += 1;
  }
  return count === 0 ? 0 : (text.length * sum) / count;
}

function weightOf(code: number): number {
  let weight = 1;
  for (const [from, of] of SCRIPTS) {
    if (code < from) break;
    weight = of;
  }
  return weight;
}
