import type { UpstreamKind } from "../../support/upstream-frames.ts";
import type { RepeatedPart } from "./repeated-parts.ts";

function times<T>(count: number, make: (position: number) => T): T[] {
  return Array.from({ length: count }, (_none, position) => make(position));
}

const members = (count: number): object => Object.fromEntries(times(count, (position) => [`m${position}`, position]));

/** So much of a text, or of a number, for each part. */
const WORD = "word ".repeat(40);
const DIGITS = "1234567890".repeat(20);

/** Levels that a body may have, and a little less. */
const DEEP = 1000;
const nested = (count: number): string =>
  times(Math.ceil(count / 100), () => "[".repeat(DEEP) + "]".repeat(DEEP)).join();

/** Puts JSON text, which JSON.stringify would not write, where an object has the text `<raw>`. */
const withRaw = (body: string, raw: string): string => body.replace('"<raw>"', () => raw);

type Writers = Readonly<Record<string, (count: number) => string>>;

// Chat Completions.

function chat(message: object, choice: object = {}, answer: object = {}): string {
  const said = { role: "assistant", content: null, refusal: null, ...message };
  return JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: said, finish_reason: "stop", ...choice }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    ...answer,
  });
}

const call = (name: string, text: string, id = name): object => ({
  id,
  type: "function",
  function: { name, arguments: text },
});
const calls = (list: readonly object[]): string => chat({ tool_calls: list }, { finish_reason: "tool_calls" });
const token = { token: "a", logprob: -0.5, bytes: [97], top_logprobs: [] };

const CHAT: Writers = {
  "a long text": (n) => chat({ content: WORD.repeat(n) }),
  "a long text of escapes": (n) => chat({ content: '"\\\u0001'.repeat(n * 40) }),
  "a long refusal": (n) => chat({ refusal: WORD.repeat(n) }),
  "long reasoning": (n) => chat({ reasoning_content: WORD.repeat(n), content: "a" }),
  signatures: (n) =>
    chat({ reasoning_details: times(n, () => ({ type: "reasoning.text", text: "a", signature: "s" })) }),
  "encrypted reasoning": (n) =>
    chat({ reasoning_details: times(n, () => ({ type: "reasoning.encrypted", data: "d", id: "i" })) }),
  "unknown reasoning": (n) => chat({ reasoning_details: times(n, () => ({ type: "reasoning.new", data: "s" })) }),
  calls: (n) => calls(times(n, (index) => call("f", '{"a":1}', `c${index}`))),
  "calls of one id": (n) => calls(times(n, () => call("f", "{}", "c"))),
  "calls without ids": (n) => calls(times(n, () => call("f", "{}", ""))),
  "calls whose arguments are cut": (n) => calls(times(n, (index) => call("f", '{"a":', `c${index}`))),
  "calls whose arguments are objects": (n) =>
    calls(times(n, () => ({ id: "c", type: "function", function: { name: "f", arguments: { a: 1 } } }))),
  "custom calls": (n) =>
    calls(times(n, (index) => ({ id: `c${index}`, type: "custom", custom: { name: "f", input: WORD } }))),
  "calls with members of their own": (n) =>
    calls(times(n, (index) => ({ ...call("f", "{}", `c${index}`), extra: [1] }))),
  "arguments of one call": (n) => calls([call("f", JSON.stringify({ a: WORD.repeat(n) }))]),
  "a long number in arguments": (n) => calls([call("f", `{"a":${DIGITS.repeat(n)}}`)]),
  "long numbers": (n) => withRaw(chat({ content: "a" }, {}, { x: "<raw>" }), `[${times(n, () => DIGITS).join()}]`),
  "deep values": (n) => withRaw(chat({ content: "a" }, {}, { x: "<raw>" }), `[${nested(n)}]`),
  "log probabilities": (n) => chat({ content: "a" }, { logprobs: { content: times(n, () => token) } }),
  "log probabilities without a text": (n) => chat({}, { logprobs: { content: times(n, () => token) } }),
  annotations: (n) => chat({ content: "a", annotations: times(n, () => ({ type: "url_citation", url: "u" })) }),
  "unknown members": (n) => chat({ content: "a", ...members(n) }),
  "unknown members of the choice": (n) => chat({ content: "a" }, members(n)),
  "unknown members of the answer": (n) => chat({ content: "a" }, {}, members(n)),
  "unknown members of the usage": (n) => chat({ content: "a" }, {}, { usage: { prompt_tokens: 1, ...members(n) } }),
};

// Responses.

function resource(output: readonly object[], more: object = {}): string {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return JSON.stringify({ id: "r", object: "response", status: "completed", model: "m", output, usage, ...more });
}

const part = (text: string, more: object = {}): object => ({
  type: "output_text",
  text,
  annotations: [],
  logprobs: [],
  ...more,
});
const message = (content: readonly object[], id = "i"): object => ({
  id,
  type: "message",
  role: "assistant",
  status: "completed",
  content,
});
const called = (text: string, id = "i"): object => ({
  id,
  type: "function_call",
  status: "completed",
  call_id: id,
  name: "f",
  arguments: text,
});
const annotation = { type: "url_citation", url: "https://a.example", title: "a", start_index: 0, end_index: 1 };

