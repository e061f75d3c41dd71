/** An answer of a format that says all that the hub knows, whole and streamed. */
export interface Answer {
  readonly whole: unknown;
  readonly events: readonly { readonly event?: string; readonly data: unknown }[];
  /** Places that say nothing of an answer. */
  readonly silent: readonly RegExp[];
}

/** The frames of events, and members beside what an event brings: numbers of its order, and padding. */
const FRAMES = [/^events\[(?:\+|\d+)\](?:\.novel)?$/, /^events\[\d+\]\.data\.novel$/];

const CHAT_CALL = { id: "c1", type: "function", function: { name: "get", arguments: "{}" } };
const CHAT_USAGE = {
  prompt_tokens: 9,
  completion_tokens: 5,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 3 },
  completion_tokens_details: { reasoning_tokens: 2 },
};
const TOKENS = {
  content: [{ token: "Hi", logprob: -1, bytes: [72, 105], top_logprobs: [{ token: "Hi", logprob: -1, bytes: null }] }],
};
const CITATION = {
  type: "url_citation",
  url_citation: { start_index: 0, end_index: 2, url: "https://a.example", title: "A" },
};
const DETAILS = [
  { type: "reasoning.text", text: "Hm", signature: "s" },
  { type: "reasoning.encrypted", data: "e" },
];

const chatChunk = (delta: object, more: object = {}) => ({
  data: { id: "a", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, ...more }] },
});

const chat: Answer = {
  whole: {
    id: "a",
    object: "chat.completion",
    created: 1,
    model: "m",
    usage: CHAT_USAGE,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          reasoning_details: DETAILS,
          content: "Hi",
          refusal: null,
          annotations: [CITATION],
          tool_calls: [CHAT_CALL],
        },
        logprobs: TOKENS,
        finish_reason: "tool_calls",
      },
    ],
  },
  events: [
    chatChunk({ role: "assistant", reasoning_details: DETAILS }),
    chatChunk({ content: "Hi" }, { logprobs: TOKENS }),
    chatChunk({ annotations: [CITATION] }),
    chatChunk({ tool_calls: [{ index: 0, ...CHAT_CALL }] }),
    chatChunk({}, { finish_reason: "tool_calls" }),
    { data: { id: "a", object: "chat.completion.chunk", created: 1, model: "m", choices: [], usage: CHAT_USAGE } },
  ],
  silent: [/^events\[(?:\+|\d+)\](?:\.novel)?$/],
};

const RESPONSES_USAGE = {
  input_tokens: 9,
  output_tokens: 5,
  total_tokens: 14,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens_details: { reasoning_tokens: 2 },
};
const REASONING = {
  id: "rs_1",
  type: "reasoning",
  encrypted_content: "e",
  summary: [{ type: "summary_text", text: "Hm" }],
  content: [{ type: "reasoning_text", text: "Hmm" }],
};
const PART = {
  type: "output_text",
  text: "Hi",
  annotations: [{ type: "url_citation", start_index: 0, end_index: 2, url: "https://a.example", title: "A" }],
  logprobs: [{ token: "Hi", logprob: -1, bytes: [72, 105], top_logprobs: [] }],
};
const MESSAGE = { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [PART] };
const CALL = { id: "fc_1", type: "function_call", call_id: "c1", name: "get", arguments: "{}", status: "completed" };
const RESPONSE = {
  id: "r",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "m",
  usage: RESPONSES_USAGE,
};

const responsesEvent = (type: string, data: object) => ({ event: type, data: { ...data, type } });

const responses: Answer = {
  whole: { ...RESPONSE, output: [REASONING, MESSAGE, CALL] },
  events: [
    responsesEvent("response.created", { response: { ...RESPONSE, status: "in_progress", usage: null, output: [] } }),
    responsesEvent("response.output_item.added", {
      output_index: 0,
      item: { id: "rs_1", type: "reasoning", summary: [] },
    }),
    responsesEvent("response.reasoning_summary_part.added", {
      item_id: "rs_1",
      output_index: 0,
      summary_index: 0,
      part: { type: "summary_text", text: "" },
    }),
    responsesEvent("response.reasoning_summary_text.delta", {
      item_id: "rs_1",
      output_index: 0,
      summary_index: 0,
      delta: "Hm",
    }),
    responsesEvent("response.output_item.done", { output_index: 0, item: REASONING }),
    responsesEvent("response.output_item.added", { output_index: 1, item: { ...MESSAGE, content: [] } }),
    responsesEvent("response.content_part.added", {
      item_id: "msg_1",
      output_index: 1,
      content_index: 0,
      part: { type: "output_text", text: "", annotations: [] },
    }),
    responsesEvent("response.output_text.delta", { item_id: "msg_1", output_index: 1, content_index: 0, delta: "Hi" }),
    responsesEvent("response.content_part.done", { item_id: "msg_1", output_index: 1, content_index: 0, part: PART }),
    responsesEvent("response.output_item.done", { output_index: 1, item: MESSAGE }),
    responsesEvent("response.output_item.added", { output_index: 2, item: { ...CALL, arguments: "" } }),
    responsesEvent("response.function_call_arguments.delta", { item_id: "fc_1", output_index: 2, delta: "{}" }),
    responsesEvent("response.output_item.done", { output_index: 2, item: CALL }),
    responsesEvent("response.completed", { response: { ...RESPONSE, output: [REASONING, MESSAGE, CALL] } }),
  ],
  silent: [
    ...FRAMES,
    // What comes again whole, with the end of its item or of the answer.
    /^events\[0\]\.data\.response\.novel$/,
    /^events\[\d+\]\.data\.type$/,
    /^events\[[26]\]\.data\.part\./,
    // What was said before.
    /^events\[9\]\.data\.item\.content/,
    /^events\[13\]\.data\.response\.output/,
    // An item stays what it began as.
    /^events\[(?:4|9|12)\]\.data\.item\.type$/,
  ],
};

