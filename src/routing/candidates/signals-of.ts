import type { ArrivedAnswer } from "../../inference/ports.ts";
import type { CandidateSignals } from "../../lib/candidate-signals.ts";
import { logLength } from "../selector/selector.ts";
import { agreementWith } from "./agreement.ts";

/** Logarithms of lengths count up to this: seven times as long is as good as a hundred times. */
const MOST_LOG = 2;

/**
 * Returns the signals of answers to one request that passed their checks, in the order in which they came, of which there are two at least.
 * `usualLogLength` is undefined while nothing is usual.
 */
export function signalsOf(
  passing: readonly ArrivedAnswer[],
  usualLogLength: number | undefined,
): readonly CandidateSignals[] {
  const lengths = passing.map(({ characters }) => logLength(characters));
  const all = passing.reduce((sum, { characters }) => sum + characters, 0);
  const agreements = lessMean(passing.map((answer) => agreementWith(answer, passing)));
  const unusual = lessMean(
    lengths.map((length) => (usualLogLength === undefined ? 0 : Math.min(MOST_LOG, Math.abs(length - usualLogLength)))),
  );
  const elsewhere = lessMean(passing.map(({ isElsewhere }) => Number(isElsewhere)));
  const proven = lessMean(passing.map(({ verdict }) => Number(verdict.isProven && verdict.isComplete)));
  const confidence = confidenceOf(passing);
  return passing.map(({ characters }, at) => ({
    agreement: agreements[at] ?? 0,
    length: limited((lengths[at] ?? 0) - logLength((all - characters) / (passing.length - 1))),
    unusual: unusual[at] ?? 0,
    order: (2 * at) / (passing.length - 1) - 1,
    elsewhere: elsewhere[at] ?? 0,
    proven: proven[at] ?? 0,
    confidence: limited(confidence[at] ?? 0),
    characters,
  }));
}

/** Where it is not known of all of them, there is nothing to compare. */
function confidenceOf(passing: readonly ArrivedAnswer[]): readonly number[] {
  const known = passing.flatMap(({ logProbability }) => logProbability ?? []);
  return known.length < passing.length ? [] : lessMean(known);
}

function lessMean(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function limited(value: number): number {
  return Math.max(-MOST_LOG, Math.min(value, MOST_LOG));
}
