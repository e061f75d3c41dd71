import type { CallFacts, InferenceInput } from "../../gen/attune/inference/v1/inference_pb.ts";
import { CONTENT_FIELDS } from "./content-fields.ts";
import {
  CODEC,
  CODED,
  type FieldRow,
  INTERNAL,
  inAll,
  inOpenAi,
  LOSS,
  MEMBER,
  NO_EFFECT,
  OWN,
  type Rows,
  SAME,
  unredacted,
} from "./field-row.ts";

/** In the order of the page of a request, which shows what has a label. */
const request: Rows<InferenceInput> = {
  // An answer of the sandbox is the same whatever name it is asked for by.
  model: unredacted({ ...MEMBER, sandbox: OWN }),
  system: { chat: CODEC, responses: "instructions", messages: SAME, sandbox: CODEC },
  messages: { chat: SAME, responses: "input", messages: SAME, sandbox: CODEC },
  tools: MEMBER,
  maxOutputTokens: {
    chat: "max_completion_tokens",
    responses: SAME,
    messages: "max_tokens",
    sandbox: CODEC,
    label: "Maximum output tokens",
    isOfAnswer: true,
  },
  temperature: {
    ...inOpenAi({ min: 0, max: 2 }, { min: 0, max: 1 }),
    sandbox: NO_EFFECT,
    label: "Temperature",
    description: "Randomness of the answer",
    isOfAnswer: true,
  },
  topP: {
    ...inAll({ min: 0, max: 1 }),
    sandbox: NO_EFFECT,
    label: "Top p",
    description: "Share of the most likely tokens to sample from",
    isOfAnswer: true,
  },
  topK: {
    ...inOpenAi(LOSS, { min: 0 }),
    sandbox: NO_EFFECT,
    label: "Top k",
    description: "Number of most likely tokens to sample from",
    isOfAnswer: true,
  },
  stopSequences: { chat: "stop", responses: LOSS, messages: SAME, sandbox: CODEC, label: "Stops at", isOfAnswer: true },
  reasoning: { chat: CODEC, responses: SAME, messages: "thinking", sandbox: CODEC, label: "Reasoning" },
  outputFormat: {
    chat: "response_format",
    responses: "text.format",
    messages: "output_config.format",
    sandbox: CODEC,
    label: "Format of the answer",
  },
  toolChoice: { ...MEMBER, label: "Tools to call" },
  logprobs: {
    chat: {},
    responses: CODEC,
    messages: CODEC,
    sandbox: CODEC,
    label: "Probabilities of tokens",
    description: "Whether the answer has the probabilities of its tokens",
    isOfAnswer: true,
  },
  topLogprobs: {
    ...inOpenAi({ min: 0, max: 20 }, CODEC),
    sandbox: CODEC,
    label: "Most likely tokens",
    description: "Most likely tokens to return at each position",
    isOfAnswer: true,
  },
  parallelToolCalls: {
    ...inOpenAi(SAME, "tool_choice.disable_parallel_tool_use"),
    sandbox: CODEC,
    label: "Calls in one turn",
  },
  verbosity: unredacted({
    chat: SAME,
    responses: "text.verbosity",
    messages: LOSS,
    sandbox: LOSS,
    label: "Length",
    isOfAnswer: true,
  }),
  promptCacheKey: { ...inOpenAi(SAME, LOSS), sandbox: NO_EFFECT, label: "Prompt cache key", isOfAnswer: true },
  automaticCacheMark: { ...inOpenAi(CODEC, "cache_control"), sandbox: CODEC, label: "Cache mark" },
  endUserId: {
    ...inOpenAi("safety_identifier", "metadata.user_id"),
    sandbox: NO_EFFECT,
    label: "End user",
    isOfAnswer: true,
  },
  metadata: { ...inOpenAi(SAME, LOSS), sandbox: NO_EFFECT, label: "Metadata", isOfAnswer: true },
  betas: unredacted({ ...inOpenAi(LOSS, CODEC), sandbox: NO_EFFECT, header: "anthropic-beta", label: "Beta features" }),
  candidates: { ...INTERNAL, label: "Answers to choose from" },
  // Each is a call of its own.
  n: { ...INTERNAL, label: "Answers" },
  store: { chat: OWN, responses: SAME, messages: OWN, sandbox: OWN, label: "Stored", isOfAnswer: true },
  strict: { ...INTERNAL, label: "Losses in translation" },
  // A codec knows which members of another format mean the same in its own.
  extension: CODED,
  workload: unredacted(INTERNAL),
  // They are columns of the record, which the page of a request shows on its own.
  facts: INTERNAL,
  maxCostNanos: INTERNAL,
  noTexts: INTERNAL,
  previousId: unredacted({
    chat: OWN,
    responses: "previous_response_id",
    messages: "thread.previous_message_id",
    sandbox: OWN,
  }),
  conversationId: unredacted({ chat: OWN, responses: "conversation", messages: OWN, sandbox: OWN }),
  plain: INTERNAL,
  thread: INTERNAL,
  compact: INTERNAL,
  embedding: INTERNAL,
};

const callFacts: Rows<CallFacts> = {
  sessionId: INTERNAL,
  parentSessionId: INTERNAL,
  endUserId: INTERNAL,
  tags: INTERNAL,
  sessionSource: INTERNAL,
};

/**
 * The fields of a request: one row a field, by the name of its message. It says what becomes of the field in each
 * format that upstreams speak; what is lost of a request, and how callers are told, comes from here.
 */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, FieldRow>>>> = {
  InferenceInput: request,
  CallFacts: callFacts,
  EmbeddingOptions: { tokenInputs: INTERNAL, dimensions: INTERNAL, encoding: INTERNAL },
  TokenInput: { tokens: INTERNAL },
  ...CONTENT_FIELDS,
};
