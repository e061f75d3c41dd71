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
import { toTokens } from "../../shared/read-usage.ts";
import { embeddingsJson } from "../raw-json.ts";

/** Members of an answer that Attune says itself. */
const OWN = new Set(["id", "object", "data", "model", "usage"]);

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
      const told = isJsonObject(usage) ? toTokens(usage.prompt_tokens) || toTokens(usage.total_tokens) : 0;
      const finished = finishedEvent({
        reason: FinishReason.STOP,
        ...(told > 0 && { usage: create(UsageSchema, { inputTokens: told }) }),
        extension: embeddingsJson(unknownMembers(json, OWN)),
        embeddings: json.data.map(decodeEmbedding),
      });
      return [startedEvent({ serving: { upstreamModel: typeof model === "string" ? model : "" } }), finished];
    },
  };
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
