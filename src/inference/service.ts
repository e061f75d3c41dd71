import type {
  CountTokensResponse,
  GenerateResponse,
  InferenceInput,
} from "../../gen/attune/inference/v1/inference_pb.ts";
import { hiddenCharacterProblem } from "../lib/hidden-characters.ts";
import { newId } from "../lib/ids.ts";
import { beginAttempt } from "./attempt.ts";
import { preferOrigin } from "./attempts.ts";
import { countTokens } from "./count-tokens.ts";
import { ErrorReason, InferenceError } from "./error.ts";
import { readPrompt } from "./history.ts";
import type { InFlight } from "./in-flight.ts";
import type { EventSink, InferenceArchive, Principal, Recorder, Refusal, Router } from "./ports.ts";
import { InferenceRun } from "./run.ts";

/** Who calls: an admitted caller. */
export interface Caller {
  readonly principal: Principal;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Runs inferences. */
export interface InferenceService {
  /** Answers whole. Throws InferenceError. */
  generate(input: InferenceInput, caller: Caller): Promise<GenerateResponse>;
  /** Hands the answer to the sink, one batch of events for each read of the upstream; resolves at its end. Throws InferenceError. */
  stream(input: InferenceInput, caller: Caller, sink: EventSink): Promise<void>;
  /** Counts the tokens of a prompt. Throws InferenceError. */
  countTokens(input: InferenceInput, caller: Caller): Promise<CountTokensResponse>;
}

/** What the service works with. */
export interface InferenceServicePorts {
  readonly router: Router;
  readonly recorder: Recorder;
  readonly inFlight: InFlight;
  /** Where conversations that go on are found. */
  readonly archive: InferenceArchive;
  /** Throws INVALID_REQUEST for an input that breaks the rules of its proto. */
  readonly validate: (input: InferenceInput) => void;
  /** Hears why the tokens of a prompt were not counted. */
  readonly countRefused?: (refusal: Refusal) => void;
}

/** Creates the service: plan, attempt, record. */
export function createInferenceService(ports: InferenceServicePorts): InferenceService {
  async function begin(input: InferenceInput, caller: Caller, streamed: boolean): Promise<InferenceRun> {
    const { principal } = caller;
    if (!ports.recorder.accepting) throw noRoom();
    ports.validate(input);
    const problem = hiddenCharacterProblem(input.workload);
    if (problem !== undefined) throw InferenceError.invalid("workload", problem);
    const plan = ports.router.plan(input);
    const prompt = await readPrompt(input, principal.projectId, ports);
    return new InferenceRun({ id: newId(), principal, input, prompt, streamed, plan });
  }

  async function answer(run: InferenceRun, signal: AbortSignal, sink: EventSink): Promise<void> {
    let isRecorded = false;
    const { principal, plan, input } = run;
    const stop = new AbortController();
    const leave = (): void => stop.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    const facts = { projectId: principal.projectId, model: plan.model.name, workload: input.workload };
    ports.inFlight.add(run.id, facts, (error) => stop.abort(error));
    try {
      const attempts = preferOrigin(run.plan.attempts, run.prompt.input);
      for (const [position, target] of attempts.entries()) {
        const attempt = beginAttempt(run, target);
        try {
          await attempt.call.send((events) => {
            if (stop.signal.aborted) throw InferenceError.fromAbort(stop.signal);
            attempt.take(events);
            // Before the last words go out: what a caller has had whole, no death of the process takes back.
            if (run.finished && !isRecorded) isRecorded = record(run);
            return sink(events);
          }, stop.signal);
          return attempt.end();
        } catch (thrown) {
          const error = InferenceError.from(thrown);
          if (run.started || !error.retryable || position === attempts.length - 1) throw error;
          run.failedOver();
        }
      }
    } catch (thrown) {
      throw run.fail(InferenceError.from(thrown));
    } finally {
      signal.removeEventListener("abort", leave);
      if (!isRecorded) record(run);
    }
  }

  function record(run: InferenceRun): true {
    ports.recorder.offer(run.record());
    ports.inFlight.delete(run.id);
    return true;
  }

  return {
    async generate(input, caller) {
      const run = await begin(input, caller, false);
      await answer(run, caller.signal, () => {});
      return run.response;
    },
    stream: async (input, caller, sink) => answer(await begin(input, caller, true), caller.signal, sink),
    async countTokens(input, caller) {
      const { projectId } = caller.principal;
      ports.validate(input);
      const plan = ports.router.plan(input);
      const prompt = await readPrompt(input, projectId, ports);
      try {
        return await countTokens({ prompt, projectId, plan }, caller.signal);
      } catch (thrown) {
        const error = InferenceError.from(thrown);
        ports.countRefused?.({ dialect: input.dialect, error });
        throw error;
      }
    },
  };
}

/** What cannot be recorded is not begun: its record is what feedback and the bill go by. */
function noRoom(): InferenceError {
  const message = "there is no room to record inferences at the moment: try again shortly";
  return new InferenceError(ErrorReason.UNAVAILABLE, message, { retryAfterMs: 1000 });
}
