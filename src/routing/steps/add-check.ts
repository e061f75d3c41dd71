import type { CheckAnswer } from "../../inference/ports.ts";
import { askedForm } from "../checks/asked-form.ts";
import { checkAnswer } from "../checks/check-answer.ts";
import type { JudgeTexts } from "../checks/check-thread.ts";
import type { PlanStep, RequestFacts } from "./plan-step.ts";

/** Creates the step that adds the check of the answer; several candidates are judged by themselves. */
export function createCheckStep(judge: JudgeTexts | undefined): PlanStep {
  return (draft, facts) => {
    const check = draft.candidates === undefined ? checkFor(facts, judge) : undefined;
    return check === undefined ? draft : { ...draft, check };
  };
}

/** Returns the check that an answer has to pass; undefined where nothing can be checked, or nothing is to be. */
function checkFor(
  { input, context, found: { model }, optimizationsFor }: RequestFacts,
  judge: JudgeTexts | undefined,
): CheckAnswer | undefined {
  if (judge === undefined || !context.isAnswered || input.compact) return undefined;
  const { checkedRetry } = optimizationsFor(model);
  if (checkedRetry === "off" || (context.streamed && checkedRetry === "whole")) return undefined;
  const form = askedForm(input, model.checks);
  if (form === undefined || (context.streamed && !form.isStructured)) return undefined;
  return (answer, signal) => checkAnswer(answer, form, (texts) => judge(texts, signal));
}
