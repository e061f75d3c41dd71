import type { UpstreamKind } from "../../support/upstream-frames.ts";

/** A part of an upstream's answer that may come any number of times. */
export interface RepeatedPart {
  readonly kind: UpstreamKind;
  readonly name: string;
  /** Writes an answer with the part this many times. */
  readonly write: (count: number) => string;
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (type: string, members: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;

function times<T>(count: number, make: (position: number) => T): T[] {
  return Array.from({ length: count }, (_none, position) => make(position));
}

const joined = (count: number, make: (position: number) => string): string => times(count, make).join("");

/** Long enough that copying all that came before with each piece would show. */
const WORD = "word ".repeat(40);

// Chat Completions.

const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const choiceChunk = (choice: object): string =>
  data({ ...head, choices: [{ index: 0, delta: {}, finish_reason: null, ...choice }] });
const delta = (members: object): string => choiceChunk({ delta: members });
const chatAnswer = (body: string, before = ""): string =>
  `${before}${delta({ role: "assistant", content: "" })}${body}${choiceChunk({ finish_reason: "stop" })}data: [DONE]\n\n`;
const call = (members: object, name = "f", text = "{}"): object => ({
  type: "function",
  function: { name, arguments: text },
  ...members,
});
const argumentsOf = (text: string, index = 0): string =>
  delta({ tool_calls: [{ index, function: { arguments: text } }] });
const token = { token: "a", logprob: -0.5, bytes: [97], top_logprobs: [] };

type Writers = Readonly<Record<string, (count: number) => string>>;

const CHAT: Writers = {
  texts: (n) => chatAnswer(joined(n, () => delta({ content: WORD }))),
  "empty texts": (n) => chatAnswer(joined(n, () => delta({ content: "" }))),
  "texts and refusals by turns": (n) => chatAnswer(joined(n, () => delta({ content: "a" }) + delta({ refusal: "b" }))),
  reasoning: (n) => chatAnswer(joined(n, () => delta({ reasoning_content: WORD }))),
  "reasoning and text by turns": (n) =>
    chatAnswer(joined(n, () => delta({ reasoning_content: "a" }) + delta({ content: "b" }))),
  signatures: (n) =>
    chatAnswer(joined(n, () => delta({ reasoning_details: [{ type: "reasoning.text", text: "a", signature: "s" }] }))),
  "encrypted reasoning": (n) =>
    chatAnswer(delta({ reasoning_details: times(n, () => ({ type: "reasoning.encrypted", data: "d", id: "i" })) })),
  "summaries in one chunk": (n) =>
    chatAnswer(delta({ reasoning_details: times(n, () => ({ type: "reasoning.summary", summary: "s" })) })),
  "unknown reasoning in one chunk": (n) =>
    chatAnswer(delta({ reasoning_details: times(n, () => ({ type: "reasoning.new", data: "s" })) })),
  "unknown reasoning in chunks": (n) =>
    chatAnswer(joined(n, () => delta({ reasoning_details: [{ type: "reasoning.new", data: "s" }] }))),
  "calls in one chunk": (n) => chatAnswer(delta({ tool_calls: times(n, (index) => call({ index, id: `c${index}` })) })),
  "calls without arguments in one chunk": (n) =>
    chatAnswer(delta({ tool_calls: times(n, (index) => call({ index, id: `c${index}` }, "f", "")) })),
  "calls without numbers": (n) => chatAnswer(joined(n, (index) => delta({ tool_calls: [call({ id: `c${index}` })] }))),
  "calls without ids": (n) => chatAnswer(joined(n, (index) => delta({ tool_calls: [call({ index })] }))),
  "calls with neither": (n) => chatAnswer(joined(n, () => delta({ tool_calls: [call({})] }))),
  "calls that are all number 0": (n) =>
    chatAnswer(joined(n, (index) => delta({ tool_calls: [call({ index: 0, id: `c${index}` })] }))),
  "custom calls": (n) =>
    chatAnswer(
      joined(n, (index) =>
        delta({ tool_calls: [{ index, id: `c${index}`, type: "custom", custom: { name: "f", input: "x" } }] }),
      ),
    ),
  "arguments of one call": (n) =>
    chatAnswer(
      delta({ tool_calls: [call({ index: 0, id: "c" }, "f", '{"a":"')] }) +
        joined(n, () => argumentsOf(WORD)) +
        argumentsOf('"}'),
    ),
  "braces in a call with another behind it": (n) =>
    chatAnswer(
      delta({ tool_calls: [call({ index: 0, id: "c" }, "f", '{"a":['), call({ index: 1, id: "d" })] }) +
        joined(n, () => argumentsOf("{}") + argumentsOf(",")) +
        argumentsOf("{}]}"),
    ),
  "arguments of waiting calls by turns": (n) =>
    chatAnswer(
      delta({ tool_calls: times(10, (index) => call({ index, id: `c${index}` }, "f", '{"a":"')) }) +
        joined(n, (position) => argumentsOf(WORD, position % 10)) +
        joined(10, (index) => argumentsOf('"}', index)),
    ),
  "texts while a call is open": (n) =>
    chatAnswer(
      delta({ tool_calls: [call({ index: 0, id: "c" }, "f", '{"a":{}')] }) +
        joined(n, () => delta({ content: WORD })) +
        argumentsOf("}"),
    ),
  "members of one call": (n) =>
    chatAnswer(
      delta({ tool_calls: [call({ index: 0, id: "c" }, "f", "{")] }) +
        joined(n, (position) => delta({ tool_calls: [{ index: 0, [`m${position}`]: 1 }] })) +
        argumentsOf("}"),
    ),
  "log probabilities": (n) =>
    chatAnswer(joined(n, () => choiceChunk({ delta: { content: "a" }, logprobs: { content: [token] } }))),
  "log probabilities in one chunk": (n) =>
    chatAnswer(choiceChunk({ delta: { content: "a" }, logprobs: { content: times(n, () => token) } })),
  "log probabilities without texts": (n) =>
    chatAnswer(joined(n, () => choiceChunk({ logprobs: { content: [token] } }))),
  "unknown lists of the chunk": (n) => chatAnswer(joined(n, () => data({ ...head, choices: [], citations: ["c"] }))),
  "unknown lists of the choice": (n) => chatAnswer(joined(n, () => choiceChunk({ details: ["c"] }))),
  "unknown lists of the delta": (n) => chatAnswer(joined(n, () => delta({ annotations: [{ a: 1 }] }))),
  "unknown members": (n) => chatAnswer(joined(n, (position) => delta({ [`m${position}`]: position }))),
  "unknown members in one chunk": (n) =>
    chatAnswer(delta(Object.fromEntries(times(n, (position) => [`m${position}`, position])))),
  "choices in one chunk": (n) =>
    chatAnswer(data({ ...head, choices: times(n, () => ({ index: 0, delta: { content: "a" } })) })),
  ends: (n) => chatAnswer(joined(n, () => choiceChunk({ finish_reason: "stop" }))),
  usages: (n) => chatAnswer(joined(n, () => data({ ...head, choices: [], usage: { prompt_tokens: 1, x: [1] } }))),
  comments: (n) => chatAnswer(joined(n, () => ": keep-alive\n\n")),
  "lines of one event": (n) => chatAnswer(`${joined(n, () => "data: \n")}data: {"choices":[]}\n\n`),
};

// Responses.

const added = (index: number, item: object): string =>
  event("response.output_item.added", { output_index: index, item });
const done = (index: number, item: object): string => event("response.output_item.done", { output_index: index, item });
const responsesAnswer = (body: string, output: readonly object[] = []): string =>
  `${event("response.created", { response: { model: "m" } })}${body}${event("response.completed", {
    response: { model: "m", output, usage: { input_tokens: 1, output_tokens: 1 } },
  })}`;
const inItem = (type: string, members: object = {}, index = 0): string =>
  event(`response.${type}`, { output_index: index, item_id: `i${index}`, content_index: 0, ...members });
const message = (index = 0): object => ({ id: `i${index}`, type: "message", role: "assistant", content: [] });
const reasoning = (index = 0): object => ({ id: `i${index}`, type: "reasoning", summary: [] });
const callItem = (index = 0, text = ""): object => ({
  id: `i${index}`,
  type: "function_call",
  call_id: `c${index}`,
  name: "f",
  arguments: text,
});
const search = (index = 0): object => ({ id: `i${index}`, type: "web_search_call", status: "completed" });
const part = (text = ""): object => ({ type: "output_text", text, annotations: [], logprobs: [] });
const annotation = { type: "url_citation", url: "https://a.example", title: "a", start_index: 0, end_index: 1 };
const inMessage = (body: string): string => responsesAnswer(added(0, message()) + body + done(0, message()));
const inReasoning = (body: string): string => responsesAnswer(added(0, reasoning()) + body + done(0, reasoning()));

const RESPONSES: Writers = {
  texts: (n) => inMessage(joined(n, () => inItem("output_text.delta", { delta: WORD }))),
  "texts with ends that say nothing": (n) =>
    inMessage(joined(n, () => inItem("output_text.delta", { delta: "a" }) + inItem("output_text.done", { text: "" }))),
  refusals: (n) => inMessage(joined(n, () => inItem("refusal.delta", { delta: WORD }))),
  "log probabilities": (n) =>
    inMessage(joined(n, () => inItem("output_text.delta", { delta: "a", logprobs: [token] }))),
  annotations: (n) => inMessage(joined(n, () => inItem("output_text.annotation.added", { annotation }))),
  "annotations between texts": (n) =>
    inMessage(
      joined(
        n,
        () => inItem("output_text.delta", { delta: "a" }) + inItem("output_text.annotation.added", { annotation }),
      ),
    ),
  "annotations of one part": (n) =>
    responsesAnswer(
      added(0, message()) +
        done(0, { ...message(), content: [{ ...part("a"), annotations: times(n, () => annotation) }] }),
    ),
  parts: (n) => inMessage(joined(n, () => inItem("content_part.added", { part: part() }))),
  "parts in one event": (n) =>
    responsesAnswer(added(0, message()) + done(0, { ...message(), content: times(n, () => part("a")) })),
  "unknown parts": (n) => inMessage(joined(n, () => inItem("content_part.done", { part: { type: "new", a: [1] } }))),
  "parts with members of their own": (n) =>
    inMessage(joined(n, () => inItem("content_part.done", { part: { ...part("a"), extra: [1] } }))),
  messages: (n) => responsesAnswer(joined(n, (index) => added(index, message(index)) + done(index, message(index)))),
  "messages in the last event": (n) =>
    responsesAnswer(
      "",
      times(n, (index) => ({ ...message(index), content: [part("a")] })),
    ),
  calls: (n) =>
    responsesAnswer(joined(n, (index) => added(index, callItem(index)) + done(index, callItem(index, "{}")))),
  "calls that are never done": (n) =>
    responsesAnswer(
      joined(n, (index) => added(index, callItem(index))),
      times(n, (index) => callItem(index, "{}")),
    ),
  "calls that begin together": (n) =>
    responsesAnswer(
      joined(n, (index) => added(index, callItem(index))) + joined(n, (index) => done(index, callItem(index, "{}"))),
    ),
  "calls that end in the other order": (n) =>
    responsesAnswer(
      joined(n, (index) => added(index, callItem(index))) +
        joined(n, (index) => done(n - 1 - index, callItem(n - 1 - index, "{}"))),
    ),
  "arguments of one call": (n) =>
    responsesAnswer(
      added(0, callItem()) +
        joined(n, () => inItem("function_call_arguments.delta", { delta: WORD })) +
        done(0, callItem()),
    ),
  "arguments with ends that say nothing": (n) =>
    responsesAnswer(
      added(0, callItem()) +
        joined(
          n,
          () =>
            inItem("function_call_arguments.delta", { delta: "a" }) +
            inItem("function_call_arguments.done", { arguments: "" }),
        ) +
        done(0, callItem()),
    ),
  "arguments of waiting calls by turns": (n) =>
    responsesAnswer(
      joined(10, (index) => added(index, callItem(index))) +
        joined(n, (position) => inItem("function_call_arguments.delta", { delta: WORD }, position % 10)) +
        joined(10, (index) => done(index, callItem(index))),
    ),
  "summary texts": (n) =>
    inReasoning(joined(n, () => inItem("reasoning_summary_text.delta", { summary_index: 0, delta: WORD }))),
  "summary parts": (n) =>
    inReasoning(joined(n, (index) => inItem("reasoning_summary_text.delta", { summary_index: index, delta: WORD }))),
  "summary texts with ends that say nothing": (n) =>
    inReasoning(
      joined(
        n,
        () =>
          inItem("reasoning_summary_text.delta", { summary_index: 0, delta: "a" }) +
          inItem("reasoning_summary_text.done", { summary_index: 0, text: "" }),
      ),
    ),
  "reasoning texts": (n) => inReasoning(joined(n, () => inItem("reasoning_text.delta", { delta: WORD }))),
  "reasoning texts with ends that say nothing": (n) =>
    inReasoning(
      joined(n, () => inItem("reasoning_text.delta", { delta: "a" }) + inItem("reasoning_text.done", { text: "" })),
    ),
  "reasoning items": (n) =>
    responsesAnswer(
      joined(
        n,
        (index) => added(index, reasoning(index)) + done(index, { ...reasoning(index), encrypted_content: "e" }),
      ),
    ),
  "unknown items": (n) =>
    responsesAnswer(joined(n, (index) => added(index, search(index)) + done(index, search(index)))),
  "unknown items with progress": (n) =>
    responsesAnswer(
      joined(
        n,
        (index) =>
          added(index, search(index)) + inItem("web_search_call.searching", {}, index) + done(index, search(index)),
      ),
    ),
  "progress of one unknown item": (n) =>
    responsesAnswer(added(0, search()) + joined(n, () => inItem("web_search_call.searching")) + done(0, search())),
  "unknown events": (n) => responsesAnswer(joined(n, () => event("response.new", { a: 1 }))),
  "unknown events of as many types": (n) =>
    responsesAnswer(joined(n, (position) => event(`response.new${position}`, { a: 1 }))),
  starts: (n) => responsesAnswer(joined(n, () => event("response.in_progress", { response: { model: "m" } }))),
  "keep-alives": (n) => responsesAnswer(joined(n, () => event("keepalive", {}))),
};

// Messages.

const messagesAnswer = (body: string): string =>
  `${event("message_start", { message: { model: "m", usage: { input_tokens: 1, output_tokens: 1 } } })}${body}${event(
    "message_delta",
    { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
  )}${event("message_stop", {})}`;
const start = (content: object, index = 0): string => event("content_block_start", { index, content_block: content });
const grow = (members: object, index = 0): string => event("content_block_delta", { index, delta: members });
const stop = (index = 0): string => event("content_block_stop", { index });
const block = (content: object, body: string): string => messagesAnswer(start(content) + body + stop());
const blocks = (n: number, content: object, body = ""): string =>
  messagesAnswer(joined(n, (index) => start(content, index) + body + stop(index)));
const citation = { type: "char_location", cited_text: "a", document_index: 0, start_char_index: 0, end_char_index: 1 };
const tool = { type: "tool_use", id: "t", name: "f", input: {} };

const MESSAGES: Writers = {
  texts: (n) =>
    block(
      { type: "text", text: "" },
      joined(n, () => grow({ type: "text_delta", text: WORD })),
    ),
  "texts with members of their own": (n) =>
    block(
      { type: "text", text: "" },
      joined(n, () => grow({ type: "text_delta", text: "a", extra: 1 })),
    ),
  citations: (n) =>
    block(
      { type: "text", text: "" },
      joined(n, () => grow({ type: "citations_delta", citation })),
    ),
  "citations between texts": (n) =>
    block(
      { type: "text", text: "" },
      joined(n, () => grow({ type: "text_delta", text: "a" }) + grow({ type: "citations_delta", citation })),
    ),
  thinking: (n) =>
    block(
      { type: "thinking", thinking: "", signature: "" },
      joined(n, () => grow({ type: "thinking_delta", thinking: WORD })),
    ),
  signatures: (n) =>
    block(
      { type: "thinking", thinking: "", signature: "" },
      joined(n, () => grow({ type: "signature_delta", signature: "word" })),
    ),
  arguments: (n) =>
    block(
      tool,
      grow({ type: "input_json_delta", partial_json: '{"a":"' }) +
        joined(n, () => grow({ type: "input_json_delta", partial_json: WORD })) +
        grow({ type: "input_json_delta", partial_json: '"}' }),
    ),
  "blank arguments": (n) =>
    block(
      tool,
      joined(n, () => grow({ type: "input_json_delta", partial_json: " " })),
    ),
  "text blocks": (n) => blocks(n, { type: "text", text: "a" }),
  "thinking blocks": (n) => blocks(n, { type: "thinking", thinking: "a", signature: "s" }),
  "redacted blocks": (n) => blocks(n, { type: "redacted_thinking", data: "d" }),
  calls: (n) => blocks(n, tool),
  "unknown blocks": (n) => blocks(n, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
  "input of an unknown block": (n) =>
    block(
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      joined(n, () => grow({ type: "input_json_delta", partial_json: WORD })),
    ),
  "deltas of an unknown block": (n) =>
    block(
      { type: "compaction", content: null },
      joined(n, () => grow({ type: "compaction_delta", content: WORD })),
    ),
  "unknown deltas": (n) =>
    block(
      { type: "text", text: "" },
      joined(n, () => grow({ type: "new_delta", a: 1 })),
    ),
  "unknown deltas of as many types": (n) =>
    block(
      { type: "text", text: "" },
      joined(n, (position) => grow({ type: `new${position}_delta`, a: 1 })),
    ),
  "unknown events": (n) => messagesAnswer(joined(n, () => event("new", { a: 1 }))),
  "unknown events of as many types": (n) => messagesAnswer(joined(n, (position) => event(`new${position}`, { a: 1 }))),
  "events before the start": (n) => joined(n, () => event("new", { a: 1 })) + messagesAnswer(""),
  ends: (n) =>
    messagesAnswer(
      joined(n, (position) =>
        event("message_delta", { delta: { [`m${position}`]: 1 }, usage: { [`u${position}`]: 1 } }),
      ),
    ),
  pings: (n) => messagesAnswer(joined(n, () => event("ping", {}))),
};

function partsOf(kind: UpstreamKind, writers: Writers): RepeatedPart[] {
  return Object.entries(writers).map(([name, write]) => ({ kind, name, write }));
}

/** Every part of an answer that may come more than once, in each format. */
export const REPEATED_PARTS: readonly RepeatedPart[] = [
  ...partsOf("chat", CHAT),
  ...partsOf("responses", RESPONSES),
  ...partsOf("messages", MESSAGES),
];
