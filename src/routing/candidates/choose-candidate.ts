import type { ArrivedAnswer, CandidateChoice } from "../../inference/ports.ts";
import { chooseByRules, hasPassed, whyNot } from "./choose-by-rules.ts";
import { type Selection, selectAmong } from "./selection.ts";

/** The rules of a choice, beside the answers. */
interface ChoiceRules {
  /** True if the request asks for a form that a machine can check. */
  readonly isStructured: boolean;
  /** The part of learning in the choice; undefined where nothing is learned. */
  readonly selection?: Selection | undefined;
}

/**
 * See ChooseCandidate: hard checks first, then what was learned or else agreement, then the order in which they came.
 */
export function chooseCandidate(
  arrived: readonly ArrivedAnswer[],
  coming: number,
  { isStructured, selection }: ChoiceRules,
): CandidateChoice | undefined {
  const byRules = chooseByRules(arrived, coming, isStructured);
  if (byRules === undefined) return undefined;
  if (selection !== undefined && arrived.filter(hasPassed).length > 1) return selectAmong(arrived, byRules, selection);
  const { chosen, why, scores } = byRules;
  return { chosen, answers: scores.map((score, at) => ({ score, reason: at === chosen ? why : whyNot(at, byRules) })) };
}
