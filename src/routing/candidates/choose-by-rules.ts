import type { CandidateReason, WhyChosen } from "../../hub/candidate-reasons.ts";
import type { JudgedAnswer } from "../../inference/ports.ts";
import { agreementWith, measureAgreement } from "./agreement.ts";

/** A choice by rules alone. */
export interface RuleChoice {
  readonly chosen: number;
  readonly why: WhyChosen;
  /** From 0 to 1: below 0.5 where a check has failed. */
  readonly scores: readonly number[];
}

/** Why an answer was not chosen, by rules alone. */
export function whyNot(at: number, { chosen, scores }: RuleChoice): CandidateReason {
  return (scores[at] ?? 0) < (scores[chosen] ?? 0) ? "lower_score" : "later";
}

/** Returns whether no check has found anything wrong with it. */
export function hasPassed({ verdict }: JudgedAnswer): boolean {
  return verdict.failed.length === 0;
}

/** Scores below this have failed a check. */
const PASSED = 0.5;

/**
 * Chooses by rules alone: hard checks first, then agreement, then the order in which they came; undefined while it is
 * worth the wait for others. `isStructured` is whether the request asks for a form that a machine can check, so that
 * the first answer that has it cannot be bettered.
 */
export function chooseByRules(
  arrived: readonly JudgedAnswer[],
  coming: number,
  isStructured: boolean,
): RuleChoice | undefined {
  if (arrived.length === 0) return undefined;
  const scores = getScores(arrived);
  const toPass = isStructured ? arrived.findIndex(isProven) : -1;
  // Where all have come, one that passed is compared with the others that did.
  if (toPass !== -1 && coming > 0) return { chosen: toPass, why: "first_to_pass", scores };
  const highest = Math.max(...scores);
  const chosen = scores.indexOf(highest);
  const isMajority = agreeingWith(arrived[chosen], arrived) > (arrived.length + coming) / 2;
  if (coming > 0 && !isMajority) return undefined;
  return { chosen, why: whyOf({ scores, highest, isMajority }), scores };
}

/**
 * From 0 to 1: the half of the part of its checks that it passed where it failed any; else a half, and the other half
 * by how far it agrees with the others that passed.
 */
function getScores(arrived: readonly JudgedAnswer[]): number[] {
  const passing = arrived.filter(hasPassed);
  return arrived.map((answer) => {
    const { failed, passed } = answer.verdict;
    if (failed.length > 0) return (PASSED * passed) / (passed + failed.length);
    return PASSED + (1 - PASSED) * agreementWith(answer, passing);
  });
}

/** Returns whether a machine has found that it is of the form that was asked for. */
function isProven({ verdict }: JudgedAnswer): boolean {
  return verdict.failed.length === 0 && verdict.isComplete && verdict.isProven;
}

/**
 * Returns the number of faultless answers with the same conclusion, its own included; 0 if it has none, or has a fault.
 */
function agreeingWith(answer: JudgedAnswer | undefined, arrived: readonly JudgedAnswer[]): number {
  if (answer?.conclusion === undefined || !hasPassed(answer)) return 0;
  return arrived.filter((other) => hasPassed(other) && measureAgreement(answer, other) === 1).length;
}

interface Outcome {
  readonly scores: readonly number[];
  readonly highest: number;
  readonly isMajority: boolean;
}

function whyOf({ scores, highest, isMajority }: Outcome): WhyChosen {
  if (scores.length === 1) return "only_answer";
  if (isMajority) return "majority";
  return scores.filter((score) => score === highest).length > 1 ? "first_of_equals" : "highest_score";
}
