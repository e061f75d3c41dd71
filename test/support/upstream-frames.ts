/**
 * Answers of the three kinds of upstream, as their documentation has them, one SSE frame after another. The same answer
 * is written in each format, so that a test can ask for the same thing whoever serves it.
 */

/** Formats that upstreams speak. */
export const UPSTREAM_KINDS = ["chat", "responses", "messages"] as const;
export type UpstreamKind = (typeof UPSTREAM_KINDS)[number];

/** What an upstream may answer. */
export const SCENARIOS = ["text", "calls", "thinking", "refusal", "length", "json"] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** The words of the scenarios. */
export const TEXT = 'Grüße 🌍 — "ok"\n';
export const CUT_TEXT = "Once upon a";
export const REFUSAL = "I will not help with that.";
export const JSON_TEXT = '{"city":"Oslo","degrees":4}';
export const THOUGHT = "Let me think.";
/** Opaque state as providers make it; nobody but its maker can read it. */
export const SIGNATURE = "EqQBCgIYAhIkMTIz+/abc==";
export const CALLS = [
  { id: "call_oslo", name: "get_weather", arguments: '{"city":"Oslo"}' },
  { id: "call_rome", name: "get_weather", arguments: '{"city":"Rome"}' },
] as const;
const [OSLO, ROME] = CALLS;

/** Tokens of every answer: 120 of the prompt, of which 90 were read from a cache and 10 written to it. */
export const TOKENS = { uncached: 20, read: 90, written: 10, prompt: 120, output: 15, reasoning: 4 } as const;

/** Identifier that every upstream gives to its request. */
export const UPSTREAM_REQUEST_ID = "req_upstream_1";

/** Headers of an upstream's answers. */
export const UPSTREAM_HEADERS = { "x-request-id": UPSTREAM_REQUEST_ID, "request-id": UPSTREAM_REQUEST_ID };

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

// Chat Completions.

const chunkHead = { id: "chatcmpl-up", object: "chat.completion.chunk", created: 1, model: "real-model" };

function chunk(delta: object, finish: string | null = null): string {
  return data({ ...chunkHead, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], usage: null });
}

/** A Chat answer of these deltas. */
export function chatFrames(deltas: readonly object[], finish: string): string[] {
  const usage = {
    prompt_tokens: 120,
    completion_tokens: 15,
    total_tokens: 135,
    prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 4 },
  };
  return [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finish),
    data({ ...chunkHead, choices: [], usage }),
    "data: [DONE]\n\n",
  ];
}

/** The delta that begins a call. */
export const callChunk = (index: number, { id, name }: { id: string; name: string }): object => ({
  tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
});
/** A delta of a call's arguments. */
export const argumentsChunk = (index: number, text: string): object => ({
  tool_calls: [{ index, function: { arguments: text } }],
});

const CHAT: Record<Scenario, readonly string[]> = {
  text: chatFrames([{ content: "Grüße 🌍" }, { content: ' — "ok"\n' }], "stop"),
  json: chatFrames([{ content: '{"city":"Os' }, { content: 'lo","degrees":4}' }], "stop"),
  length: chatFrames([{ content: "Once upon a" }], "length"),
  refusal: chatFrames([{ refusal: "I will not " }, { refusal: "help with that." }], "stop"),
  calls: chatFrames(
    [
      callChunk(0, OSLO),
      argumentsChunk(0, '{"city"'),
      argumentsChunk(0, ':"Oslo"}'),
      callChunk(1, ROME),
      argumentsChunk(1, '{"city":"Rome"}'),
    ],
    "tool_calls",
  ),
  // The de-facto way of servers that pass reasoning on.
  thinking: chatFrames(
    [
      { reasoning_content: "Let me " },
      { reasoning_content: "think." },
      { reasoning_details: [{ type: "reasoning.text", text: "", signature: SIGNATURE }] },
      { content: "Grüße 🌍" },
      { content: ' — "ok"\n' },
    ],
    "stop",
  ),
};

