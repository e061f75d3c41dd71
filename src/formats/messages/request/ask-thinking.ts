import { create } from "@bufbuild/protobuf";
import {
  Dialect,
  type Message,
  ReasoningEffort,
  ReasoningSchema,
  Role,
  ThinkingMode,
  ToolChoiceMode,
} from "../../../../gen/attune/content/v1/content_pb.ts";
import type { InferenceInput } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../../hub/input.ts";
import type { UpstreamTarget } from "../../../hub/upstream.ts";
import type { JsonObject } from "../../shared/json.ts";
import { isUnreadable } from "../../shared/reasoning-path.ts";
import { findWord } from "../../shared/words.ts";
import { EFFORT_WORDS } from "../reasoning-words.ts";
import type { EncodeContext } from "./encode-context.ts";

/** The request for thinking from another format. */
export interface RequestedThinking {
  /** The member `thinking`; undefined to leave it to the model. */
  readonly thinking: JsonObject | undefined;
  /** The member `effort` of `output_config`. */
  readonly effort: string | undefined;
  /** True if the model is asked to think. */
  readonly thinks: boolean;
}

type ThinkingForm = NonNullable<UpstreamTarget["model"]["thinking"]>;

/** The facts that thinking depends on. */
export interface ThinkingFacts {
  readonly form: ThinkingForm;
  /** Tokens that thinking and answer may have together. */
  readonly maxTokens: number;
}

/** Fewest tokens that the format takes as a budget. */
const LEAST_BUDGET = 1024;

/** Budgets of models that know no effort; the answer keeps half of its tokens at least. */
const BUDGETS: Partial<Record<ReasoningEffort, number>> = {
  [ReasoningEffort.LOW]: 2048,
  [ReasoningEffort.MEDIUM]: 8192,
  [ReasoningEffort.HIGH]: 16_384,
  [ReasoningEffort.XHIGH]: 32_768,
  [ReasoningEffort.MAX]: 32_768,
};

/** Efforts that ask for an answer without thinking; the format has no word of its own for them. */
const WITHOUT_THINKING: ReadonlySet<ReasoningEffort> = new Set([ReasoningEffort.NONE, ReasoningEffort.MINIMAL]);

/**
 * Asks for the thinking that a caller of another format wants by effort, or by a wish for a summary: models of the
 * format think only if they are told to. What the model or the rest of the request does not allow is a loss. Undefined
 * if nothing is asked, or in the words of the format itself.
 */
export function askThinking(
  input: InferenceInput,
  { form, maxTokens }: ThinkingFacts,
  context: EncodeContext,
): RequestedThinking | undefined {
  const { reasoning } = input;
  if (context.native || reasoning === undefined || reasoning.mode !== ThinkingMode.UNSPECIFIED) return undefined;
  const { effort, summary, extension } = reasoning;
  if (effort === ReasoningEffort.UNSPECIFIED && summary === undefined) return undefined;
  if (extension?.dialect === Dialect.MESSAGES) return undefined;
  if (reasoning.display !== undefined) context.losses.at("reasoning.display");
  if (reasoning.budgetTokens !== undefined) context.losses.at("reasoning.budget_tokens");
  const word = findWord(EFFORT_WORDS, effort);
  if (WITHOUT_THINKING.has(effort)) {
    if (summary !== undefined) context.losses.at("reasoning.summary");
    return { thinking: form === "none" ? undefined : { type: "disabled" }, effort: undefined, thinks: false };
  }
  const display = summary === undefined ? {} : { display: "summarized" };
  const thinking = mayThink(input, form) ? getConfig(effort, { form, maxTokens }) : undefined;
  if (thinking === undefined) {
    if (effort !== ReasoningEffort.UNSPECIFIED) context.losses.at("reasoning.effort");
    if (summary !== undefined) context.losses.at("reasoning.summary");
    return { thinking, effort: form === "adaptive" ? word : undefined, thinks: false };
  }
  // The format has no more than one kind of summary.
  if (summary !== undefined && summary !== "auto") context.losses.at("reasoning.summary");
  return { thinking: { ...thinking, ...display }, effort: form === "adaptive" ? word : undefined, thinks: true };
}

