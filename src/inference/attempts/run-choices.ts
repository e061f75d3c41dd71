import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { EventSink } from "../../hub/upstream.ts";
import type { Strategy } from "../ports.ts";
import type { Attempt } from "./attempt.ts";
import { type BegunAttempt, type HoldingLimits, runStrategy } from "./run-strategy.ts";

/** The choices of an inference, of which its caller gets all. */
interface AskedChoices {
  readonly count: number;
  readonly begin: (begun: BegunAttempt) => Attempt;
  readonly sink: EventSink;
}

/**
 * Asks for several answers at once: the first is handed on as it comes, the others whole behind it. Where one fails for
 * good, the others are broken off. Throws its InferenceError.
 */
export async function runChoices(
  strategy: Strategy,
  { count, begin, sink }: AskedChoices,
  limits: HoldingLimits,
): Promise<void> {
  const stop = new AbortController();
  const together = { ...limits, signal: AbortSignal.any([limits.signal, stop.signal]) };
  const further = Promise.withResolvers<Attempt[]>();
  let failure: unknown;
  const fail = (thrown: unknown): void => {
    failure ??= thrown;
    stop.abort(otherFailed());
  };
  const choices = async (): Promise<GenerateEvent[]> => (await further.promise).flatMap((attempt) => attempt.choice());
  const first = runStrategy(strategy, (begun) => begin(begun).make(sink, choices), together).catch(fail);
  const others = Promise.all(
    Array.from({ length: count - 1 }, () => heldAnswer(strategy, begin, together).catch(fail)),
  );
  void others.then((attempts) => {
    const whole = attempts.filter((attempt) => attempt !== undefined);
    if (whole.length === attempts.length) further.resolve(whole);
    else further.reject(otherFailed());
  });
  // Where the first has failed, nobody asks for them.
  further.promise.catch(() => {});
  await Promise.all([first, others]);
  if (failure !== undefined) throw failure;
}

/** Asks until an answer is whole. */
async function heldAnswer(
  { attempts }: Strategy,
  begin: (begun: BegunAttempt) => Attempt,
  limits: HoldingLimits,
): Promise<Attempt> {
  let answered: Attempt | undefined;
  const make = async (begun: BegunAttempt): Promise<void> => {
    const attempt = begin(begun);
    await attempt.hold();
    begun.claim();
    answered = attempt;
    // It is paid for, and the caller has nothing of it.
    limits.putDown();
  };
  await runStrategy({ kind: "sequence", attempts }, make, limits);
  if (answered === undefined) throw new Error("a strategy has ended without an answer");
  return answered;
}

function otherFailed(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "another of the answers has failed");
}