// Responses.

/** An item of an answer: what stands between its announcement and its end, and what it has become. */
export interface Item {
  readonly added: object;
  readonly events: readonly (readonly [type: string, members: object])[];
  readonly done: object;
}

/** A Responses answer of these items. */
export function responsesFrames(
  items: readonly Item[],
  end: { status: string; incomplete_details?: object } = { status: "completed" },
): string[] {
  const usage = {
    input_tokens: 120,
    input_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
    output_tokens: 15,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 135,
  };
  const response = { id: "resp_up", object: "response", created_at: 1, model: "real-model", output: [], usage: null };
  const begun = { response: { ...response, status: "in_progress" } };
  const ended = { ...response, ...end, output: items.map(({ done }) => done), usage };
  const events: (readonly [string, object])[] = [
    ["response.created", begun],
    ["response.in_progress", begun],
    ...items.flatMap(({ added, events: between, done }, index): (readonly [string, object])[] => [
      ["response.output_item.added", { output_index: index, item: added }],
      ...between.map(([type, members]) => [type, { output_index: index, ...members }] as const),
      ["response.output_item.done", { output_index: index, item: done }],
    ]),
    [`response.${ended.status}`, { response: ended }],
  ];
  return events.map(([type, members], sequence) => event(type, { sequence_number: sequence, ...members }));
}

/** A message of an answer, its text in pieces. */
export function messageItem(id: string, words: readonly string[], status = "completed"): Item {
  const item = { id, type: "message", role: "assistant" };
  const at = { item_id: id, content_index: 0 };
  const text = words.join("");
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  return {
    added: { ...item, status: "in_progress", content: [] },
    events: [
      ["response.content_part.added", { ...at, part: { ...part, text: "" } }],
      ...words.map((delta) => ["response.output_text.delta", { ...at, delta, logprobs: [] }] as const),
      ["response.output_text.done", { ...at, text, logprobs: [] }],
      ["response.content_part.done", { ...at, part }],
    ],
    done: { ...item, status, content: [part] },
  };
}

const refusalAt = { item_id: "msg_up", content_index: 0 };
const REFUSAL_ITEM: Item = {
  added: { id: "msg_up", type: "message", role: "assistant", status: "in_progress", content: [] },
  events: [
    ["response.content_part.added", { ...refusalAt, part: { type: "refusal", refusal: "" } }],
    ["response.refusal.delta", { ...refusalAt, delta: "I will not " }],
    ["response.refusal.delta", { ...refusalAt, delta: "help with that." }],
    ["response.refusal.done", { ...refusalAt, refusal: REFUSAL }],
    ["response.content_part.done", { ...refusalAt, part: { type: "refusal", refusal: REFUSAL } }],
  ],
  done: {
    id: "msg_up",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "refusal", refusal: REFUSAL }],
  },
};

/** A call of an answer, its arguments in pieces. */
export function callItem(
  id: string,
  call: { id: string; name: string; arguments: string },
  pieces: readonly string[],
): Item {
  const item = { id, type: "function_call", call_id: call.id, name: call.name };
  return {
    added: { ...item, arguments: "", status: "in_progress" },
    events: [
      ...pieces.map((delta) => ["response.function_call_arguments.delta", { item_id: id, delta }] as const),
      ["response.function_call_arguments.done", { item_id: id, name: call.name, arguments: call.arguments }],
    ],
    done: { ...item, arguments: call.arguments, status: "completed" },
  };
}

const summaryAt = { item_id: "rs_up", summary_index: 0 };
export const REASONING_ITEM: Item = {
  added: { id: "rs_up", type: "reasoning", summary: [] },
  events: [
    ["response.reasoning_summary_part.added", { ...summaryAt, part: { type: "summary_text", text: "" } }],
    ["response.reasoning_summary_text.delta", { ...summaryAt, delta: "Let me " }],
    ["response.reasoning_summary_text.delta", { ...summaryAt, delta: "think." }],
    ["response.reasoning_summary_text.done", { ...summaryAt, text: THOUGHT }],
    ["response.reasoning_summary_part.done", { ...summaryAt, part: { type: "summary_text", text: THOUGHT } }],
  ],
  done: {
    id: "rs_up",
    type: "reasoning",
    summary: [{ type: "summary_text", text: THOUGHT }],
    encrypted_content: SIGNATURE,
  },
};

