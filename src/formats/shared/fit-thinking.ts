import { type Reasoning, ReasoningEffort, ThinkingMode } from "../../../gen/attune/content/v1/content_pb.ts";
import { EFFORTS, type Effort, type ModelThinking, type ServerFacts } from "../../catalog/facts.ts";
import type { UpstreamTarget } from "../../hub/upstream.ts";
import type { LossList } from "./losses.ts";
import { EFFORT_WORDS } from "./openai-words.ts";
import { requestedEffort } from "./requested-effort.ts";
import { findWord } from "./words.ts";

/** The thinking that a server is asked for. */
export interface FittedThinking {
  /** The word of effort that it is sent. */
  readonly effort?: Effort | undefined;
  /** True to switch thinking on, false to switch it off; absent: nothing is said. */
  readonly isOn?: boolean;
  /** The way to do so. */
  readonly thinkingSwitch: ServerFacts["thinkingSwitch"];
  /** The budget of tokens that goes along. */
  readonly budgetTokens?: number | undefined;
}

/** The target of a request whose thinking is asked for. */
export interface ThinkingTarget {
  readonly model: UpstreamTarget["model"] | undefined;
  /** The upstream's name of the model. */
  readonly upstreamModel: string | undefined;
  readonly profile: Pick<ServerFacts, "efforts" | "modelThinking" | "effortModels" | "thinkingSwitch">;
}

/** The ways of thinking of one model. */
interface Abilities {
  /** Undefined: nobody knows. */
  readonly thinks: boolean | undefined;
  readonly efforts: readonly Effort[];
  readonly thinkingSwitch: ServerFacts["thinkingSwitch"];
}

/**
 * Fits what a caller asks of thinking to a server and its model: never a word that it refuses or ignores. What it
 * cannot be asked for is a loss, named by what the caller wrote.
 */
export function fitThinking(reasoning: Reasoning, target: ThinkingTarget, losses: LossList): FittedThinking {
  const able = getAbilities(target);
  const { thinkingSwitch } = able;
  const { mode, budgetTokens } = reasoning;
  if (mode === ThinkingMode.DISABLED || reasoning.effort === ReasoningEffort.NONE)
    return switchOff(reasoning, able, losses);
  if (able.thinks !== true) {
    if (budgetTokens !== undefined) losses.at("reasoning.budget_tokens");
    if (reasoning.effort !== ReasoningEffort.UNSPECIFIED) losses.at("reasoning.effort");
    return { thinkingSwitch };
  }
  // A switch with a budget says what was asked for, and no effort stands for it.
  if (thinkingSwitch === "enable_thinking" && budgetTokens !== undefined)
    return { thinkingSwitch, isOn: true, budgetTokens };
  const word = findWord(EFFORT_WORDS, requestedEffort(reasoning, target.model, losses));
  const effort = word === undefined ? undefined : nearest(word, able.efforts);
  if (effort !== word) losses.at(budgetTokens === undefined ? "reasoning.effort" : "reasoning.budget_tokens");
  const isOn = word !== undefined || mode === ThinkingMode.ENABLED || mode === ThinkingMode.ADAPTIVE;
  return { thinkingSwitch, effort, ...(isOn && { isOn }) };
}

/** Tells whether a model that thinks can be told not to. */
export function canSwitchOff(target: ThinkingTarget): boolean {
  const { thinks, thinkingSwitch } = getAbilities(target);
  return thinks !== false && thinkingSwitch !== "effort" && thinkingSwitch !== "none";
}

const patterns = new WeakMap<ModelThinking, RegExp>();

function matches(row: ModelThinking, name: string): boolean {
  const pattern = patterns.get(row) ?? new RegExp(row.models, "iu");
  patterns.set(row, pattern);
  return pattern.test(name);
}

function getAbilities({ model, upstreamModel = "", profile }: ThinkingTarget): Abilities {
  const own = profile.modelThinking.find((row) => matches(row, upstreamModel));
  const known = model?.thinking === undefined ? own?.thinks : model.thinking !== "none";
  return {
    thinks: known ?? (profile.effortModels === "all" ? true : undefined),
    efforts: own?.efforts ?? profile.efforts,
    thinkingSwitch: own?.thinkingSwitch ?? profile.thinkingSwitch,
  };
}

/** A model that does not think needs no switch; one of which nobody knows may think. */
function switchOff({ mode, effort, budgetTokens }: Reasoning, able: Abilities, losses: LossList): FittedThinking {
  const { thinks, efforts, thinkingSwitch } = able;
  if (budgetTokens !== undefined) losses.at("reasoning.budget_tokens");
  const isByMode = mode === ThinkingMode.DISABLED;
  if (isByMode && effort !== ReasoningEffort.UNSPECIFIED && effort !== ReasoningEffort.NONE)
    losses.at("reasoning.effort");
  if (thinks === false) return { thinkingSwitch };
  if (thinkingSwitch === "effort" && efforts.includes("none")) return { thinkingSwitch, effort: "none" };
  if (thinkingSwitch !== "effort" && thinkingSwitch !== "none") return { thinkingSwitch, isOn: false };
  losses.at(isByMode ? "reasoning.mode" : "reasoning.effort");
  return { thinkingSwitch, effort: thinks === true ? lowest(efforts) : undefined };
}

/** Of two words that are as near, the one that asks for less; none of them switches thinking off. */
function nearest(word: Effort, takes: readonly Effort[]): Effort | undefined {
  const wanted = EFFORTS.indexOf(word);
  const distance = (other: Effort): number => Math.abs(EFFORTS.indexOf(other) - wanted);
  const levels = EFFORTS.filter((other) => other !== "none" && takes.includes(other));
  return levels.toSorted((a, b) => distance(a) - distance(b))[0];
}

function lowest(takes: readonly Effort[]): Effort | undefined {
  return EFFORTS.find((word) => word !== "none" && takes.includes(word));
}
