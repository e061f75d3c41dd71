import { Buffer } from "node:buffer";
import type { CreateEmbeddingsResponse, Embedding } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { JsonObject } from "../../shared/json.ts";
import { readEmbeddingsJson } from "../raw-json.ts";

/** Encodes the answer to POST /v1/embeddings. Its id, which OpenAI has none of, is what feedback takes. */
export function encodeResponse({ id, model, embeddings, usage, extension }: CreateEmbeddingsResponse): JsonObject {
  const tokens = usage?.inputTokens ?? 0;
  return {
    ...readEmbeddingsJson(extension),
    id,
    object: "list",
    data: embeddings.map((embedding) => ({
      object: "embedding",
      index: embedding.index,
      embedding: vectorOf(embedding),
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function vectorOf({ vector }: Embedding): readonly number[] | string {
  if (vector.case === "floats") return vector.value.values;
  return vector.case === "packed" ? Buffer.from(vector.value).toString("base64") : [];
}
