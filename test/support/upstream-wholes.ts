/**
 * The answers of upstream-frames.ts as upstreams give them that are asked for a whole one, in the words of their
 * documentation.
 */
import {
  CALLS,
  CUT_TEXT,
  JSON_TEXT,
  REFUSAL,
  type Scenario,
  SIGNATURE,
  TEXT,
  THOUGHT,
  type UpstreamKind,
} from "./upstream-frames.ts";

type Wholes = Record<Scenario, string>;

const [OSLO, ROME] = CALLS;

// Chat Completions.

function completion(message: object, finish = "stop"): string {
  return JSON.stringify({
    id: "chatcmpl-up",
    object: "chat.completion",
    created: 1,
    model: "real-model",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, refusal: null, ...message },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: {
      prompt_tokens: 120,
      completion_tokens: 15,
      total_tokens: 135,
      prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  });
}

const toolCall = ({ id, ...called }: WholeSaying["calls"][number]): object => ({
  id,
  type: "function",
  function: called,
});

const CHAT: Wholes = {
  text: completion({ content: TEXT }),
  json: completion({ content: JSON_TEXT }),
  length: completion({ content: CUT_TEXT }, "length"),
  refusal: completion({ refusal: REFUSAL }),
  calls: completion({ tool_calls: CALLS.map(toolCall) }, "tool_calls"),
  thinking: completion({
    content: TEXT,
    reasoning_content: THOUGHT,
    reasoning_details: [{ type: "reasoning.text", text: THOUGHT, signature: SIGNATURE }],
  }),
};

// Responses.

function resource(output: readonly object[], end: object = { status: "completed", incomplete_details: null }): string {
  return JSON.stringify({
    id: "resp_up",
    object: "response",
    created_at: 1,
    error: null,
    model: "real-model",
    output,
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 90, cache_write_tokens: 10 },
      output_tokens: 15,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 135,
    },
    ...end,
  });
}

const item = (part: object, status = "completed"): object => ({
  id: "msg_up",
  type: "message",
  role: "assistant",
  status,
  content: [part],
});
const said = (text: string): object => ({ type: "output_text", text, annotations: [], logprobs: [] });
const functionCall = (id: string, { id: call_id, ...called }: WholeSaying["calls"][number]): object => ({
  id,
  type: "function_call",
  status: "completed",
  call_id,
  ...called,
});

const RESPONSES: Wholes = {
  text: resource([item(said(TEXT))]),
  json: resource([item(said(JSON_TEXT))]),
  length: resource([item(said(CUT_TEXT), "incomplete")], {
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
  }),
  refusal: resource([item({ type: "refusal", refusal: REFUSAL })]),
  calls: resource([functionCall("fc_1", OSLO), functionCall("fc_2", ROME)]),
  thinking: resource([
    {
      id: "rs_up",
      type: "reasoning",
      summary: [{ type: "summary_text", text: THOUGHT }],
      encrypted_content: SIGNATURE,
    },
    item(said(TEXT)),
  ]),
};

// Messages.

function message(content: readonly object[], reason = "end_turn", details: object | null = null): string {
  return JSON.stringify({
    id: "msg_up",
    type: "message",
    role: "assistant",
    model: "real-model",
    content,
    stop_reason: reason,
    stop_sequence: null,
    stop_details: details,
    usage: {
      input_tokens: 20,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 90,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
      output_tokens: 15,
      output_tokens_details: { thinking_tokens: 4 },
    },
  });
}

const text = (words: string): object => ({ type: "text", text: words });
const toolUse = ({ id, name, arguments: input }: (typeof CALLS)[number]): object => ({
  type: "tool_use",
  id,
  name,
  input: JSON.parse(input),
});

const MESSAGES: Wholes = {
  text: message([text(TEXT)]),
  json: message([text(JSON_TEXT)]),
  length: message([text(CUT_TEXT)], "max_tokens"),
  refusal: message([text(REFUSAL)], "refusal", { type: "refusal", category: null, explanation: "policy" }),
  calls: message(CALLS.map(toolUse), "tool_use"),
  thinking: message([{ type: "thinking", thinking: THOUGHT, signature: SIGNATURE }, text(TEXT)]),
};

/** What an upstream says: a text, and calls of functions. */
export interface WholeSaying {
  readonly text: string | undefined;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Writes the body of a whole answer. Messages has arguments as an object: they stand in its body as they are. */
export function wholeSaying(kind: UpstreamKind, { text: words, calls }: WholeSaying): string {
  switch (kind) {
    case "chat": {
      const called = calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) };
      return completion({ content: words ?? null, ...called }, calls.length === 0 ? "stop" : "tool_calls");
    }
    case "responses": {
      const spoken = words === undefined ? [] : [item(said(words))];
      return resource([...spoken, ...calls.map((call, index) => functionCall(`fc_${index}`, call))]);
    }
    case "messages": {
      const spoken = words === undefined ? [] : [text(words)];
      const used = calls.map(({ id, name }, index) => ({ type: "tool_use", id, name, input: `<input ${index}>` }));
      const body = message([...spoken, ...used], calls.length === 0 ? "end_turn" : "tool_use");
      return calls.reduce((written, call, index) => written.replace(`"<input ${index}>"`, () => call.arguments), body);
    }
  }
}

/** The body of each whole answer, by the upstream's format. */
export const WHOLES: Record<UpstreamKind, Wholes> = { chat: CHAT, responses: RESPONSES, messages: MESSAGES };
