import { create } from "@bufbuild/protobuf";
import { ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { ContentBlockSchema, Dialect, MessageSchema, Role } from "../../gen/attune/content/v1/content_pb.ts";
import {
  type CreateEmbeddingsRequest,
  CreateEmbeddingsRequestSchema,
  type CreateEmbeddingsResponse,
  CreateEmbeddingsResponseSchema,
  EmbeddingOptionsSchema,
  type GenerateResponse,
  type InferenceInput,
  InferenceInputSchema,
  type InferenceService as InferenceRpc,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { InferenceError } from "../hub/error.ts";
import type { HubInput } from "../hub/input.ts";
import type { InferenceService } from "../inference/run/service.ts";
import { createMessageValidator } from "../inference/run/validate.ts";
import type { ReadCaller } from "./caller.ts";
import { EmbeddingSizes } from "./embedding-sizes.ts";
import { encodeError } from "./encode-error.ts";
import { readIdempotencyKey } from "./idempotency.ts";

/** The parts that the method shares with others of its service. */
interface EmbeddingsOptions {
  readonly service: Pick<InferenceService, "generate">;
  readonly callerOf: ReadCaller;
}

/** Reads an input with the metadata of its call. */
type ReadInput = (input: InferenceInput, context: HandlerContext) => HubInput;

/** Creates CreateEmbeddings, which runs an inference: all that holds for one holds for it. */
export function createEmbeddingsMethod(
  { service, callerOf }: EmbeddingsOptions,
  readInput: ReadInput,
): ServiceImpl<typeof InferenceRpc>["createEmbeddings"] {
  const check = createEmbeddingsCheck();
  const sizes = new EmbeddingSizes();
  return async (request, context) => {
    try {
      const idempotency = readIdempotencyKey(CreateEmbeddingsRequestSchema, request, context);
      check(request);
      sizes.check(request, context.protocolName);
      // The format is known whoever asks: the record says by it what was asked.
      const input = Object.assign(readInput(embeddingInput(request), context), { dialect: Dialect.EMBEDDINGS });
      const caller = await callerOf(context);
      const refusal = caller.signal.aborted ? undefined : caller.summary?.held?.holdAnswer(answerBytes(request));
      if (refusal !== undefined) throw refusal;
      const answer = await service.generate(input, idempotency === undefined ? caller : { ...caller, idempotency });
      const response = embeddingsResponse(answer);
      sizes.note(request, response);
      return response;
    } catch (thrown) {
      throw encodeError(thrown instanceof ConnectError ? thrown : atPlacesOfRequest(InferenceError.from(thrown)));
    }
  };
}

/** Bytes of a number in base64 and of its share of the rest, and of a vector whose numbers are not known. */
const NUMBER_BYTES = 6;
const VECTOR_BYTES = 8000;

/** Estimates the bytes of an answer: a few cents buy a gigabyte of vectors, which would be in memory at once. */
function answerBytes({ texts, tokenInputs, dimensions }: CreateEmbeddingsRequest): number {
  const vector = dimensions === undefined ? VECTOR_BYTES : dimensions * NUMBER_BYTES;
  return (texts.length + tokenInputs.length) * vector;
}

/** Creates the check of what is to be embedded. It throws INVALID_REQUEST that names the field. */
function createEmbeddingsCheck(): (request: CreateEmbeddingsRequest) => void {
  return createMessageValidator(CreateEmbeddingsRequestSchema, ({ texts, tokenInputs }) => {
    if (texts.length > 0 !== tokenInputs.length > 0) return [];
    const problem = texts.length > 0 ? "cannot be combined with token_inputs" : "must hold a text, or token_inputs one";
    return [{ param: "texts", problem }];
  });
}

/** Returns the inference that makes the embeddings. */
function embeddingInput(request: CreateEmbeddingsRequest): InferenceInput {
  const { model, texts, tokenInputs, dimensions, encoding, endUserId, workload, facts, extension } = request;
  const { maxCostNanos, noTexts, plain } = request;
  const content = texts.map((text) => create(ContentBlockSchema, { kind: { case: "text", value: { text } } }));
  return create(InferenceInputSchema, {
    model,
    workload,
    noTexts,
    plain,
    ...(content.length > 0 && { messages: [create(MessageSchema, { role: Role.USER, content })] }),
    ...(endUserId !== undefined && { endUserId }),
    ...(facts !== undefined && { facts }),
    ...(extension !== undefined && { extension }),
    ...(maxCostNanos !== undefined && { maxCostNanos }),
    embedding: create(EmbeddingOptionsSchema, {
      tokenInputs,
      encoding,
      ...(dimensions !== undefined && { dimensions }),
    }),
  });
}

/** Returns the embeddings of an inference that made them. */
function embeddingsResponse({ id, model, finished, serving }: GenerateResponse): CreateEmbeddingsResponse {
  return create(CreateEmbeddingsResponseSchema, {
    id,
    model,
    embeddings: finished?.embeddings ?? [],
    ...(finished?.usage && { usage: finished.usage }),
    ...(finished?.extension && { extension: finished.extension }),
    ...(serving && { serving }),
  });
}

/** Names places in the inference as those of the request that it was made of. */
function atPlacesOfRequest(error: InferenceError): InferenceError {
  return error.atPlaces((place) =>
    place
      .replace(/^input\./, "")
      .replace(/^messages\[0\]\.content/, "texts")
      .replace(/^embedding\./, ""),
  );
}