/**
 * Leaves out how the answer is sampled, which the format refuses beside thinking, but for values that mean nothing
 * there.
 */
export function withoutSampling(input: InferenceInput, context: EncodeContext): InferenceInput {
  const { temperature, topP, topK } = input;
  if (temperature !== undefined && temperature !== 1) context.losses.at("temperature");
  if (topP !== undefined && topP !== 1) context.losses.at("top_p");
  if (topK !== undefined) context.losses.at("top_k");
  return { ...input, temperature: undefined, topP: undefined, topK: undefined };
}

/** Claude models that take one of temperature and top_p alone, and those that take none (juspay/neurolink#1706). */
const ONE_OF_SAMPLING = /claude-(?:opus-4-[1-9]|(?:sonnet|haiku)-4-[5-9]|[a-z]+-[5-9])(?!\d)/;
const NO_SAMPLING = /claude-opus-4-[78](?!\d)/;

/**
 * Leaves out what the model refuses of how an answer is sampled, for callers of formats in which it stands together.
 */
export function fitSampling(input: InferenceInput, model: string, context: EncodeContext): InferenceInput {
  if (context.native) return input;
  if (NO_SAMPLING.test(model)) return withoutSampling(input, context);
  const { temperature, topP } = input;
  if (temperature === undefined || topP === undefined || !ONE_OF_SAMPLING.test(model)) return input;
  if (topP !== 1) context.losses.at("top_p");
  return { ...input, topP: undefined };
}

/**
 * A tool that must be called, and thinking with a budget in the middle of a turn that began without, are refused
 * upstream.
 */
function mayThink({ toolChoice, messages }: InferenceInput, form: ThinkingForm): boolean {
  const mode = toolChoice?.mode ?? ToolChoiceMode.UNSPECIFIED;
  if (mode === ToolChoiceMode.REQUIRED || mode === ToolChoiceMode.NAMED) return false;
  return form === "adaptive" || !isInsideUnthinkingTurn(messages);
}

function isInsideUnthinkingTurn(messages: readonly Message[]): boolean {
  const lastInput = messages.findLastIndex(({ role, content }) => role === Role.USER && !content.every(isResult));
  const turn = messages.slice(lastInput + 1).filter(({ role }) => role === Role.ASSISTANT);
  const first = turn.flatMap(({ content }) => content).find((block) => !isLeftOut(block));
  return first !== undefined && first.kind.case !== "thinking" && first.kind.case !== "redactedThinking";
}

/** Tells whether reasoning has nothing that its maker could read, so that it is left out. */
function isLeftOut(block: Message["content"][number]): boolean {
  const { kind } = block;
  return isUnreadable(block) || (kind.case === "thinking" && kind.value.opaque === undefined);
}

/**
 * Returns a request without the thinking with a budget that it asks for in this format's words, where it is in the
 * middle of a turn whose own thinking is left out: Anthropic refuses such a turn. A caller of this format who did not
 * send any is told so by the upstream.
 */
export function withoutLostThinking(input: HubInput, { native, losses }: EncodeContext): HubInput {
  const { reasoning, messages } = input;
  if (reasoning?.mode !== ThinkingMode.ENABLED || !isInsideUnthinkingTurn(messages)) return input;
  if (native && !messages.some(({ content }) => content.some(isLeftOut))) return input;
  losses.at("reasoning.mode");
  const { budgetTokens: _budget, ...rest } = reasoning;
  return { ...input, reasoning: create(ReasoningSchema, { ...rest, mode: ThinkingMode.DISABLED }) };
}

function isResult({ kind }: Message["content"][number]): boolean {
  return kind.case === "toolResult";
}

function getConfig(effort: ReasoningEffort, { form, maxTokens }: ThinkingFacts): JsonObject | undefined {
  if (form === "none") return undefined;
  if (form === "adaptive") return { type: "adaptive" };
  const wanted = BUDGETS[effort] ?? BUDGETS[ReasoningEffort.MEDIUM] ?? LEAST_BUDGET;
  const budget = Math.min(wanted, Math.floor(maxTokens / 2));
  return budget < LEAST_BUDGET ? undefined : { type: "enabled", budget_tokens: budget };
}
