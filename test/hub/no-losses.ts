import type { Message } from "@bufbuild/protobuf";
import { Dialect, ReasoningEffort, ThinkingMode, ToolChoiceMode } from "../../gen/attune/content/v1/content_pb.ts";
import type { GenerateResponse } from "../../gen/attune/inference/v1/inference_pb.ts";
import type { HubInput } from "../../src/hub/input.ts";
import type { FieldCase } from "./set-fields.ts";

/** What is neither carried nor named, and why that is no loss: docs/decisions/0019. */
interface NoLoss {
  /** Fields by their messages' types, without the package. */
  readonly fields: readonly string[];
  /** Values; all if absent. */
  readonly values?: readonly string[];
  /** Kinds of upstream; all if absent. */
  readonly kinds?: readonly string[];
  readonly because: string;
}

const NO_LOSSES: readonly NoLoss[] = [
  {
    fields: [
      "model",
      "strict",
      "workload",
      "previous_id",
      "conversation_id",
      "store",
      "plain",
      "thread",
      "compact",
      "candidates",
      "n",
      "max_cost_nanos",
      "no_texts",
    ].map((name) => `InferenceInput.${name}`),
    because: "Attune does it itself",
  },
  {
    fields: ["session_id", "parent_session_id", "end_user_id", "tags", "session_source"].map(
      (name) => `CallFacts.${name}`,
    ),
    because: "calls are found and counted by them: no upstream is to know them",
  },
  {
    fields: [
      "EmbeddingOptions.dimensions",
      "EmbeddingOptions.encoding",
      "EmbeddingOptions.token_inputs",
      "TokenInput.tokens",
    ],
    because: "they are of embeddings, which none of these formats asks for: the Embeddings format has all of them",
  },
  {
    fields: ["ContentBlock.logprobs", "Logprobs.tokens"].concat(
      ["token", "logprob", "bytes", "top_logprobs", "extension"].map((name) => `TokenLogprob.${name}`),
    ),
    because: "how likely the tokens of an earlier answer were is nothing that a model reads",
  },
  {
    fields: ["InferenceInput.logprobs"],
    values: ["false"],
    because: "nothing is told of tokens where nobody asks for it",
  },
  {
    fields: ["InferenceInput.top_logprobs"],
    values: ["0"],
    because: "no likeliest tokens are told where nobody asks for them",
  },
  {
    fields: ["Message.id", "ContentBlock.item_id", "ThinkingBlock.id"],
    because: "an identifier of an item says nothing where there are no items",
  },
  {
    fields: ["ThinkingBlock.dialect", "RedactedThinkingBlock.dialect"],
    because: "it says who can read the state beside it: where nobody can, the block is left out and named before",
  },
  {
    fields: ["Message.role"],
    because:
      "roles of one side are one where a format has no more, and calls and results have none where they are items",
  },
  {
    fields: ["ToolUseBlock.kind", "ToolResultBlock.kind"],
    because: "formats without custom tools have one kind of call, and an input that it cannot hold is named",
  },
  {
    fields: ["ToolChoice.kind"],
    because: "a choice by its name alone is as clear, for no two tools have one name",
  },
  {
    fields: ["ToolChoice.name", "ToolChoice.allowed_names"],
    because: "a name goes with a choice of one tool, and allowed names that no tool has say nothing",
  },
  {
    fields: ["ToolUseBlock.id", "ToolResultBlock.tool_use_id"],
    values: ["a long text"],
    because: "an id that is too long is made to fit, in the call and in its result alike",
  },
  {
    fields: ["InferenceInput.betas"],
    values: ["a long text"],
    because: "no beta has such a name, and the header ignores it",
  },
  {
    fields: ["FunctionTool.name"],
    kinds: ["openai-chat"],
    because: "a tool that may not be called is left out",
  },
  {
    fields: ["FunctionTool.strict"],
    values: ["false"],
    kinds: ["openai-responses"],
    because: "false is written for who does not say it",
  },
  {
    fields: ["JsonSchema.strict"],
    kinds: ["anthropic-messages"],
    because: "a schema always binds there",
  },
  {
    fields: ["InferenceInput.parallel_tool_calls"],
    kinds: ["anthropic-messages"],
    because: "several calls are what happens anyway, and without tools there are none",
  },
  {
    fields: ["Reasoning.mode"],
    values: ["THINKING_MODE_ADAPTIVE"],
    because: "models that reason do so unasked",
  },
  {
    fields: ["Reasoning.mode"],
    values: ["THINKING_MODE_ENABLED"],
    kinds: ["openai-responses"],
    because: "models that reason do so unasked, and a budget is named or an effort stands for it",
  },
  {
    fields: ["Reasoning.mode"],
    values: ["THINKING_MODE_ENABLED", "THINKING_MODE_BETWEEN_TOOLS"],
    kinds: ["bedrock-converse"],
    because: "callers of the OpenAI formats have no word for it, and what others say is named",
  },
  {
    fields: ["Reasoning.effort"],
    values: ["REASONING_EFFORT_NONE", "REASONING_EFFORT_MINIMAL"],
    kinds: ["anthropic-messages"],
    because: "the least there is no thinking, and a model that cannot think is not told",
  },
  {
    fields: ["CacheMark.ttl"],
    values: ["CACHE_TTL_5M"],
    kinds: ["openai-chat", "openai-responses"],
    because: "their shortest lifetime is half an hour",
  },
];

