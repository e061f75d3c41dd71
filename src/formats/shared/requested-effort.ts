import { type Reasoning, ReasoningEffort, ThinkingMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { effortOfBudget } from "../../hub/effort-of-budget.ts";
import type { UpstreamTarget } from "../../hub/upstream.ts";
import type { LossList } from "./losses.ts";
import { EFFORT_WORDS } from "./openai-words.ts";

/**
 * Returns the effort to ask an upstream of an OpenAI format for, which knows no budget of tokens: the caller's own, or
 * else the one that the model has for the budget. A budget that no effort stands for is a loss.
 */
export function requestedEffort(
  { effort, mode, budgetTokens }: Reasoning,
  model: UpstreamTarget["model"] | undefined,
  losses: LossList,
): ReasoningEffort {
  if (budgetTokens === undefined) return effort;
  const mayAsk = effort === ReasoningEffort.UNSPECIFIED && mode !== ThinkingMode.DISABLED;
  const word = mayAsk ? effortOfBudget(budgetTokens, model ?? {}) : undefined;
  if (word !== undefined) return EFFORT_WORDS[word];
  losses.at("reasoning.budget_tokens");
  return effort;
}
