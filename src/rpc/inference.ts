import { setImmediate as nextTurn } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  DeleteInferenceResponseSchema,
  FollowInferenceResponseSchema,
  type GenerateEvent,
  type GenerateResponse,
  GetInferenceResponseSchema,
  type InferenceInput,
  type InferenceService as InferenceRpc,
  type StoredInference,
  StoredInferenceSchema,
  type StreamGenerateRequest,
  StreamGenerateResponseSchema,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { readInferenceHeaders } from "../admission/inference-headers.ts";
import { InferenceError } from "../inference/error.ts";
import type { EventSink } from "../inference/ports.ts";
import { replayEvents } from "../inference/replay-events.ts";
import type { InferenceService } from "../inference/service.ts";
import type { StoredInferences } from "../inference/stored-inferences.ts";
import { iterate } from "../lib/iterate.ts";
import type { ReadCaller } from "./caller.ts";
import { encodeError } from "./encode-error.ts";

/** Implements the RPC service on the inference service and on what is stored. */
export function createInferenceRpc(
  service: InferenceService,
  stored: StoredInferences,
  callerOf: ReadCaller,
): ServiceImpl<typeof InferenceRpc> {
  return {
    async generate({ input }, context) {
      try {
        return await service.generate(inputOf(input, context), await callerOf(context));
      } catch (thrown) {
        throw encodeError(thrown, "input");
      }
    },
    async *streamGenerate({ input }, context) {
      try {
        const asked = inputOf(input, context);
        const caller = await callerOf(context);
        const answer = iterate<GenerateEvent[]>((take, left) => {
          const signal = AbortSignal.any([caller.signal, left]);
          return service.stream(asked, { ...caller, signal }, take);
        });
        for await (const events of answer) yield create(StreamGenerateResponseSchema, { events });
      } catch (thrown) {
        throw encodeError(thrown, "input");
      }
    },
    async countTokens({ input }, context) {
      try {
        return await service.countTokens(inputOf(input, context), await callerOf(context));
      } catch (thrown) {
        throw encodeError(thrown, "input");
      }
    },
    async getInference({ id, withPrevious }, context) {
      try {
        const [first, ...previous] = await stored.read(id, withPrevious, await callerOf(context));
        return create(GetInferenceResponseSchema, {
          inference: toMessage(first),
          previous: previous.reverse().map(toMessage),
        });
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async *followInference({ id }, context) {
      try {
        const caller = await callerOf(context);
        const [{ input, output }] = await stored.read(id, false, caller);
        yield create(FollowInferenceResponseSchema, { input });
        for await (const events of inBatches(replayEvents(output), caller.signal)) {
          yield create(FollowInferenceResponseSchema, { events });
        }
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
    async deleteInference({ id }, context) {
      try {
        await stored.delete(id, await callerOf(context));
        return create(DeleteInferenceResponseSchema);
      } catch (thrown) {
        throw encodeError(thrown);
      }
    },
  };
}

/** Events of a stored answer that are handed on at a time. */
const BATCH = 256;

/** Hands events on in batches, each in a turn of its own, until the signal aborts. */
async function* inBatches(events: Iterable<GenerateEvent>, signal: AbortSignal): AsyncGenerator<GenerateEvent[]> {
  let batch: GenerateEvent[] = [];
  for (const event of events) {
    batch.push(event);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await nextTurn();
    if (signal.aborted) throw InferenceError.fromAbort(signal);
  }
  if (batch.length > 0) yield batch;
}

/** Streams an answer into a sink: StreamGenerate for those who call in process, without an iterator between. */
export type PushInference = (request: StreamGenerateRequest, context: HandlerContext, sink: EventSink) => Promise<void>;

/** Creates it. It throws what StreamGenerate does. */
export function createInferencePush(service: InferenceService, callerOf: ReadCaller): PushInference {
  return async ({ input }, context, sink) => {
    try {
      await service.stream(inputOf(input, context), await callerOf(context), sink);
    } catch (thrown) {
      throw encodeError(thrown, "input");
    }
  };
}

/** What is asked, with what the metadata says of it. Throws INVALID_REQUEST, also where the two say different things. */
function inputOf(input: InferenceInput | undefined, { requestHeader }: HandlerContext): InferenceInput {
  if (input === undefined) throw InferenceError.invalid("input", "is required");
  const { strict, workload, plain } = readInferenceHeaders((name) => requestHeader.get(name) ?? undefined);
  if (strict === false && input.strict) throw differs("strict");
  if (workload !== undefined && input.workload !== "" && input.workload !== workload) throw differs("workload");
  if (plain === false && input.plain) throw differs("plain", "optimize");
  if (strict === true) input.strict = true;
  if (plain === true) input.plain = true;
  if (workload !== undefined) input.workload = workload;
  return input;
}

function differs(name: string, header = name): InferenceError {
  return InferenceError.invalid(`input.${name}`, `differs from the header 'attune-${header}': send one`);
}

function toMessage({
  input,
  output,
}: {
  readonly input: InferenceInput;
  readonly output: GenerateResponse;
}): StoredInference {
  return create(StoredInferenceSchema, { input, output });
}
