import { Buffer } from "node:buffer";
import { create } from "@bufbuild/protobuf";
import { UsageSchema } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  type Embedding,
  EmbeddingSchema,
  FinishReason,
  FloatVectorSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { finishedEvent, startedEvent } from "../../../hub/events.ts";
import { brokenAnswer } from "../../shared/broken-answer.ts";
import { isJsonObject, lookAtJsonObject, unknownMembers } from "../../shared/json.ts";
import type { EventDecoder } from "../../shared/protocol.ts";
import { toTokens, withFormatNames } from "../../shared/read-usage.ts";
import { embeddingsJson } from "../raw-json.ts";

/** Members of an answer that Attune says itself. */
const OWN = new Set(["id", "object", "data", "model", "usage"]);

const OWN_COUNTS = new Set(["prompt_tokens", "total_tokens"]);

/** Creates the decoder of embeddings, which always come whole. */
export function createEventDecoder(): EventDecoder {
  return {
    decode: () => [],
    close: () => [],
    decodeWhole(body) {
      // Numbers of vectors have more digits than a double holds, as a rule, and none is worth keeping them.
      const json = lookAtJsonObject(body);
      if (json === undefined || !Array.isArray(json.data)) {
        throw brokenAnswer("embeddings must have a list as their data");
      }
      const { usage, model } = json;
      const counts = isJsonObject(usage) ? withFormatNames(usage) : {};
      const promptTokens = toTokens(counts.prompt_tokens) || toTokens(counts.total_tokens);
      const rest = embeddingsJson(unknownMembers(counts, OWN_COUNTS));
      const finished = finishedEvent({
        reason: FinishReason.STOP,
        ...(promptTokens > 0 && { usage: create(UsageSchema, { inputTokens: promptTokens, extension: rest }) }),
        extension: embeddingsJson(unknownMembers(json, OWN)),
        embeddings: inOrder(json.data.map(decodeEmbedding)),
      });
      return [startedEvent({ serving: { upstreamModel: typeof model === "string" ? model : "" } }), finished];
    },
  };
}

/**
 * Puts embeddings in the order of their texts and numbers them from 0: some clients go by the order alone, some by the
 * index. Where two say the same index, none counts.
 */
function inOrder(embeddings: readonly Embedding[]): Embedding[] {
  const areNumbered = new Set(embeddings.map(({ index }) => index)).size === embeddings.length;
  const ordered = areNumbered ? embeddings.toSorted((one, other) => one.index - other.index) : [...embeddings];
  for (const [index, embedding] of ordered.entries()) embedding.index = index;
  return ordered;
}

function decodeEmbedding(item: unknown, position: number): Embedding {
  const { embedding, index } = isJsonObject(item) ? item : {};
  const at = typeof index === "number" && Number.isInteger(index) && index >= 0 ? index : position;
  if (typeof embedding === "string") {
    const packed = Buffer.from(embedding, "base64");
    if (packed.toString("base64") !== embedding) throw broken(position, "base64");
    return create(EmbeddingSchema, { index: at, vector: { case: "packed", value: packed } });
  }
  if (!Array.isArray(embedding) || !embedding.every((number) => typeof number === "number")) {
    throw broken(position, "a list of numbers or base64");
  }
  const floats = create(FloatVectorSchema);
  floats.values = embedding;
  return create(EmbeddingSchema, { index: at, vector: { case: "floats", value: floats } });
}

function broken(position: number, form: string): Error {
  return brokenAnswer(`data[${position}].embedding must be ${form}`);
}