/** The same of answers; kinds are those of callers. */
const NO_ANSWER_LOSSES: readonly NoLoss[] = [
  {
    fields: ["id", "model", "created_at", "serving", "pieces"].map((name) => `GenerateResponse.${name}`),
    because: "Attune says it itself",
  },
  {
    fields: ["Finished.translation_losses", "Finished.savings", "Finished.completed_at"],
    because: "Attune says it itself",
  },
  { fields: ["Usage.estimated"], because: "the header attune-usage says it, or a comment of the stream" },
  { fields: ["ContentBlock.cache_mark"], because: "answers have no marks" },
  {
    fields: ["ThinkingBlock.dialect", "RedactedThinkingBlock.dialect"],
    because: "the state of answers is sealed, and its seal says whose it is",
  },
  {
    fields: ["ContentBlock.item_id", "ThinkingBlock.id"],
    because: "an identifier of an item says nothing where there are no items",
  },
  {
    fields: ["Finished.raw_reason"],
    because: "it is said in the caller's own word, and one that the hub does not know is named",
  },
  {
    fields: ["Finished.reason"],
    values: ["STOP", "STOP_SEQUENCE", "TOOL_USE", "REFUSAL", "CONTENT_FILTER"].map((name) => `FINISH_REASON_${name}`),
    because: "formats have one word for several, and the rest is seen by what was said",
  },
  {
    fields: ["ToolUseBlock.kind"],
    kinds: ["messages"],
    because: "Messages has one kind of call, and an input that it cannot hold is named",
  },
  {
    fields: ["Usage.cache_write_5m_tokens"],
    because: "five minutes are what a cache is as a rule, and parts that do not add up are not told",
  },
];

/** Tells whether a field of an answer may be neither in what a caller gets nor among the losses. */
export function isNoAnswerLoss(
  one: FieldCase<GenerateResponse> & { readonly dialect: Dialect },
  caller: string,
): boolean {
  const { field, root, place, dialect } = one;
  const { usage } = root.finished ?? {};
  if (field.endsWith(".cache_write_1h_tokens") && usage?.cacheWriteTokens !== usage?.cacheWrite1hTokens) return true;
  // Only Responses has items; only Chat has nothing of its own in a text but log probabilities.
  if (field.endsWith(".item_extension") && dialect !== Dialect.RESPONSES) return true;
  if (field.endsWith(".extension") && caller === "chat" && dialect === Dialect.CHAT && isText(root, place)) return true;
  return isListed(NO_ANSWER_LOSSES, one, caller);
}

function isText({ content }: GenerateResponse, place: string): boolean {
  const kind = content[Number(/^content\[(\d+)\]/.exec(place)?.[1])]?.kind.case;
  return kind === "text" || kind === "refusal";
}

/** Tells whether a field's value may be neither in what is sent to a kind of upstream nor among the losses. */
export function isNoLoss(one: FieldCase<HubInput>, asked: string): boolean {
  // Its requests are made of those of Messages.
  const kind = asked === "bedrock-converse" ? "anthropic-messages" : asked;
  // Beside a choice that all formats know stand references that say the same.
  const { toolChoice, reasoning, tools } = one.root;
  // Without tools nothing is said of how they may be called.
  if (tools.length === 0 && /\.(?:parallel_tool_calls|ToolChoice\.mode)$/.test(one.field)) return true;
  if (one.field.endsWith(".ToolChoice.opaque") && toolChoice?.mode !== ToolChoiceMode.OPAQUE) return true;
  // With a budget it is the budget that is named, or an effort stands for it.
  const isBudget = one.value === "THINKING_MODE_ENABLED" && reasoning?.budgetTokens !== undefined;
  if (isBudget && kind === "openai-chat") return true;
  const { effort, mode, budgetTokens } = reasoning ?? {};
  // In the OpenAI formats an effort stands for a budget: for those of the scenes it is low.
  if (budgetTokens !== undefined && kind !== "anthropic-messages") {
    const isSame = effort === ReasoningEffort.UNSPECIFIED || one.value === "REASONING_EFFORT_LOW";
    if (isSame && /Reasoning\.(?:effort|budget_tokens)$/.test(one.field)) return true;
  }
  // No effort and no thinking mean the same.
  if (effort === ReasoningEffort.NONE && mode === ThinkingMode.DISABLED) return true;
  return [kind, asked].some((each) => isListed(NO_LOSSES, one, each));
}

function isListed(list: readonly NoLoss[], { field, value }: FieldCase<Message>, kind: string): boolean {
  const name = field.split(".").slice(-2).join(".");
  return list.some(
    ({ fields, values, kinds }) =>
      fields.includes(name) && (values?.includes(value) ?? true) && (kinds?.includes(kind) ?? true),
  );
}
