import type { CandidateSignals } from "../../hub/candidate-signals.ts";
import type { ArrivedAnswer } from "../../inference/ports.ts";
import { logLength } from "../../learning/best-of-n/selector.ts";
import { agreementWith } from "./agreement.ts";

/** Logarithms of lengths count up to this: seven times as long is as good as a hundred times. */
const MOST_LOG = 2;

/** The facts that the answers of a request are compared with. */
interface Known {
  /** Logarithm of the length that answers usually have; undefined while nothing is usual. */
  readonly usualLogLength?: number | undefined;
  /** The expected worth of each model for the request, by name; undefined where all answers are of one. */
  readonly worths?: ReadonlyMap<string, number> | undefined;
}

/**
 * Returns the signals of answers to one request that passed their checks, in the order in which they came, of which
 * there are two at least.
 */
export function readSignals(
  passing: readonly ArrivedAnswer[],
  { usualLogLength, worths }: Known,
): readonly CandidateSignals[] {
  const lengths = passing.map(({ characters }) => logLength(characters));
  const all = passing.reduce((sum, { characters }) => sum + characters, 0);
  const agreements = lessMean(passing.map((answer) => agreementWith(answer, passing)));
  const unusual = lessMean(
    lengths.map((length) => (usualLogLength === undefined ? 0 : Math.min(MOST_LOG, Math.abs(length - usualLogLength)))),
  );
  const elsewhere = lessMean(passing.map(({ isElsewhere }) => Number(isElsewhere)));
  const proven = lessMean(passing.map(({ verdict }) => Number(verdict.isProven && verdict.isComplete)));
  const confidence = allOrNone(passing.map(({ logProbability }) => logProbability));
  const model = allOrNone(passing.map((answer) => worths?.get(answer.model)));
  return passing.map(({ characters }, at) => ({
    agreement: agreements[at] ?? 0,
    length: limited((lengths[at] ?? 0) - logLength((all - characters) / (passing.length - 1))),
    unusual: unusual[at] ?? 0,
    order: (2 * at) / (passing.length - 1) - 1,
    elsewhere: elsewhere[at] ?? 0,
    proven: proven[at] ?? 0,
    confidence: limited(confidence[at] ?? 0),
    model: model[at] ?? 0,
    characters,
  }));
}

/** Returns the values, or none where one of them is missing, since then there is nothing to compare. */
function allOrNone(values: readonly (number | undefined)[]): readonly number[] {
  const known = values.flatMap((value) => value ?? []);
  return known.length < values.length ? [] : lessMean(known);
}

function lessMean(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function limited(value: number): number {
  return Math.max(-MOST_LOG, Math.min(value, MOST_LOG));
}
