import type { ContentBlock, Tool } from "../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../gen/attune/inference/v1/inference_pb.ts";

/** Tokens of what has no text. */
const IMAGE_TOKENS = 1000;
const DOCUMENT_TOKENS = 2000;
const SOUND_TOKENS = 1000;

/**
 * Tokens that a template puts around a message and around a tool. Tekken has 1.5 a message and o200k's chat form 4;
 * Mistral's form of five tools has 37 a tool more than their texts.
 */
export const MESSAGE_TOKENS = 3;
export const TOOL_TOKENS = 16;

/** Texts, and the tokens of what has none. */
export type PromptPart = string | number;

/** Lists what a prompt is made of, in its order: tools, system, messages; or the texts of an embedding. */
export function* partsOfPrompt({ tools, system, messages, embedding }: InferenceInput): Generator<PromptPart> {
  if (embedding !== undefined) for (const { tokens } of embedding.tokenInputs) yield tokens.length;
  yield messages.length * MESSAGE_TOKENS + tools.length * TOOL_TOKENS;
  for (const tool of tools) yield* partsOfTool(tool);
  for (const block of system) yield* partsOfBlock(block);
  for (const { content } of messages) for (const block of content) yield* partsOfBlock(block);
}

/** Lists what a block is made of; images, documents and sounds have a fixed number of tokens each. */
export function* partsOfBlock({ kind }: ContentBlock): Generator<PromptPart> {
  switch (kind.case) {
    case "text":
    case "refusal":
      return yield kind.value.text;
    case "image":
      return yield IMAGE_TOKENS;
    case "audio":
      return yield SOUND_TOKENS;
    case "document": {
      const { source } = kind.value;
      if (source.case === "text") return yield source.value;
      if (source.case !== "content") return yield DOCUMENT_TOKENS;
      for (const block of source.value.blocks) yield* partsOfBlock(block);
      return;
    }
    case "toolUse":
      return yield `${kind.value.name}${kind.value.arguments}`;
    case "toolResult":
      for (const block of kind.value.content) yield* partsOfBlock(block);
      return;
    case "thinking":
      return yield [kind.value.text, ...kind.value.summary].join("");
    case "opaque":
      return yield kind.value.json;
    case "redactedThinking":
    case undefined:
      return;
    default:
      kind satisfies never;
  }
}

/** Lists the texts of a tool. */
export function* partsOfTool({ kind }: Tool): Generator<PromptPart> {
  if (kind.case === "opaque") yield kind.value.json;
  if (kind.case !== "function" && kind.case !== "custom") return;
  const { name, description = "" } = kind.value;
  yield `${name}${description}`;
  yield kind.case === "function" ? (kind.value.parametersJson ?? "") : (kind.value.formatJson ?? "");
}
