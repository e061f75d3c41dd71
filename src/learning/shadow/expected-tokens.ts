import type { PlannedAttempt } from "../../inference/ports.ts";
import { countAnswerTokens } from "./judge.ts";
import type { AnsweredPrompt } from "./ports.ts";

/** The tokens that another answer is expected to have at most: so many times those of the answer that was given. */
const MOST_TIMES_LONGER = 4;
const LEAST_ANSWER_TOKENS = 1000;

/** Prompts have more tokens than their length tells, where they are code or not English. */
export const PROMPT_MARGIN = 1.5;

/** Returns the tokens that another model's answer is expected to have at most. */
export function mostAnswerTokens({ input, response }: AnsweredPrompt, { model }: PlannedAttempt): number {
  const expected = LEAST_ANSWER_TOKENS + MOST_TIMES_LONGER * countAnswerTokens(response);
  return Math.min(expected, input.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens);
}
