import type { CatalogModel } from "../../catalog/model.ts";
import { InferenceError } from "../../hub/error.ts";
import type { HubInput } from "../../hub/input.ts";
import type { JudgeTexts } from "../../inference/checks/check-thread.ts";
import { requestedForm } from "../../inference/checks/requested-form.ts";
import type { ArrivedAnswer, CandidateChoice } from "../../inference/ports.ts";
import type { LearnedWorkload } from "../../learning/workload.ts";
import { createRandom } from "../../lib/hash.ts";
import type { Candidates } from "../steps/plan-strategy.ts";
import { chooseByRules, hasPassed, whyNot } from "./choose-by-rules.ts";
import { judgeCandidate } from "./judged-answer.ts";
import { type Selection, selectAmong } from "./selection.ts";

/** Returns whether a request asks for more than one answer, of which the best is to be given. */
export function asksForSeveral({ candidates }: HubInput): boolean {
  return candidates > 1;
}

/** Returns whether a request asks for more than one answer, of which all are to be given. */
export function asksForChoices({ n }: HubInput): boolean {
  return n > 1;
}

/**
 * Throws INVALID_REQUEST where a request asks for more answers than its model is configured to give, or for several
 * where there can be but one.
 */
export function checkCandidates(input: HubInput, { name, candidates = { max: 1 } }: CatalogModel): void {
  if (asksForChoices(input) && input.compact) throw InferenceError.invalid("n", "is not for compactions: leave it out");
  if (!asksForSeveral(input)) return;
  const header = `'attune-candidates: ${input.candidates}' (over RPC 'candidates')`;
  if (input.compact) throw InferenceError.invalid("", `${header} is not for compactions: leave it out`);
  if (asksForChoices(input))
    throw InferenceError.invalid("n", `gives all of several answers, ${header} the best: send one`);
  if (input.candidates <= candidates.max) return;
  const allowed =
    candidates.max === 1 ? "allows one answer for each request" : `allows at most ${candidates.max} for each request`;
  const remedy =
    `${candidates.max === 1 ? "leave it out" : "ask for fewer"}, or have candidates.max of the model raised in ` +
    "the configuration";
  throw InferenceError.invalid("", `${header} is more than is allowed: the model '${name}' ${allowed}; ${remedy}`);
}

const UNJUDGED: JudgeTexts = async (texts) => texts.map(() => undefined);

/** The parts by which answers are compared, beside the request. */
interface CandidateParts {
  /** Absent: no text is held against a schema. */
  readonly judge: JudgeTexts | undefined;
  /** The part of learning in the choice; undefined where nothing is learned. */
  readonly selection: Selection | undefined;
  /** The number of answers; absent: as many as the request asks for. */
  readonly count?: number;
}

/**
 * Returns how what was learned of a workload takes part in a choice: it is recorded what it expects, and where learning
 * is on, not frozen, and the workload has feedback, it acts. Undefined where nothing is learned.
 */
export function findSelection(workload: LearnedWorkload | undefined, inferenceId: string): Selection | undefined {
  if (workload === undefined) return undefined;
  const { controls, selector, state } = workload;
  const hasFeedback = state.rewards > 0 || (selector?.rewards ?? 0) > 0;
  const acts = controls.mode === "on" && controls.hold?.kind !== "frozen" && hasFeedback;
  return { selector, acts, random: createRandom(`${inferenceId} candidates`) };
}

/** Returns how many answers are asked for, and how one of them is chosen. */
export function getCandidates(
  input: HubInput,
  { checks }: CatalogModel,
  { judge = UNJUDGED, selection, count = input.candidates }: CandidateParts,
): Candidates {
  const form = requestedForm(input, checks);
  const rules = { isStructured: form?.isStructured === true, selection };
  return {
    count,
    judge: (answer, signal) => judgeCandidate(answer, form, (texts) => judge(texts, signal)),
    choose: (arrived, coming) => chooseCandidate(arrived, coming, rules),
  };
}

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
