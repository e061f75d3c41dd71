import type { EmbeddingProtocol } from "../shared/protocol.ts";
import { createEventDecoder } from "./answer/decode-events.ts";
import { encodeRequest } from "./request/encode-request.ts";

/** Embeddings, as OpenAI and the servers that follow it make them. */
export const embeddingsProtocol: EmbeddingProtocol = { path: "/embeddings", encodeRequest, createEventDecoder };
