import type { GenerateResponse } from "../../../gen/attune/inference/v1/inference_pb.ts";
import type { PlannedAttempt } from "../../inference/ports.ts";
import { createJudgeInput, type JudgeRules, MOST_GRADE_TOKENS, toReadText } from "./judge-prompt.ts";
import type { AnsweredPrompt, ShadowModels } from "./ports.ts";
import type { Spending } from "./spending.ts";

/** The tokens of the judge's own instructions, about. */
export const INSTRUCTION_TOKENS = 500;
/** The tokens of a grade, about: a sentence, and some reasoning. */
export const GRADE_TOKENS = 200;
/** Characters of a token where nobody has counted: fewer than usual, so that costs are estimated too high. */
const CHARACTERS_PER_TOKEN = 3;

/** The options of a judge. */
interface JudgeOptions {
  readonly models: ShadowModels;
  /** A grade could not be had. */
  readonly onFailure: (error: unknown) => void;
}

/** An answer that is to be graded, and the place where its calls are counted. */
interface GradedAnswer extends AnsweredPrompt {
  readonly projectId: string;
  readonly rules: JudgeRules;
  readonly spending: Spending;
}

/** A model that grades answers. */
export class Judge {
  readonly #options: JudgeOptions;

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** Returns the most that a grade costs, about, in nano-USD. */
  price(
    planned: PlannedAttempt,
    { rules, promptTokens, answerTokens }: { rules: JudgeRules; promptTokens: number; answerTokens: number },
  ): number {
    const ruleTokens = Math.ceil(JSON.stringify(rules).length / CHARACTERS_PER_TOKEN);
    const input = INSTRUCTION_TOKENS + ruleTokens + promptTokens + answerTokens;
    return this.#options.models.price(planned, { input, output: MOST_GRADE_TOKENS });
  }

  /** Grades an answer; undefined where the judge fails, or says something else than a grade. */
  async grade(
    planned: PlannedAttempt,
    { projectId, rules, spending, ...answered }: GradedAnswer,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const { models, onFailure } = this.#options;
    try {
      const input = createJudgeInput(planned.model, answered, rules);
      const reply = await models.ask(planned, { input, projectId }, signal);
      spending.add(reply);
      return readGrade(toReadText(reply.response.content));
    } catch (thrown) {
      spending.addFailed(thrown, planned, models);
      if (!signal.aborted) onFailure(thrown);
      return undefined;
    }
  }
}

/** Returns the tokens of an answer, or an estimate that is rather too high. */
export function countAnswerTokens({ content, finished }: GenerateResponse): number {
  return finished?.usage?.outputTokens || Math.ceil(toReadText(content).length / CHARACTERS_PER_TOKEN);
}

/** A judge may put its JSON into a fence of code, and nothing else. */
const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n\s*```$/;

/** Reads a judge's reply: true if it says satisfactory; undefined for what is not exactly what it was asked for. */
export function readGrade(reply: string): boolean | undefined {
  const trimmed = reply.trim();
  const verdict = parse(FENCE.exec(trimmed)?.[1] ?? trimmed);
  if (typeof verdict !== "object" || verdict === null || !("satisfactory" in verdict)) return undefined;
  const { satisfactory } = verdict;
  if ("reason" in verdict && typeof verdict.reason !== "string") return undefined;
  return typeof satisfactory === "boolean" ? satisfactory : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
