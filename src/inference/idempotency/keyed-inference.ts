import { create } from "@bufbuild/protobuf";
import {
  type GenerateEvent,
  GenerateEventSchema,
  type GenerateResponse,
  GenerateResponseSchema,
} from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../hub/input.ts";
import type { RequestSummary } from "../../hub/request-summary.ts";
import type { EventSink } from "../../hub/upstream.ts";
import { replayEvents } from "../history/replay-events.ts";
import type { StoredInference } from "../ports.ts";
import { createDeadline, withinDeadline } from "../run/deadline.ts";
import type { Caller, InferenceService } from "../run/service.ts";
import type { StoredInferences } from "../run/stored-inferences.ts";
import type { KeyedCalls } from "./keyed-calls.ts";

/** Nobody leaves: a call under a key is answered to its end, for whoever asks again. */
const NEVER = new AbortController().signal;

/** Creates a service that answers calls under one idempotency key once; others pass it by. */
export function createKeyedInference(
  service: InferenceService,
  calls: KeyedCalls,
  stored: Pick<StoredInferences, "read">,
): InferenceService {
  return {
    generate: (input, caller) => (isKeyed(caller) ? generate(input, caller) : service.generate(input, caller)),
    stream: (input, caller, sink) =>
      isKeyed(caller) ? stream(input, caller, sink) : service.stream(input, caller, sink),
    begin: (input, caller, streamed) =>
      isKeyed(caller) ? begin(input, caller, streamed) : service.begin(input, caller, streamed),
    countTokens: (input, caller) => service.countTokens(input, caller),
  };

  async function generate(input: HubInput, caller: Keyed<Caller>): Promise<GenerateResponse> {
    const { principal, idempotency: key, signal, summary, timeoutMs } = caller;
    const { noTexts } = input;
    const answer = async (inferenceId: string) => {
      const item = await service.generate(input, { principal, signal: NEVER, inferenceId, summary });
      return { item, isKept: true };
    };
    // A record has the summary that was made, and not how it is given to its caller; and no vectors.
    const isWhole = !input.compact && input.embedding === undefined;
    const recorded = isWhole ? { fromRecord: (output: GenerateResponse) => [asGiven(output)] } : {};
    const call = { key, principal, noTexts, schema: GenerateResponseSchema, answer, ...recorded };
    const deadline = createDeadline(timeoutMs, undefined);
    const response = await withinDeadline(deadline, signal, (within) => calls.readOne(call, within));
    nameInference(summary, response.id);
    return response;
  }

  async function stream(input: HubInput, caller: Keyed<Caller>, sink: EventSink): Promise<void> {
    const { principal, idempotency: key, signal, summary, timeoutMs } = caller;
    const { noTexts } = input;
    const make = async (take: (items: GenerateEvent[]) => void, inferenceId: string): Promise<boolean> => {
      await service.stream(input, { principal, signal: NEVER, inferenceId, summary }, take);
      return true;
    };
    const call = { key, principal, noTexts, schema: GenerateEventSchema, make, fromRecord: replayEvents };
    const stop = new AbortController();
    const timer = createDeadline(timeoutMs, undefined)?.start((error) => stop.abort(error));
    try {
      for await (const events of calls.read(call, AbortSignal.any([signal, stop.signal]))) {
        clearTimeout(timer);
        const first = events[0]?.event;
        if (first?.case === "started") nameInference(summary, first.value.id);
        await sink(events);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function begin(input: HubInput, caller: Keyed<Beginner>, streamed: boolean): Promise<StoredInference> {
    const { principal, idempotency: key, summary } = caller;
    let begun: StoredInference | undefined;
    const answer = async (inferenceId: string) => {
      begun = await service.begin(input, { principal, inferenceId, summary }, streamed);
      return { item: create(GenerateResponseSchema, { id: begun.id }), isKept: true };
    };
    const fromRecord = ({ id }: GenerateResponse) => [create(GenerateResponseSchema, { id })];
    const { id } = await calls.readOne({ key, principal, schema: GenerateResponseSchema, answer, fromRecord }, NEVER);
    nameInference(summary, id);
    return begun ?? (await stored.read(id, false, { principal, signal: NEVER }))[0];
  }
}

type Beginner = Omit<Caller, "signal">;

/** A caller who sends a key. */
type Keyed<C extends Beginner> = C & Required<Pick<Caller, "idempotency">>;

function isKeyed<C extends Beginner>(caller: C): caller is Keyed<C> {
  return caller.idempotency !== undefined;
}

/** Names the inference in the summary of a request that is answered again, for which none is begun. */
function nameInference(summary: RequestSummary | undefined, id: string): void {
  if (summary !== undefined) summary.inferenceId ??= id;
}

/** Leaves out what only records have. */
function asGiven({ pieces: _, ...recorded }: GenerateResponse): GenerateResponse {
  return create(GenerateResponseSchema, { ...recorded, notChosen: [] });
}