const RESPONSES: Writers = {
  "a long text": (n) => resource([message([part(WORD.repeat(n))])]),
  "a long refusal": (n) => resource([message([{ type: "refusal", refusal: WORD.repeat(n) }])]),
  messages: (n) => resource(times(n, (index) => message([part("a")], `i${index}`))),
  "messages of one id": (n) => resource(times(n, () => message([part("a")]))),
  "messages without parts": (n) => resource(times(n, (index) => message([], `i${index}`))),
  parts: (n) => resource([message(times(n, () => part("a")))]),
  "parts with members of their own": (n) => resource([message(times(n, () => part("a", { extra: [1] })))]),
  "unknown parts": (n) => resource([message(times(n, () => ({ type: "new", a: [1] })))]),
  annotations: (n) => resource([message([part("a", { annotations: times(n, () => annotation) })])]),
  "log probabilities": (n) => resource([message([part("a", { logprobs: times(n, () => token) })])]),
  calls: (n) => resource(times(n, (index) => called('{"a":1}', `i${index}`))),
  "custom calls": (n) =>
    resource(
      times(n, (index) => ({
        id: `i${index}`,
        type: "custom_tool_call",
        call_id: `c${index}`,
        name: "f",
        input: WORD,
        status: "completed",
      })),
    ),
  "arguments of one call": (n) => resource([called(JSON.stringify({ a: WORD.repeat(n) }))]),
  "a long number in arguments": (n) => resource([called(`{"a":${DIGITS.repeat(n)}}`)]),
  "reasoning items": (n) =>
    resource(times(n, (index) => ({ id: `i${index}`, type: "reasoning", summary: [], encrypted_content: "e" }))),
  "summary parts": (n) =>
    resource([{ id: "i", type: "reasoning", summary: times(n, () => ({ type: "summary_text", text: WORD })) }]),
  "reasoning parts": (n) =>
    resource([
      { id: "i", type: "reasoning", summary: [], content: times(n, () => ({ type: "reasoning_text", text: WORD })) },
    ]),
  "unknown items": (n) => resource(times(n, (index) => ({ id: `i${index}`, type: "web_search_call", a: [1] }))),
  "long numbers": (n) => withRaw(resource([], { x: "<raw>" }), `[${times(n, () => DIGITS).join()}]`),
  "deep values": (n) => withRaw(resource([], { x: "<raw>" }), `[${nested(n)}]`),
  "unknown members": (n) => resource([message([part("a")])], members(n)),
  "unknown members of an item": (n) => resource([{ ...message([part("a")]), ...members(n) }]),
};

// Messages.

function answer(content: readonly object[], more: object = {}): string {
  return JSON.stringify({
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
    ...more,
  });
}

const citation = { type: "char_location", cited_text: "a", document_index: 0, start_char_index: 0, end_char_index: 1 };
const used = (input: unknown, id = "t"): object => ({ type: "tool_use", id, name: "f", input });

const MESSAGES: Writers = {
  "a long text": (n) => answer([{ type: "text", text: WORD.repeat(n) }]),
  texts: (n) => answer(times(n, () => ({ type: "text", text: "a" }))),
  citations: (n) => answer([{ type: "text", text: "a", citations: times(n, () => citation) }]),
  "long thinking": (n) => answer([{ type: "thinking", thinking: WORD.repeat(n), signature: "s" }]),
  thinking: (n) => answer(times(n, () => ({ type: "thinking", thinking: "a", signature: "s" }))),
  "redacted thinking": (n) => answer(times(n, () => ({ type: "redacted_thinking", data: "d" }))),
  calls: (n) => answer(times(n, (index) => used({ a: 1 }, `t${index}`))),
  "a long input": (n) => answer([used({ a: WORD.repeat(n) })]),
  "an input of many members": (n) => answer([used(members(n))]),
  "long numbers in an input": (n) => withRaw(answer([used({ a: "<raw>" })]), `[${times(n, () => DIGITS).join()}]`),
  "a deep input": (n) => withRaw(answer([used({ a: "<raw>" })]), `[${nested(n)}]`),
  "unknown blocks": (n) =>
    answer(times(n, () => ({ type: "server_tool_use", id: "s", name: "web_search", input: {} }))),
  "blocks with members of their own": (n) => answer(times(n, () => ({ type: "text", text: "a", extra: [1] }))),
  "unknown members": (n) => answer([{ type: "text", text: "a" }], members(n)),
  "unknown members of the usage": (n) => answer([], { usage: { input_tokens: 1, ...members(n) } }),
};

function partsOf(kind: UpstreamKind, writers: Writers): RepeatedPart[] {
  return Object.entries(writers).map(([name, write]) => ({ kind, name: `whole, ${name}`, write }));
}

/** Every part of a whole answer that may come more than once, or be long, in each format. */
export const REPEATED_WHOLES: readonly RepeatedPart[] = [
  ...partsOf("chat", CHAT),
  ...partsOf("responses", RESPONSES),
  ...partsOf("messages", MESSAGES),
];