const RESPONSES: Record<Scenario, readonly string[]> = {
  text: responsesFrames([messageItem("msg_up", ["Grüße 🌍", ' — "ok"\n'])]),
  json: responsesFrames([messageItem("msg_up", ['{"city":"Os', 'lo","degrees":4}'])]),
  length: responsesFrames([messageItem("msg_up", ["Once upon a"], "incomplete")], {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  }),
  refusal: responsesFrames([REFUSAL_ITEM]),
  calls: responsesFrames([
    callItem("fc_1", OSLO, ['{"city"', ':"Oslo"}']),
    callItem("fc_2", ROME, ['{"city":"Rome"}']),
  ]),
  thinking: responsesFrames([REASONING_ITEM, messageItem("msg_up", ["Grüße 🌍", ' — "ok"\n'])]),
};

// Messages.

/** A block of an answer: its start, and its deltas. */
export type Block = readonly [start: object, ...deltas: object[]];

/** A Messages answer of these blocks. */
export function messagesFrames(blocks: readonly Block[], stopReason: string, details: object | null = null): string[] {
  const counts = {
    input_tokens: 20,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 90,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
  };
  const message = { id: "msg_up", type: "message", role: "assistant", model: "real-model", content: [] };
  const usage = { ...counts, output_tokens: 15, output_tokens_details: { thinking_tokens: 4 } };
  return [
    event("message_start", {
      message: { ...message, stop_reason: null, stop_sequence: null, usage: { ...counts, output_tokens: 1 } },
    }),
    event("ping", {}),
    ...blocks.flatMap(([start, ...deltas], index) => [
      event("content_block_start", { index, content_block: start }),
      ...deltas.map((delta) => event("content_block_delta", { index, delta })),
      event("content_block_stop", { index }),
    ]),
    event("message_delta", {
      delta: { stop_reason: stopReason, stop_sequence: null, stop_details: details },
      usage,
    }),
    event("message_stop", {}),
  ];
}

/** A text of an answer, in pieces. */
export const textBlock = (...words: string[]): Block => [
  { type: "text", text: "" },
  ...words.map((text) => ({ type: "text_delta", text })),
];
/** A call of an answer, its arguments in pieces. */
export const callBlock = ({ id, name }: { id: string; name: string }, ...pieces: string[]): Block => [
  { type: "tool_use", id, name, input: {} },
  ...["", ...pieces].map((partial_json) => ({ type: "input_json_delta", partial_json })),
];

const MESSAGES: Record<Scenario, readonly string[]> = {
  text: messagesFrames([textBlock("Grüße 🌍", ' — "ok"\n')], "end_turn"),
  json: messagesFrames([textBlock('{"city":"Os', 'lo","degrees":4}')], "end_turn"),
  length: messagesFrames([textBlock("Once upon a")], "max_tokens"),
  refusal: messagesFrames([textBlock("I will not ", "help with that.")], "refusal", {
    type: "refusal",
    category: null,
    explanation: "policy",
  }),
  calls: messagesFrames([callBlock(OSLO, '{"city"', ':"Oslo"}'), callBlock(ROME, '{"city":"Rome"}')], "tool_use"),
  thinking: messagesFrames(
    [
      [
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "Let me " },
        { type: "thinking_delta", thinking: "think." },
        { type: "signature_delta", signature: SIGNATURE },
      ],
      textBlock("Grüße 🌍", ' — "ok"\n'),
    ],
    "end_turn",
  ),
};

/** Frames of each answer, by the upstream's format. */
export const FRAMES: Record<UpstreamKind, Record<Scenario, readonly string[]>> = {
  chat: CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
};
