import type { FittedThinking } from "./fit-thinking.ts";
import { type JsonObject, toObject } from "./json.ts";

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

/** Encodes what switches thinking on or off, of Chat and of Responses alike; nothing where an effort says so. */
export function encodeThinkingSwitch({ isOn, thinkingSwitch, budgetTokens }: FittedThinking): JsonObject {
  return isOn === undefined ? {} : SWITCHES[thinkingSwitch](isOn, budgetTokens);
}

/** Tells whether a request, as it was sent, switches thinking off: by an effort, or in the way of its server. */
export function isThinkingOff(body: JsonObject): boolean {
  const { reasoning_effort: effort, enable_thinking: enabled } = body;
  const { chat_template_kwargs: kwargs, thinking, reasoning } = body;
  const template = toObject(kwargs);
  return (
    effort === "none" ||
    toObject(reasoning).effort === "none" ||
    toObject(thinking).type === "disabled" ||
    [enabled, template.enable_thinking, template.thinking].includes(false)
  );
}
