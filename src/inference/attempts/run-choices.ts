import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { EventSink } from "../../hub/upstream.ts";
import type { Strategy } from "../ports.ts";
import type { Attempt } from "./attempt.ts";
import { type BegunAttempt, type HoldingLimits, runStrategy } from "./run-strategy.ts";

/** The choices of an inference, of which its caller gets all. */
interface ChoiceRun {
  readonly count: number;
  readonly begin: (begun: BegunAttempt) => Pick<Attempt, "make">;
  readonly sink: EventSink;
  /** Returns the end of the answer, once all choices have ended. */
  readonly end: () => GenerateEvent;
}

/**
 * Asks for several answers at once, and hands all of them on as they come. Where one fails for good, the others are
 * broken off. Throws its InferenceError.
 */
export async function runChoices(
  strategy: Strategy,
  { count, begin, sink, end }: ChoiceRun,
  limits: HoldingLimits,
): Promise<void> {
  const stop = new AbortController();
  const together = { ...limits, signal: AbortSignal.any([limits.signal, stop.signal]) };
  const takeOne = oneAtATime(sink);
  let open = count;
  let failure: unknown;
  const make = async (begun: BegunAttempt): Promise<void> => {
    await begin(begun).make(takeOne);
    // It is paid for, and its caller has not had the end of the answer.
    if (--open > 0) limits.putDown();
  };
  const fail = (thrown: unknown): void => {
    failure ??= thrown;
    stop.abort(otherFailed());
  };
  const further: Strategy = { kind: "sequence", attempts: strategy.attempts };
  const choices = Array.from({ length: count }, (_, at) => (at === 0 ? strategy : further));
  await Promise.all(choices.map((choice) => runStrategy(choice, make, together).catch(fail)));
  if (failure !== undefined) throw failure;
  await sink([end()]);
}

/** A sink takes one batch at a time: whoever comes meanwhile waits, with its one batch. */
function oneAtATime(sink: EventSink): EventSink {
  let last: void | Promise<void>;
  return (events) => {
    last = last === undefined ? sink(events) : last.then(() => sink(events));
    return last;
  };
}

function otherFailed(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "another of the answers has failed");
}
