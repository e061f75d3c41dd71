import {
  type CreateEmbeddingsRequest,
  type CreateEmbeddingsResponse,
  EmbeddingEncoding,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../hub/error.ts";
import { readAnswerLimit } from "./answer-limit.ts";

/** Bytes of an answer beside its vectors, and of a vector beside its numbers. */
const [ANSWER_BYTES, VECTOR_BYTES] = [16 * 2 ** 10, 16];
/** Numbers of a vector of whose model nothing is known. */
const NUMBERS = 4096;
const MOST_MODELS = 1000;

/** Knows how long the vectors of models are, and refuses what no answer can carry to its caller. */
export class EmbeddingSizes {
  /** Numbers of a vector by model, where a request does not say how many it is to have. */
  readonly #numbers = new Map<string, number>();

  /** Throws INVALID_REQUEST for a request whose answer may be longer than its caller takes. */
  check(request: CreateEmbeddingsRequest, protocolName: string): void {
    const { model, texts, tokenInputs, dimensions, encoding, maxAnswerBytes } = request;
    const limit = readAnswerLimit(protocolName, maxAnswerBytes);
    const count = texts.length + tokenInputs.length;
    const numbers = dimensions ?? this.#numbers.get(model) ?? NUMBERS;
    const vectorBytes = VECTOR_BYTES + numbers * (encoding === EmbeddingEncoding.BASE64 ? 4 : 8);
    if (ANSWER_BYTES + count * vectorBytes <= limit) return;
    const most = Math.max(0, Math.floor((limit - ANSWER_BYTES) / vectorBytes));
    const field = tokenInputs.length > 0 ? "token_inputs" : "texts";
    throw InferenceError.invalid(
      field,
      `${count} vectors of ${numbers} numbers may be longer than the ${limit} bytes that the caller accepts as one ` +
        `answer: send ${most} at most, ask for fewer 'dimensions' or for EMBEDDING_ENCODING_BASE64, or say in ` +
        "'max_answer_bytes' what your client accepts",
    );
  }

  /** Takes note of how long the vectors of an answer are. */
  note({ model, dimensions }: CreateEmbeddingsRequest, { embeddings: [first] }: CreateEmbeddingsResponse): void {
    if (dimensions !== undefined || first === undefined) return;
    const { vector } = first;
    const numbers = vector.case === "floats" ? vector.value.values.length : (vector.value?.length ?? 0) / 4;
    if (numbers > 0 && (this.#numbers.has(model) || this.#numbers.size < MOST_MODELS))
      this.#numbers.set(model, numbers);
  }
}
