import { Buffer } from "node:buffer";
import {
  type CreateEmbeddingsResponse,
  type Embedding,
  EmbeddingEncoding,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readEmbeddingsJson } from "../raw-json.ts";

/**
 * Encodes the answer to POST /v1/embeddings, in the form that was asked for: some servers make floats whatever is
 * asked, and clients take nothing but what they asked for. Its id, which OpenAI has none of, is what feedback takes.
 */
export function encodeResponse(
  { id, model, embeddings, usage, extension }: CreateEmbeddingsResponse,
  encoding: EmbeddingEncoding,
): JsonObject {
  const isPacked = encoding === EmbeddingEncoding.BASE64;
  const tokens = usage?.inputTokens ?? 0;
  return {
    ...readEmbeddingsJson(extension),
    id,
    object: "list",
    data: embeddings.map((embedding) => ({
      object: "embedding",
      index: embedding.index,
      embedding: isPacked ? packedOf(embedding) : getFloats(embedding),
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens, ...readEmbeddingsJson(usage?.extension) },
  };
}

const FLOAT_BYTES = 4;

function packedOf({ vector }: Embedding): string {
  if (vector.case === "packed") return Buffer.from(vector.value).toString("base64");
  const floats = vector.value?.values ?? [];
  const bytes = Buffer.alloc(floats.length * FLOAT_BYTES);
  for (let at = 0; at < floats.length; at++) bytes.writeFloatLE(floats[at] ?? 0, at * FLOAT_BYTES);
  return bytes.toString("base64");
}

/** Numbers of other than 32 bits cannot be read: they stay as they came. */
function getFloats({ vector }: Embedding): readonly number[] | string {
  if (vector.case !== "packed") return vector.value?.values ?? [];
  const bytes = Buffer.from(vector.value);
  if (bytes.length % FLOAT_BYTES !== 0) return bytes.toString("base64");
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, at) => bytes.readFloatLE(at * FLOAT_BYTES));
}
