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
  OWN,
  type Rows,
  SAME,
  unredacted,
} from "./field-row.ts";

/** In the order of the page of a request, which shows what has a label. */
const request: Rows<InferenceInput> = {
  model: unredacted(MEMBER),
  system: { chat: CODEC, responses: "instructions", messages: SAME },
  messages: { chat: SAME, responses: "input", messages: SAME },
  tools: MEMBER,
  maxOutputTokens: {
    ...{ chat: "max_completion_tokens", responses: SAME, messages: "max_tokens" },
    ...{ label: "Most tokens of the answer", isOfAnswer: true },
  },
  temperature: {
    ...inOpenAi({ min: 0, max: 2 }, { min: 0, max: 1 }),
    ...{ label: "Temperature", description: "Randomness of the answer", isOfAnswer: true },
  },
  topP: {
    ...inAll({ min: 0, max: 1 }),
    ...{ label: "Top p", description: "Share of the likeliest tokens that are sampled from", isOfAnswer: true },
  },
  topK: {
    ...inOpenAi(LOSS, { min: 0 }),
    ...{ label: "Top k", description: "Number of the likeliest tokens that are sampled from", isOfAnswer: true },
  },
  stopSequences: { chat: "stop", responses: LOSS, messages: SAME, label: "Stops at", isOfAnswer: true },
  reasoning: { chat: CODEC, responses: SAME, messages: "thinking", label: "Reasoning" },
  outputFormat: {
    ...{ chat: "response_format", responses: "text.format", messages: "output_config.format" },
    label: "Form of the answer",
  },
  toolChoice: { ...MEMBER, label: "Tools to call" },
  logprobs: {
    ...{ chat: {}, responses: CODEC, messages: CODEC },
    ...{ label: "Probabilities of tokens", description: "Whether the answer has the probabilities of its tokens" },
    isOfAnswer: true,
  },
  topLogprobs: {
    ...inOpenAi({ min: 0, max: 20 }, CODEC),
    ...{ label: "Likeliest tokens told", description: "Likeliest tokens that are told at each place" },
    isOfAnswer: true,
  },
  parallelToolCalls: { ...inOpenAi(SAME, "tool_choice.disable_parallel_tool_use"), label: "Calls in one turn" },
  verbosity: unredacted({
    ...{ chat: SAME, responses: "text.verbosity", messages: LOSS },
    ...{ label: "Length", isOfAnswer: true },
  }),
  promptCacheKey: { ...inOpenAi(SAME, LOSS), label: "Prompt cache key", isOfAnswer: true },
  automaticCacheMark: { ...inOpenAi(CODEC, "cache_control"), label: "Cache mark" },
  endUserId: { ...inOpenAi("safety_identifier", "metadata.user_id"), label: "End user", isOfAnswer: true },
  metadata: { ...inOpenAi(SAME, LOSS), label: "Metadata", isOfAnswer: true },
  betas: unredacted({ ...inOpenAi(LOSS, CODEC), header: "anthropic-beta", label: "Beta features" }),
  candidates: { ...INTERNAL, label: "Answers to choose from" },
  // Each is a call of its own.
  n: { ...INTERNAL, label: "Answers" },
  store: { chat: OWN, responses: SAME, messages: OWN, label: "Stored", isOfAnswer: true },
  strict: { ...INTERNAL, label: "Losses in translation" },
  // A codec knows which members of another format mean the same in its own.
  extension: CODED,
  workload: unredacted(INTERNAL),
  // They are columns of the record, which the page of a request shows on its own.
  facts: INTERNAL,
  maxCostNanos: INTERNAL,
  noTexts: INTERNAL,
  previousId: unredacted({ chat: OWN, responses: "previous_response_id", messages: "thread.previous_message_id" }),
  conversationId: unredacted({ chat: OWN, responses: "conversation", messages: OWN }),
  plain: INTERNAL,
  ...{ thread: INTERNAL, compact: INTERNAL, embedding: INTERNAL },
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
