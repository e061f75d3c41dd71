import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { Dialect } from "../../gen/attune/content/v1/content_pb.ts";
import {
  BeginInferenceRequestSchema,
  BeginInferenceResponseSchema,
  CancelInferenceResponseSchema,
  type CandidateAnswer,
  DeleteInferenceResponseSchema,
  FollowInferenceResponseSchema,
  type GenerateEvent,
  GenerateRequestSchema,
  GenerateResponseSchema,
  type GetInferenceRequest,
  type GetInferenceResponse,
  GetInferenceResponseSchema,
  type InferenceInput,
  type InferenceService as InferenceRpc,
  StoredInferenceSchema,
  type StoredInference as StoredMessage,
  type StreamGenerateRequest,
  StreamGenerateRequestSchema,
  StreamGenerateResponseSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { readCallFacts } from "../admission/call-facts.ts";
import { INGRESS } from "../admission/context-key.ts";
import { readInferenceHeaders } from "../admission/inference-headers.ts";
import { InferenceError } from "../hub/error.ts";
import { errorToDetail } from "../hub/error-detail.ts";
import type { IdempotencyKey } from "../hub/idempotency-key.ts";
import type { HubInput } from "../hub/input.ts";
import type { EventSink } from "../hub/upstream.ts";
import type { StoredInference } from "../inference/ports.ts";
import type { Caller, InferenceService } from "../inference/run/service.ts";
import type { StoredInferences } from "../inference/run/stored-inferences.ts";
import { iterate } from "../lib/iterate.ts";
import { readAnswerLimit } from "./answer-limit.ts";
import type { ReadCaller } from "./caller.ts";
import { createEmbeddingsMethod } from "./create-embeddings.ts";
import { encodeError, encodeErrors } from "./encode-error.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { STATUS } from "./inference-status.ts";
import { type AnswerList, fitPage } from "./list-inferences.ts";
import { checkAnswerLength, checkInputLength, splitEvents, splitMessage } from "./long-answers.ts";
import { readableCandidates } from "./readable-candidates.ts";

/** The options of the RPC service. */
interface InferenceRpcOptions {
  readonly service: InferenceService;
  readonly stored: StoredInferences;
  readonly answerList: AnswerList;
  readonly callerOf: ReadCaller;
  /** Headers beyond the known ones that name a request's session. */
  readonly sessionHeaders: readonly string[];
}

/** Implements the RPC service on the inference service and on what is stored. */
export function createInferenceRpc(options: InferenceRpcOptions): ServiceImpl<typeof InferenceRpc> {
  const { service, stored, answerList, callerOf, sessionHeaders } = options;
  return {
    generate: encodeErrors(async (request, context) => {
      const idempotency = readIdempotencyKey(GenerateRequestSchema, request, context);
      const input = getInput(request.input, context, sessionHeaders);
      const caller = withKey(await callerOf(context), idempotency);
      const answer = await service.generate(input, caller);
      const limit = readAnswerLimit(context.protocolName, request.maxAnswerBytes);
      await checkAnswerLength(answer, limit, (id) => isStored(stored, id, caller));
      return answer;
    }, "input"),
    async *streamGenerate(request, context) {
      try {
        const idempotency = readIdempotencyKey(StreamGenerateRequestSchema, request, context);
        const input = getInput(request.input, context, sessionHeaders);
        const caller = withKey(await callerOf(context), idempotency);
        const answer = iterate<GenerateEvent[]>((take, left) => {
          const signal = AbortSignal.any([caller.signal, left]);
          return service.stream(input, { ...caller, signal }, take);
        });
        const limit = readAnswerLimit(context.protocolName, request.maxAnswerBytes);
        for await (const events of splitEvents(answer, limit, (id) => isStored(stored, id, caller)))
          yield create(StreamGenerateResponseSchema, { events });
      } catch (thrown) {
        throw encodeError(thrown, "input");
      }
    },
    countTokens: encodeErrors(async ({ input }, context) => {
      return await service.countTokens(getInput(input, context, sessionHeaders), await callerOf(context));
    }, "input"),
    createEmbeddings: createEmbeddingsMethod(options, (input, context) => readInput(input, context, sessionHeaders)),
    beginInference: encodeErrors(async (request, context) => {
      const idempotency = readIdempotencyKey(BeginInferenceRequestSchema, request, context);
      const input = getInput(request.input, context, sessionHeaders);
      checkInputLength(input, readAnswerLimit(context.protocolName, request.maxAnswerBytes));
      const begun = await service.begin(input, withKey(await callerOf(context), idempotency), request.streamed);
      return create(BeginInferenceResponseSchema, { inference: toMessage(begun) });
    }, "input"),
    cancelInference: encodeErrors(async ({ id }, context) => {
      const ended = await stored.cancel(id, await callerOf(context));
      return create(CancelInferenceResponseSchema, { inference: toMessage(ended) });
    }),
    getInference: encodeErrors(
      async (request, context) => await readInference(stored, request, await callerOf(context)),
    ),
    async *readInference(request, context) {
      try {
        yield* splitMessage(GetInferenceResponseSchema, await readInference(stored, request, await callerOf(context)));
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async *followInference({ id }, context) {
      try {
        const { inference, events: answer } = await stored.follow(id, await callerOf(context));
        const { id: own, model, createdAt } = inference.output;
        const output = create(GenerateResponseSchema, { id: own, model, ...(createdAt && { createdAt }) });
        yield create(FollowInferenceResponseSchema, { inference: toMessage({ ...inference, output }) });
        const limit = readAnswerLimit(context.protocolName, undefined);
        // A client that does not take an event knows the id.
        for await (const events of splitEvents(answer, limit, async () => false))
          yield create(FollowInferenceResponseSchema, { events });
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    listInferences: encodeErrors(async (request, context) => {
      const { principal } = await callerOf(context);
      return fitPage(await answerList(request, principal), readAnswerLimit(context.protocolName, undefined));
    }),
    deleteInference: encodeErrors(async ({ id }, context) => {
      await stored.delete(id, await callerOf(context));
      return create(DeleteInferenceResponseSchema);
    }),
  };
}

async function isStored(stored: StoredInferences, id: string, caller: Caller): Promise<boolean> {
  return await stored.read(id, false, caller).then(
    () => true,
    () => false,
  );
}

async function readInference(
  stored: StoredInferences,
  { id, withPrevious }: Pick<GetInferenceRequest, "id" | "withPrevious">,
  caller: Caller,
): Promise<GetInferenceResponse> {
  const [first, ...previous] = await stored.read(id, withPrevious, caller);
  return create(GetInferenceResponseSchema, {
    inference: toMessage(first, readableCandidates(first.output.notChosen)),
    previous: previous.reverse().map((each) => toMessage(each)),
  });
}

/** The caller itself where there is no key: nearly all are so. */
function withKey(caller: Caller, idempotency: IdempotencyKey | undefined): Caller {
  return idempotency === undefined ? caller : { ...caller, idempotency };
}

/** Streams an answer into a sink: StreamGenerate for those who call in process, without an iterator between. */
export type PushInference = (request: StreamGenerateRequest, context: HandlerContext, sink: EventSink) => Promise<void>;

/** Creates it. It throws what StreamGenerate does. */
export function createInferencePush({
  service,
  callerOf,
  sessionHeaders,
}: Pick<InferenceRpcOptions, "service" | "callerOf" | "sessionHeaders">): PushInference {
  return async (request, context, sink) => {
    try {
      const idempotency = readIdempotencyKey(StreamGenerateRequestSchema, request, context);
      const input = getInput(request.input, context, sessionHeaders);
      await service.stream(input, withKey(await callerOf(context), idempotency), sink);
    } catch (thrown) {
      throw encodeError(thrown, "input");
    }
  };
}

/**
 * Returns the request with the settings of the metadata. Throws INVALID_REQUEST, also where the two contradict each
 * other.
 */
function getInput(...given: Parameters<typeof readInput>): HubInput {
  const input = readInput(...given);
  if (input.embedding !== undefined)
    throw InferenceError.invalid("input.embedding", "is not to be sent: call CreateEmbeddings");
  if (input.noTexts) input.store = false;
  return input;
}

/** Adds the metadata to what has not been read with its headers. */
function readInput(
  sent: InferenceInput | undefined,
  context: HandlerContext,
  sessionHeaders: readonly string[],
): HubInput {
  if (sent === undefined) throw InferenceError.invalid("input", "is required");
  const ingress = context.values.get(INGRESS);
  // The same object, which whoever waits for the answer holds too: it is kept as bytes meanwhile.
  const input: HubInput = Object.assign(sent, ingress, { background: false });
  // What came in a public format has been read with its headers, which are not made a second time here.
  if (ingress.dialect !== Dialect.UNSPECIFIED) return input;
  const headers = readInferenceHeaders((name) => context.requestHeader.get(name) ?? undefined);
  const { strict, workload, plain, candidates, maxCostNanos, noTexts } = headers;
  if (strict === false && input.strict) throw differs("strict");
  if (workload !== undefined && input.workload !== "" && input.workload !== workload) throw differs("workload");
  if (plain === false && input.plain) throw differs("plain", "optimize");
  if (candidates !== undefined && input.candidates !== 0 && input.candidates !== candidates)
    throw differs("candidates");
  if (maxCostNanos !== undefined && (input.maxCostNanos ?? maxCostNanos) !== maxCostNanos) {
    throw differs("max_cost_nanos", "max-usd");
  }
  if (strict === true) input.strict = true;
  if (plain === true) input.plain = true;
  if (workload !== undefined) input.workload = workload;
  if (candidates !== undefined) input.candidates = candidates;
  if (maxCostNanos !== undefined) input.maxCostNanos = maxCostNanos;
  if (noTexts === true) input.noTexts = true;
  addCallFacts(input, (name) => context.requestHeader.get(name) ?? undefined, sessionHeaders);
  return input;
}

/** Replaces the facts of a request by all that are known of it. */
function addCallFacts(
  input: HubInput,
  get: (name: string) => string | undefined,
  sessionHeaders: readonly string[],
): void {
  const { metadata, endUserId, promptCacheKey, facts: given } = input;
  const known = readCallFacts({ get, sessionHeaders, metadata, endUsers: [endUserId], promptCacheKey, given });
  if (given?.sessionId && given.sessionId !== known?.sessionId) throw differs("facts.session_id", "session");
  if (given?.parentSessionId && given.parentSessionId !== known?.parentSessionId) {
    throw differs("facts.parent_session_id", "parent-session");
  }
  if (given?.endUserId && given.endUserId !== known?.endUserId) throw differs("facts.end_user_id", "user");
  if (known === undefined) delete input.facts;
  else input.facts = known;
}

function differs(name: string, header = name): InferenceError {
  return InferenceError.invalid(`input.${name}`, `differs from the header 'attune-${header}': send one`);
}

/** `notChosen` is what is given of answers that were not chosen, where there are some. */
function toMessage(
  { input, output: stored, status = "completed", error }: StoredInference,
  notChosen: CandidateAnswer[] = [],
): StoredMessage {
  const output = stored.notChosen.length === 0 ? stored : create(GenerateResponseSchema, { ...stored, notChosen });
  const { dialect, echo, background } = input;
  return create(StoredInferenceSchema, {
    input,
    dialect,
    echo,
    background,
    output,
    status: STATUS[status],
    ...(error && { error: errorToDetail(error), errorMessage: error.message }),
  });
}
