import { type Reasoning, ThinkingMode } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type FittedThinking, fitThinking } from "../../shared/fit-thinking.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { Translation } from "./translation.ts";

/** The members that switch thinking on and off, by the way that a server has. */
const SWITCHES: Readonly<
  Record<FittedThinking["thinkingSwitch"], (isOn: boolean, budget: number | undefined) => JsonObject>
> = {
  effort: () => ({}),
  none: () => ({}),
  thinking: (isOn) => ({ thinking: { type: isOn ? "enabled" : "disabled" } }),
  adaptive_thinking: (isOn) => ({ thinking: { type: isOn ? "adaptive" : "disabled" } }),
  enable_thinking: (isOn, thinking_budget) => ({ enable_thinking: isOn, thinking_budget }),
  chat_template_kwargs: (isOn) => ({ chat_template_kwargs: { enable_thinking: isOn } }),
};

/** Encodes what is asked of thinking; `adaptive` is what a model does when nothing is said. */
export function encodeThinking(reasoning: Reasoning, translation: Translation): JsonObject {
  const { losses } = translation;
  const { effort, isOn, thinkingSwitch, budgetTokens } = fitThinking(reasoning, translation, losses);
  const switched = isOn === undefined ? {} : SWITCHES[thinkingSwitch](isOn, budgetTokens);
  const isSaid = reasoning.budgetTokens !== undefined || Object.keys(switched).length > 0;
  const { mode } = reasoning;
  if (mode === ThinkingMode.BETWEEN_TOOLS || (mode === ThinkingMode.ENABLED && !isSaid)) losses.at("reasoning.mode");
  return { reasoning_effort: effort, ...switched };
}
