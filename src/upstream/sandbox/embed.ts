import { Buffer } from "node:buffer";
import { create } from "@bufbuild/protobuf";
import { UsageSchema } from "../../../gen/attune/content/v1/content_pb.ts";
import {
  type Embedding,
  EmbeddingEncoding,
  EmbeddingSchema,
  FinishReason,
  type GenerateEvent,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../../hub/error.ts";
import { finishedEvent, startedEvent } from "../../hub/events.ts";
import type { HubInput } from "../../hub/input.ts";
import { estimateParts } from "../../hub/tokens/estimate-parts.ts";
import { partsOfPrompt } from "../../hub/tokens/prompt-parts.ts";
import { hashTexts } from "../../lib/hash.ts";

const DEFAULT_DIMENSIONS = 256;
/** Most numbers of an answer, which is made at once: as many texts as there may be, at the default. */
const MOST_NUMBERS = 2048 * DEFAULT_DIMENSIONS;

/**
 * Makes embeddings without a model: each word counts in a dimension of its own, so that texts with the same words are
 * near. Throws INVALID_REQUEST for more numbers than it makes at once.
 */
export function embed(input: HubInput, upstreamModel: string): GenerateEvent[] {
  const { embedding, messages } = input;
  const { dimensions = DEFAULT_DIMENSIONS, encoding = EmbeddingEncoding.UNSPECIFIED } = embedding ?? {};
  checkNumbers(input, dimensions);
  const texts = messages.flatMap(({ content }) =>
    content.map(({ kind }) => (kind.case === "text" ? kind.value.text.toLowerCase().split(/\W+/u) : [])),
  );
  const tokens = embedding?.tokenInputs.map((each) => each.tokens.map(String)) ?? [];
  const embeddings = [...tokens, ...texts].map((words, index) =>
    toEmbedding(index, vectorOf(words, dimensions), encoding === EmbeddingEncoding.BASE64),
  );
  const usage = create(UsageSchema, { inputTokens: Math.max(1, estimateParts(partsOfPrompt(input))) });
  return [
    startedEvent({ serving: { upstreamModel } }),
    finishedEvent({ reason: FinishReason.STOP, usage, embeddings }),
  ];
}

function checkNumbers({ embedding, messages }: HubInput, dimensions: number): void {
  const texts = (embedding?.tokenInputs.length ?? 0) + messages.reduce((sum, { content }) => sum + content.length, 0);
  if (texts * dimensions <= MOST_NUMBERS) return;
  const problem = `must be ${Math.floor(MOST_NUMBERS / texts)} at most for ${texts} texts at the sandbox`;
  throw InferenceError.invalid("embedding.dimensions", problem);
}

/** Returns a vector of length 1. */
function vectorOf(words: readonly string[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of words) {
    const at = hashTexts([word]) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((number) => number / length);
}

function toEmbedding(index: number, vector: Float32Array, isPacked: boolean): Embedding {
  if (!isPacked) return create(EmbeddingSchema, { index, vector: { case: "floats", value: { values: [...vector] } } });
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * 4);
  return create(EmbeddingSchema, { index, vector: { case: "packed", value: bytes } });
}
