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
import { YieldTimer } from "./pause.ts";

const DEFAULT_DIMENSIONS = 256;
/** Most numbers of an answer, which is made at once: as many texts as there may be, at the default. */
const MOST_NUMBERS = 2048 * DEFAULT_DIMENSIONS;

/**
 * Makes embeddings without a model: each word counts in a dimension of its own, so that texts with the same words are
 * near. Throws INVALID_REQUEST for more numbers than it makes at once.
 */
export async function embed(input: HubInput, upstreamModel: string, signal: AbortSignal): Promise<GenerateEvent[]> {
  const { embedding, messages } = input;
  const { dimensions = DEFAULT_DIMENSIONS, encoding = EmbeddingEncoding.UNSPECIFIED } = embedding ?? {};
  checkNumbers(input, dimensions);
  const tokens = embedding?.tokenInputs.map((each) => each.tokens.values().map(String)) ?? [];
  const texts = messages.flatMap(({ content }) =>
    content.map(({ kind }) => getWords(kind.case === "text" ? kind.value.text : "")),
  );
  const turns = new YieldTimer(signal);
  const embeddings: Embedding[] = [];
  for (const words of [...tokens, ...texts]) {
    const vector = await getVector(words, dimensions, turns);
    embeddings.push(toEmbedding(embeddings.length, vector, encoding === EmbeddingEncoding.BASE64));
  }
  const usage = create(UsageSchema, { inputTokens: Math.max(1, estimateParts(partsOfPrompt(input))) });
  return [
    startedEvent({ serving: { upstreamModel } }),
    finishedEvent({ reason: FinishReason.STOP, usage, embeddings }),
  ];
}

function* getWords(text: string): Generator<string> {
  for (const [word] of text.toLowerCase().matchAll(/\w+/gu)) yield word;
}

function checkNumbers({ embedding, messages }: HubInput, dimensions: number): void {
  const texts = (embedding?.tokenInputs.length ?? 0) + messages.reduce((sum, { content }) => sum + content.length, 0);
  if (texts * dimensions <= MOST_NUMBERS) return;
  const problem = `must be at most ${Math.floor(MOST_NUMBERS / texts)} for ${texts} texts at the sandbox`;
  throw InferenceError.invalid("embedding.dimensions", problem);
}

/** Words between two looks at the clock. */
const LOOK_AFTER = 256;

/** Returns a vector of length 1, also of no words. Other work runs meanwhile. */
async function getVector(words: Iterable<string>, dimensions: number, turns: YieldTimer): Promise<Float32Array> {
  const vector = new Float32Array(dimensions);
  let count = 0;
  for (const word of words) {
    const at = hashTexts([word]) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
    count += 1;
    if (count % LOOK_AFTER === 0 && turns.isOver) await turns.next();
  }
  if (turns.isOver) await turns.next();
  if (count === 0) vector[0] = 1;
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

function toEmbedding(index: number, vector: Float32Array, isPacked: boolean): Embedding {
  if (!isPacked) return create(EmbeddingSchema, { index, vector: { case: "floats", value: { values: [...vector] } } });
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, number] of vector.entries()) bytes.writeFloatLE(number, at * 4);
  return create(EmbeddingSchema, { index, vector: { case: "packed", value: bytes } });
}
