import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type CountTokensResponse,
  Deviation,
  type GenerateEvent,
  type GenerateResponse,
  type InferenceInput,
  ServingSchema,
  type Started,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { newId } from "../lib/ids.ts";
import { checkStrict, preferOrigin } from "./attempts.ts";
import { createOrderCheck } from "./check-order.ts";
import { countTokens } from "./count-tokens.ts";
import { ErrorReason, InferenceError } from "./error.ts";
import { readPrompt } from "./history.ts";
import { prepareAtPlaces } from "./history-places.ts";
import type { InFlight } from "./in-flight.ts";
import { openInput } from "./open-input.ts";
import type { Attempt, Authenticator, InferenceArchive, Principal, Recorder, Router, UpstreamCall } from "./ports.ts";
import { InferenceRun } from "./run.ts";
import type { Origin } from "./seal.ts";
import { sealEvent } from "./seal-events.ts";

/** Who calls, as the transport knows it. */
export interface Caller {
  /** The API key; undefined if none came. */
  readonly secret: string | undefined;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Runs inferences. */
export interface InferenceService {
  /** Answers whole. Throws InferenceError. */
  generate(input: InferenceInput, caller: Caller): Promise<GenerateResponse>;
  /** Answers in batches of events, one for each read of the upstream. Throws InferenceError. */
  stream(input: InferenceInput, caller: Caller): AsyncIterable<GenerateEvent[]>;
  /** Counts the tokens of a prompt. Throws InferenceError. */
  countTokens(input: InferenceInput, caller: Caller): Promise<CountTokensResponse>;
}

/** What the service works with. */
export interface InferenceServicePorts {
  readonly authenticator: Authenticator;
  readonly router: Router;
  readonly recorder: Recorder;
  readonly inFlight: InFlight;
  /** Where conversations that go on are found. */
  readonly archive: InferenceArchive;
  /** Throws INVALID_REQUEST for an input that breaks the rules of its proto. */
  readonly validate: (input: InferenceInput) => void;
}

/** Creates the service: authorise, plan, attempt, record. */
export function createInferenceService(ports: InferenceServicePorts): InferenceService {
  async function begin(input: InferenceInput, caller: Caller, streamed: boolean): Promise<InferenceRun> {
    const principal = await authorise(ports.authenticator, caller.secret);
    ports.validate(input);
    const plan = ports.router.plan(input);
    const prompt = await readPrompt(input, principal.projectId, ports);
    return new InferenceRun({ id: newId(), principal, input, prompt, streamed, plan });
  }

  async function* answer(run: InferenceRun, signal: AbortSignal): AsyncGenerator<GenerateEvent[]> {
    ports.inFlight.add(run.id, run.principal.projectId);
    try {
      yield* attempt(run, signal);
    } catch (thrown) {
      throw run.fail(InferenceError.from(thrown));
    } finally {
      ports.recorder.offer(run.record());
      ports.inFlight.delete(run.id);
    }
  }

  return {
    async generate(input, caller) {
      const run = await begin(input, caller, false);
      for await (const _events of answer(run, caller.signal));
      return run.response;
    },
    async *stream(input, caller) {
      yield* answer(await begin(input, caller, true), caller.signal);
    },
    async countTokens(input, caller) {
      const { projectId } = await authorise(ports.authenticator, caller.secret);
      ports.validate(input);
      const plan = ports.router.plan(input);
      const prompt = await readPrompt(input, projectId, ports);
      return countTokens({ prompt, projectId, plan }, caller.signal);
    },
  };
}

/** Resolves a secret to its owner. Throws UNAUTHENTICATED. */
export async function authorise(authenticator: Authenticator, secret: string | undefined): Promise<Principal> {
  if (secret === undefined) {
    throw new InferenceError(
      ErrorReason.UNAUTHENTICATED,
      "no API key came with the request: send it as 'authorization: Bearer KEY' or 'x-api-key: KEY'",
    );
  }
  const found = authenticator.authenticate(secret);
  const principal = found instanceof Promise ? await found : found;
  if (principal === undefined) {
    throw new InferenceError(ErrorReason.UNAUTHENTICATED, "the API key is not known, or was revoked");
  }
  return principal;
}

/** Goes through the plan until an attempt begins to answer: from then on the inference is bound to it. */
async function* attempt(run: InferenceRun, signal: AbortSignal): AsyncGenerator<GenerateEvent[]> {
  const attempts = preferOrigin(run.plan.attempts, run.prompt.input);
  for (const [position, target] of attempts.entries()) {
    const origin = { upstream: target.upstream.name, model: target.deployment.model };
    const call = prepare(run, target, origin);
    run.tryAttempt(target, call.losses);
    try {
      yield* follow(run, call, { signal, origin });
      return;
    } catch (thrown) {
      const error = InferenceError.from(thrown);
      if (run.started || !error.retryable || position === attempts.length - 1) throw error;
      run.failedOver();
    }
  }
}

function prepare(run: InferenceRun, { upstream, deployment }: Attempt, origin: Origin): UpstreamCall {
  const target = {
    model: run.plan.model,
    deployment,
    inferenceId: run.id,
    projectId: run.principal.projectId,
  };
  const call = prepareAtPlaces(run.prompt, () => {
    const { input, own } = openInput(run.prompt.input, origin);
    return upstream.prepare(input, { ...target, ownReasoning: own });
  });
  checkStrict(run.input, call.losses);
  return call;
}

async function* follow(
  run: InferenceRun,
  call: UpstreamCall,
  { signal, origin }: { readonly signal: AbortSignal; readonly origin: Origin },
): AsyncGenerator<GenerateEvent[]> {
  const checkOrder = createOrderCheck();
  for await (const events of call.send(signal)) {
    for (const event of events) {
      checkOrder(event);
      sealEvent(event, origin);
      if (event.event.case === "started") fillStarted(event.event.value, run);
      if (event.event.case === "finished") event.event.value.completedAt = timestampFromDate(new Date());
      run.add(event);
    }
    yield events;
  }
  if (!run.finished) {
    throw new InferenceError(ErrorReason.STREAM_INTERRUPTED, "the upstream's stream ended without an end event");
  }
}

function fillStarted(started: Started, run: InferenceRun): void {
  started.id = run.id;
  started.model = run.input.model;
  started.createdAt = timestampFromDate(run.startedAt);
  started.serving = create(ServingSchema, {
    upstream: run.upstream,
    upstreamModel: started.serving?.upstreamModel || run.upstreamModel,
    upstreamRequestId: started.serving?.upstreamRequestId ?? "",
    upstreamHeaders: started.serving?.upstreamHeaders ?? {},
    optimizations: [...run.optimizations],
    deviation: Deviation.NONE,
    translationLosses: [...run.losses],
  });
}