const MESSAGES_USAGE = {
  input_tokens: 9,
  output_tokens: 5,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 3,
  cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 3 },
  output_tokens_details: { thinking_tokens: 2 },
};
const CHARACTERS = {
  type: "char_location",
  cited_text: "a",
  document_index: 0,
  start_char_index: 0,
  end_char_index: 1,
};

const messagesEvent = (type: string, data: object) => ({ event: type, data: { ...data, type } });

const messages: Answer = {
  whole: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    stop_reason: "tool_use",
    usage: MESSAGES_USAGE,
    content: [
      { type: "thinking", thinking: "Hm", signature: "s" },
      { type: "text", text: "Hi", citations: [CHARACTERS] },
      { type: "tool_use", id: "c1", name: "get", input: {} },
    ],
  },
  events: [
    messagesEvent("message_start", {
      message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: MESSAGES_USAGE },
    }),
    messagesEvent("content_block_start", {
      index: 0,
      content_block: { type: "thinking", thinking: "", signature: "" },
    }),
    messagesEvent("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "Hm" } }),
    messagesEvent("content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "s" } }),
    messagesEvent("content_block_stop", { index: 0 }),
    messagesEvent("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
    messagesEvent("content_block_delta", { index: 1, delta: { type: "text_delta", text: "Hi" } }),
    messagesEvent("content_block_delta", { index: 1, delta: { type: "citations_delta", citation: CHARACTERS } }),
    messagesEvent("content_block_stop", { index: 1 }),
    messagesEvent("content_block_start", {
      index: 2,
      content_block: { type: "tool_use", id: "c1", name: "get", input: {} },
    }),
    messagesEvent("content_block_delta", { index: 2, delta: { type: "input_json_delta", partial_json: "{}" } }),
    messagesEvent("content_block_stop", { index: 2 }),
    messagesEvent("message_delta", { delta: { stop_reason: "tool_use", stop_sequence: null }, usage: MESSAGES_USAGE }),
    messagesEvent("message_stop", {}),
  ],
  silent: [
    ...FRAMES,
    // An answer is a message, and the input of a call that comes in pieces is in these.
    /(?:whole|message)\.type$/,
    /content_block\.input\.novel$/,
  ],
};

const CONVERSE_USAGE = {
  inputTokens: 9,
  outputTokens: 5,
  totalTokens: 24,
  cacheReadInputTokens: 3,
  cacheWriteInputTokens: 7,
  cacheDetails: [{ ttl: "5m", inputTokens: 7 }],
};
const PAGES = { title: "A", location: { documentPage: { documentIndex: 0, start: 1, end: 2 } } };

const converse: Answer = {
  whole: {
    output: {
      message: {
        role: "assistant",
        content: [
          { reasoningContent: { reasoningText: { text: "Hm", signature: "s" } } },
          { text: "Hi" },
          { citationsContent: { content: [{ text: "Hi" }], citations: [PAGES] } },
          { toolUse: { toolUseId: "c1", name: "get", input: {} } },
        ],
      },
    },
    stopReason: "tool_use",
    usage: CONVERSE_USAGE,
    metrics: { latencyMs: 9 },
  },
  events: [
    { event: "messageStart", data: { role: "assistant" } },
    { event: "contentBlockDelta", data: { contentBlockIndex: 0, delta: { reasoningContent: { text: "Hm" } } } },
    { event: "contentBlockDelta", data: { contentBlockIndex: 0, delta: { reasoningContent: { signature: "s" } } } },
    { event: "contentBlockStop", data: { contentBlockIndex: 0 } },
    { event: "contentBlockDelta", data: { contentBlockIndex: 1, delta: { text: "Hi" } } },
    { event: "contentBlockDelta", data: { contentBlockIndex: 1, delta: { citation: PAGES } } },
    { event: "contentBlockStop", data: { contentBlockIndex: 1 } },
    {
      event: "contentBlockStart",
      data: { contentBlockIndex: 2, start: { toolUse: { toolUseId: "c1", name: "get" } } },
    },
    { event: "contentBlockDelta", data: { contentBlockIndex: 2, delta: { toolUse: { input: "{}" } } } },
    { event: "contentBlockStop", data: { contentBlockIndex: 2 } },
    { event: "messageStop", data: { stopReason: "tool_use" } },
    { event: "metadata", data: { usage: CONVERSE_USAGE, metrics: { latencyMs: 9 } } },
  ],
  silent: FRAMES,
};

/** Answers by their formats. */
export const ANSWERS = { chat, responses, messages, converse };
