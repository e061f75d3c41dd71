import { create } from "@bufbuild/protobuf";
import {
  ReasoningEffort,
  ReasoningSchema,
  ThinkingMode,
  ToolChoiceMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { ServerFacts } from "../../../catalog/facts.ts";
import type { HubInput } from "../../../hub/input.ts";
import { canSwitchOff } from "../../shared/fit-thinking.ts";
import type { LossList } from "../../shared/losses.ts";
import { readChatJson } from "../raw-json.ts";

/** Members in which callers of this format say themselves whether a model thinks. */
const SWITCHES = ["thinking", "enable_thinking"];

/** The part of a translation that bears on thinking beside tools. */
interface Source {
  readonly input: HubInput;
  readonly profile: ServerFacts;
  readonly losses: LossList;
  readonly model: Parameters<typeof canSwitchOff>[0]["model"];
  readonly upstreamModel: string | undefined;
}

/**
 * Fits a request to a server that takes fewer choices of tools while a model thinks. Thinking is switched off for a
 * call that is demanded, and tools that must not be called are left out.
 */
export function fitThinkingChoice(source: Source): Pick<Source, "input" | "profile"> {
  const { input, profile, losses } = source;
  const { reasoning, toolChoice, tools } = input;
  const mode = toolChoice?.mode;
  const isFree = profile.thinkingChoices === "all" || tools.length === 0 || isSettled(input);
  if (isFree || !canSwitchOff(source)) return { input, profile };
  if (mode === ToolChoiceMode.NONE && profile.thinkingChoices === "auto")
    return { input, profile: { ...profile, toolChoices: "auto" } };
  if (mode !== ToolChoiceMode.REQUIRED && mode !== ToolChoiceMode.NAMED) return { input, profile };
  if (reasoning?.mode === ThinkingMode.ENABLED) losses.at("reasoning.mode");
  const off = { ...(reasoning ?? create(ReasoningSchema)), mode: ThinkingMode.DISABLED };
  return { input: { ...input, reasoning: off }, profile };
}

/** Tells whether thinking is off already, or the caller uses words of the server itself. */
function isSettled({ reasoning, extension }: HubInput): boolean {
  const own = readChatJson(extension);
  const isOff = reasoning?.mode === ThinkingMode.DISABLED || reasoning?.effort === ReasoningEffort.NONE;
  return isOff || SWITCHES.some((name) => own?.[name] !== undefined);
}
