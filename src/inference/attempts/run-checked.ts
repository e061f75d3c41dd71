import { ErrorReason, InferenceError } from "../../hub/error.ts";
import type { CheckedStrategy, PlannedAttempt } from "../ports.ts";
import type { Attempt } from "./attempt.ts";
import { type BegunAttempt, type HoldingLimits, runStrategy } from "./run-strategy.ts";

/** The time limit of a second answer: this many times the first one's, plus a constant. */
const PATIENCE = 3;
const PATIENCE_MS = 10_000;

/** Returns the time limit of another answer after one that took `tookMs`. */
export function patienceMs(tookMs: number): number {
  return PATIENCE_MS + PATIENCE * tookMs;
}

/**
 * Asks until an answer is whole, and once more where it fails a check that another one may pass. Resolves to the
 * attempt whose answer the caller gets: the first, unless the second has passed more. Throws InferenceError where there
 * is no answer at all.
 */
export async function runChecked(
  strategy: CheckedStrategy,
  begin: (begun: BegunAttempt) => Attempt,
  limits: HoldingLimits,
): Promise<Attempt> {
  const first = await firstAnswer(strategy, begin, limits);
  if (first.progress.verdict?.isRetryable !== true || limits.signal.aborted || !limits.mayBegin("retry")) return first;
  const second = await secondAnswer(first, { strategy, begin, limits });
  return second !== undefined && isBetter(second, first) ? second : first;
}

async function firstAnswer(
  { attempts, check }: CheckedStrategy,
  begin: (begun: BegunAttempt) => Attempt,
  limits: HoldingLimits,
): Promise<Attempt> {
  let answered: Attempt | undefined;
  const make = async (begun: BegunAttempt): Promise<void> => {
    const attempt = begin(begun);
    await attempt.hold(check);
    begun.claim();
    answered = attempt;
  };
  await runStrategy({ kind: "sequence", attempts }, make, limits);
  if (answered === undefined) throw new Error("a strategy has ended without an answer");
  return answered;
}

interface SecondAttempt {
  readonly strategy: CheckedStrategy;
  readonly begin: (begun: BegunAttempt) => Attempt;
  readonly limits: HoldingLimits;
}

/** Undefined where there is none: that is no failure, since there is a first. Throws where the caller has left. */
async function secondAnswer(first: Attempt, { strategy, begin, limits }: SecondAttempt): Promise<Attempt | undefined> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(tooLate()), patienceMs(first.progress.record.latencyMs));
  const planned = placeAgain(first, strategy);
  const { signal, putDown } = limits;
  limits.onLate?.(() => {
    stop.abort(tooLate());
    return true;
  });
  const both = AbortSignal.any([signal, stop.signal]);
  try {
    const second = begin({ planned, role: "retry", isHedged: false, signal: both, claim: () => {} });
    const held = second.hold(strategy.check);
    // The first answer is paid for, and the caller has nothing of it.
    putDown();
    await held;
    return second;
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Another place of the same model if there is one, else the same. */
function placeAgain({ progress }: Attempt, { again }: CheckedStrategy): PlannedAttempt {
  const { planned } = progress.begun;
  const other = again.find((place) => place.model === planned.model && place !== planned);
  return { ...(other ?? planned), propensity: 1 };
}

function isBetter(second: Attempt, first: Attempt): boolean {
  const [one, other] = [second.progress.verdict, first.progress.verdict];
  if (one === undefined || other === undefined) return false;
  return one.failed.length === 0 || one.passed > other.passed;
}

function tooLate(): InferenceError {
  return new InferenceError(ErrorReason.CANCELED, "the second answer took far longer than the first");
}
