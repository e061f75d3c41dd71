import { InferenceError } from "../../inference/error.ts";
import type { CatalogModel, JudgeAnswer } from "../../inference/ports.ts";
import type { HubInput } from "../../lib/hub-input.ts";
import { askedForm } from "../checks/asked-form.ts";
import type { JudgeTexts } from "../checks/check-thread.ts";
import { withScriptCheck } from "../checks/script/other-script.ts";
import type { Candidates } from "../plan-strategy.ts";
import { chooseCandidate } from "./choose-candidate.ts";
import { judgeCandidate } from "./judged-answer.ts";

/** Whether a request asks for more than one answer, of which the best is to be given. */
export function asksForSeveral({ candidates }: HubInput): boolean {
  return candidates > 1;
}

/** Throws INVALID_REQUEST where a request asks for more answers than its model is configured to give, or for several where there can be but one. */
export function checkCandidates(input: HubInput, { name, candidates = { max: 1 } }: CatalogModel): void {
  if (!asksForSeveral(input)) return;
  const asked = `'attune-candidates: ${input.candidates}' (over RPC 'candidates')`;
  if (input.compact) throw InferenceError.invalid("", `${asked} is not for compactions: leave it out`);
  if (input.candidates <= candidates.max) return;
  const allowed =
    candidates.max === 1 ? "takes one answer for each request" : `takes at most ${candidates.max} for each request`;
  const remedy = `${candidates.max === 1 ? "leave it out" : "ask for fewer"}, or have candidates.max of the model raised in the configuration`;
  throw InferenceError.invalid("", `${asked} is more than is allowed: the model '${name}' ${allowed}; ${remedy}`);
}

/** Returns how many answers are asked for, and how one is chosen; undefined where a plain call is. */
export function candidatesOf(input: HubInput, { checks }: CatalogModel, judge: JudgeTexts): Candidates | undefined {
  if (!asksForSeveral(input)) return undefined;
  const form = askedForm(input, checks);
  const rules = { isStructured: form?.isStructured === true };
  const judgeOne: JudgeAnswer = (answer, signal) => judgeCandidate(answer, form, (texts) => judge(texts, signal));
  return {
    count: input.candidates,
    // What is of a form is in whatever words the form has.
    judge: rules.isStructured ? judgeOne : withScriptCheck(judgeOne, input),
    choose: (arrived, coming) => chooseCandidate(arrived, coming, rules),
  };
}
