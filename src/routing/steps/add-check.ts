import { checkAnswer } from "../../inference/checks/check-answer.ts";
import { requestedForm } from "../../inference/checks/requested-form.ts";
import type { CheckAnswer } from "../../inference/ports.ts";
import type { PlanStep, RequestFacts } from "./plan-step.ts";

/** The step that adds the check of the answer; several candidates are judged by themselves, several choices not. */
export const addCheck: PlanStep = (draft, facts) => {
  const check = draft.candidates === undefined ? checkFor(facts) : undefined;
  return check === undefined ? draft : { ...draft, check };
};

/** Returns the check that an answer has to pass; undefined where nothing can be checked, or nothing is to be. */
function checkFor({ input, context, found, optimizationsFor, judge }: RequestFacts): CheckAnswer | undefined {
  const { model } = found;
  if (judge === undefined || !context.isAnswered || input.compact || input.embedding !== undefined || input.n > 1)
    return undefined;
  const { checkedRetry } = optimizationsFor(model);
  if (checkedRetry === "off" || (context.streamed && checkedRetry === "unary")) return undefined;
  const form = requestedForm(input, model.checks);
  if (form === undefined || (context.streamed && !form.isStructured)) return undefined;
  return (answer, signal) => checkAnswer(answer, form, (texts) => judge(texts, signal));
}
