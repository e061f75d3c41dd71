import { toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ContentBlockSchema, Dialect } from "../../../gen/attune/content/v1/content_pb.ts";
import type { GenerateEvent } from "../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder as createChatDecoder } from "../../../src/formats/chat/answer/decode-events.ts";
import { createEventDecoder as createMessagesDecoder } from "../../../src/formats/messages/answer/decode-events.ts";
import { createEventDecoder as createResponsesDecoder } from "../../../src/formats/responses/answer/decode-events.ts";
import { ResponseFold } from "../../../src/inference/checks/response-fold.ts";

function contentOf(events: readonly GenerateEvent[]): unknown {
  const fold = new ResponseFold();
  for (const event of events) fold.add(event);
  return fold.response.content.map((block) => toJson(ContentBlockSchema, block));
}

function fromMessages(content: unknown): unknown {
  const message = { type: "message", role: "assistant", model: "up", content, stop_reason: "end_turn" };
  return contentOf(createMessagesDecoder(Dialect.CHAT).decodeWhole(JSON.stringify(message)));
}

function fromResponses(...output: object[]): unknown {
  return contentOf(createResponsesDecoder(Dialect.CHAT).decodeWhole(JSON.stringify({ status: "completed", output })));
}

/** Reads a stream of Chat, in which each choice is a chunk of its own. */
function fromChat(...choices: object[]) {
  const decoder = createChatDecoder(Dialect.CHAT);
  const chunks = choices.map((choice) => JSON.stringify({ choices: [{ index: 0, ...choice }] }));
  const events = [...chunks, "[DONE]"].flatMap((data) => decoder.decode({ event: undefined, data }));
  const finished = events.flatMap(({ event }) => (event.case === "finished" ? [event.value] : []));
  return { content: contentOf(events), usage: finished[0]?.usage };
}

function fromDeltas(...deltas: object[]): unknown {
  return fromChat(...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: "stop" }).content;
}

const text = (value: string) => expect.objectContaining({ text: { text: value } });
const call = expect.objectContaining({ toolUse: expect.objectContaining({ name: "look", arguments: '{"q":"x"}' }) });

const messageStart = { type: "message_start", message: { role: "assistant", model: "up", content: [] } };

/** Reads a stream of Messages with one block, and what its end brings. */
function fromBlock(block: object, deltas: readonly unknown[], end: object = {}, stop: object = {}) {
  const decoder = createMessagesDecoder(Dialect.CHAT);
  const events = [
    messageStart,
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, ...end },
    { type: "message_stop", ...stop },
  ].flatMap((event) => decoder.decode({ event: event.type, data: JSON.stringify(event) }));
  const finished = events.flatMap(({ event }) => (event.case === "finished" ? [event.value] : []));
  return { content: contentOf(events), usage: finished[0]?.usage };
}

// What servers write in place of the members that OpenAI's and Anthropic's references have. Each was an answer that
// was refused as broken, or an empty one.
describe("answers in the shapes of other formats", () => {
  it.each([
    ["one text", "Hi", [text("Hi")]],
    ["null", null, []],
    ["nothing", undefined, []],
    ["no text", "", []],
  ])("reads %s in place of the blocks of Messages", (_name, content, expected) => {
    expect(fromMessages(content)).toEqual(expected);
  });

  it("reads the input of a tool of Messages that is text, and refuses one that is no JSON", () => {
    const use = (input: string) => [{ type: "tool_use", id: "c1", name: "look", input }];
    expect(fromMessages(use('{"q":"x"}'))).toEqual([call]);
    expect(() => fromMessages(use("q=x"))).toThrow("the input of a tool call is not an object");
  });

  it("reads a message of Responses whose content is one text, or has parts of the type text", () => {
    const message = (content: unknown) => ({ type: "message", id: "m1", role: "assistant", content });
    expect(fromResponses(message("Hi"))).toEqual([text("Hi")]);
    expect(fromResponses(message([{ type: "text", text: "Hi" }]))).toEqual([text("Hi")]);
  });

  it("reads arguments of Responses that are an object, whole and streamed", () => {
    const item = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: { q: "x" } };
    expect(fromResponses(item)).toEqual([call]);
    const decoder = createResponsesDecoder(Dialect.CHAT);
    const events = [
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      { type: "response.function_call_arguments.done", output_index: 0, item_id: "fc_1", arguments: { q: "x" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { status: "completed", output: [item] } },
    ].flatMap((event) => decoder.decode({ event: event.type, data: JSON.stringify(event) }));
    expect(contentOf(events)).toEqual([call]);
  });
});

// In the names of the AI SDK, of LangChain's `tokenUsage` and of Converse, which bridges written in them hand on.
describe("counts by the names of a program", () => {
  const count = (members: object, format: "chat" | "messages" | "responses") => {
    if (format === "chat") return fromChat({ delta: { content: "Hi" } }, { finish_reason: "stop", ...members }).usage;
    if (format === "messages") return fromBlock({ type: "text", text: "Hi" }, [], members).usage;
    const body = JSON.stringify({ status: "completed", output: [], ...members });
    const last = createResponsesDecoder(Dialect.CHAT).decodeWhole(body).at(-1)?.event;
    return last?.case === "finished" ? last.value.usage : undefined;
  };
  const prompt = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };
  const input = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

  it.each([
    ["chat", prompt, { inputTokens: 10, outputTokens: 5 }],
    ["chat", input, { inputTokens: 10, outputTokens: 5 }],
    ["chat", { ...input, cachedInputTokens: 4, reasoningTokens: 2 }, { cacheReadTokens: 4, reasoningTokens: 2 }],
    [
      "chat",
      { ...prompt, promptTokensDetails: { cachedTokens: 4 }, completionTokensDetails: { reasoningTokens: 2 } },
      { inputTokens: 6, cacheReadTokens: 4, outputTokens: 5, reasoningTokens: 2 },
    ],
    ["responses", prompt, { inputTokens: 10, outputTokens: 5 }],
    ["responses", { ...input, inputTokensDetails: { cachedTokens: 4 } }, { inputTokens: 6, cacheReadTokens: 4 }],
    ["messages", prompt, { inputTokens: 10, outputTokens: 5 }],
    [
      "messages",
      { ...input, cacheReadInputTokens: 4, cacheCreationInputTokens: 3 },
      { inputTokens: 10, cacheReadTokens: 4, cacheWriteTokens: 3 },
    ],
  ] as const)("are read in %s: %j", (format, usage, expected) => {
    expect(count({ usage }, format)).toMatchObject(expected);
  });

  it("do not replace the names of the format", () => {
    const both = { prompt_tokens: 10, completion_tokens: 5, promptTokens: 99, completionTokens: 99 };
    expect(count({ usage: both }, "chat")).toMatchObject({ inputTokens: 10, outputTokens: 5 });
  });

  it("reads the reasoning that SGLang counts at the top", () => {
    const usage = { prompt_tokens: 10, total_tokens: 15, completion_tokens: 5, reasoning_tokens: 2 };
    expect(count({ usage }, "chat")).toMatchObject({ outputTokens: 5, reasoningTokens: 2 });
  });
});

describe("streams of Messages in the shapes of other servers", () => {
  const use = { type: "tool_use", id: "c1", name: "look", input: {} };
  const piece = (partial_json: string) => ({ type: "input_json_delta", partial_json });

  it.each([
    ["that repeat all so far", ['{"q', '{"q":"x"}']],
    ["after a first {}", ["{}", '{"q":', '"x"}']],
  ])("reads arguments %s", (_name, pieces) => {
    expect(fromBlock(use, pieces.map(piece)).content).toEqual([call]);
  });

  it("takes {} alone for no arguments", () => {
    const none = expect.objectContaining({ toolUse: expect.objectContaining({ arguments: "{}" }) });
    expect(fromBlock(use, [piece("{}")]).content).toEqual([none]);
  });

  it("reads deltas without a type, and skips one that is null", () => {
    expect(fromBlock({ type: "text", text: "" }, [{ text: "H" }, null, { text: "i" }]).content).toEqual([text("Hi")]);
  });

  const begin = (content_block: object, index = 0) => ({ type: "content_block_start", index, content_block });
  const grow = (delta: object, index = 0) => ({ type: "content_block_delta", index, delta });
  const stop = (index = 0) => ({ type: "content_block_stop", index });
  const think = { type: "thinking_delta", thinking: "Hm" };
  const say = { type: "text_delta", text: "Hi" };
  const thought = { thinking: { summary: ["Hm"] } };
  const called = { toolUse: { name: "look", arguments: '{"q":"x"}' } };

  it.each<[string, object[], object[]]>([
    ["a text without a start", [grow(say), stop()], [text("Hi")]],
    [
      "a thought in a text",
      [begin({ type: "text", text: "" }), grow(think), grow(say), stop()],
      [{ text: {} }, thought, text("Hi")],
    ],
    ["a text in a call", [begin(use), grow(piece('{"q":"x"}')), grow(say), stop()], [called, text("Hi")]],
    [
      "empty texts before and in a call",
      [
        grow({ type: "text_delta", text: "" }),
        begin(use),
        grow({ type: "text_delta", text: "" }),
        grow(piece('{"q":"x"}')),
        stop(),
      ],
      [called],
    ],
    ["a thought in a call", [begin(use), grow(piece('{"q":"x"}')), grow(think), stop()], [called, thought]],
    [
      "a text behind its end",
      [begin({ type: "text", text: "" }), stop(), grow(say), stop()],
      [{ text: {} }, text("Hi")],
    ],
    [
      "a second start of the message",
      [messageStart, begin({ type: "text", text: "" }), grow(say), stop()],
      [text("Hi")],
    ],
  ])("reads %s", (_name, told, expected) => {
    const decoder = createMessagesDecoder(Dialect.CHAT);
    const end = [{ type: "message_delta", delta: { stop_reason: "end_turn" } }, { type: "message_stop" }];
    const events = [messageStart, ...told, ...end].flatMap((event) =>
      decoder.decode({ event: undefined, data: JSON.stringify(event) }),
    );
    expect(contentOf(events)).toMatchObject(expected);
  });

  it("reads events whose names alone tell their types", () => {
    const decoder = createMessagesDecoder(Dialect.CHAT);
    const events = [messageStart, begin({ type: "text", text: "" }), grow(say), stop()].flatMap(({ type, ...data }) =>
      decoder.decode({ event: type, data: JSON.stringify(data) }),
    );
    expect(events.map(({ event }) => event.case)).toEqual(["started", "blockStart", "blockDelta", "blockEnd"]);
  });

  const chatDetails = {
    prompt_tokens: 10,
    completion_tokens: 3,
    prompt_tokens_details: { cached_tokens: 4, cache_creation_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 1 },
  };
  const chatNames = { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } };
  it.each([
    ["by the names of Chat", { usage: chatNames }, {}, { inputTokens: 6, cacheReadTokens: 4, outputTokens: 3 }],
    ["by all names of Chat", { usage: chatDetails }, {}, { inputTokens: 4, cacheWriteTokens: 2, reasoningTokens: 1 }],
    [
      "in message_stop",
      { usage: { input_tokens: 0, output_tokens: 0 } },
      { usage: { input_tokens: 10, output_tokens: 3 } },
      { inputTokens: 10, outputTokens: 3 },
    ],
  ])("counts tokens %s", (_name, end, stop, expected) => {
    expect(fromBlock({ type: "text", text: "Hi" }, [], end, stop).usage).toMatchObject(expected);
  });

  it("keeps counts of Chat that the hub has no field for", () => {
    const details = { reasoning_tokens: 1, accepted_prediction_tokens: 2 };
    const usage = { prompt_tokens: 10, completion_tokens: 3, completion_tokens_details: details };
    expect(fromBlock({ type: "text", text: "Hi" }, [], { usage }).usage).toMatchObject({
      reasoningTokens: 1,
      extension: { json: '{"completion_tokens_details":{"accepted_prediction_tokens":2}}' },
    });
  });
});

describe("answers of Responses in the shapes of other servers", () => {
  it("reads output_text where the output has no items", () => {
    const body = { status: "completed", output: [], output_text: "Hi" };
    expect(contentOf(createResponsesDecoder(Dialect.CHAT).decodeWhole(JSON.stringify(body)))).toEqual([text("Hi")]);
  });

  it.each(["summary", "content"])("reads reasoning whose %s is one text", (name) => {
    const reasoning = { type: "reasoning", id: "rs_1", [name]: "Hm" };
    const member = name === "summary" ? { summary: ["Hm"] } : { text: "Hm" };
    expect(fromResponses(reasoning)).toEqual([expect.objectContaining({ thinking: expect.objectContaining(member) })]);
  });

  it("counts tokens by the names of Chat", () => {
    const usage = { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } };
    const body = JSON.stringify({ status: "completed", output: [], usage });
    const last = createResponsesDecoder(Dialect.CHAT).decodeWhole(body).at(-1)?.event;
    expect(last?.case === "finished" && last.value.usage).toMatchObject({
      inputTokens: 6,
      cacheReadTokens: 4,
      outputTokens: 3,
    });
  });

  it("reads arguments that repeat all so far", () => {
    const item = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: "" };
    const delta = (text: string) => ({
      type: "response.function_call_arguments.delta",
      output_index: 0,
      item_id: "fc_1",
      delta: text,
    });
    const decoder = createResponsesDecoder(Dialect.CHAT);
    const events = [
      { type: "response.output_item.added", output_index: 0, item },
      delta('{"q'),
      delta('{"q":"x"}'),
      { type: "response.completed", response: { status: "completed", output: [] } },
    ].flatMap((event) => decoder.decode({ event: event.type, data: JSON.stringify(event) }));
    expect(contentOf(events)).toEqual([call]);
  });
});

describe("answers of Chat in the shapes of other servers", () => {
  const stopped = { choices: [{ index: 0, text: "Hi", finish_reason: "stop" }] };
  const said = (args: string, members: object = {}, name?: string) => ({
    tool_calls: [{ index: 0, ...members, function: { name, arguments: args } }],
  });
  const thought = (thinking: string, signature = "") => ({
    thinking_blocks: [{ type: "thinking", thinking, signature }],
  });
  const first = (args: string) => said(args, { id: "c1", type: "function" }, "look");

  it("reads the text of legacy completions, whole and streamed", () => {
    expect(contentOf(createChatDecoder(Dialect.CHAT).decodeWhole(JSON.stringify(stopped)))).toEqual([text("Hi")]);
    expect(fromChat({ text: "H" }, { text: "i" }, { text: "", finish_reason: "stop" }).content).toEqual([text("Hi")]);
  });

  it.each([
    ["texts in a list", { content: ["H", "i"] }],
    ["one part", { content: { type: "text", text: "Hi" } }],
    ["parts that Responses has", { content: [{ type: "output_text", text: "Hi" }] }],
  ])("reads %s", (_name, delta) => {
    expect(fromDeltas(delta)).toEqual([text("Hi")]);
  });

  it.each(["reasoning_text", "thinking"])("reads the reasoning in %s", (name) => {
    const thinking = expect.objectContaining({ thinking: expect.objectContaining({ text: "Hm" }) });
    expect(fromDeltas({ [name]: "Hm" }, { content: "Hi" })).toEqual([thinking, text("Hi")]);
  });

  it("reads reasoning that is a part with a signed summary, as Databricks has it", () => {
    const summary = [{ type: "summary_text", text: "Hm", signature: "s" }];
    const read = fromDeltas({ content: [{ type: "reasoning", summary }] }, { content: [{ type: "text", text: "Hi" }] });
    expect(read).toMatchObject([{ thinking: { text: "Hm", opaque: "s" } }, { text: { text: "Hi" } }]);
  });

  // One entry a delta until June 2026, whole blocks behind `reasoning_content` since (litellm#29428, #31022), and both
  // at once where the sealed block repeats the text (open-webui#29860).
  it.each<[string, object[]]>([
    ["alone, in pieces", [thought("H"), thought("m"), thought("", "s")]],
    ["alone, whole", [thought("Hm", "s")]],
    ["in pieces beside the text", [{ reasoning_content: "H", ...thought("H") }, thought("m"), thought("", "s")]],
    ["whole behind the text", [{ reasoning_content: "H" }, { reasoning_content: "m" }, thought("Hm", "s")]],
    ["in pieces and whole", [thought("H"), thought("m"), thought("Hm", "s")]],
    ["beside an empty list of details", [{ reasoning_details: [], ...thought("Hm", "s") }]],
  ])("reads thinking_blocks %s", (_name, deltas) => {
    expect(fromDeltas(...deltas, { content: "Hi" })).toMatchObject([
      { thinking: { text: "Hm", opaque: "s" } },
      { text: { text: "Hi" } },
    ]);
  });

  it("keeps of thinking_blocks, for callers of another format, the types alone that nobody reads", () => {
    const blocks = [{ type: "thinking", thinking: "Hm", signature: "s" }, { type: "new" }];
    const extension = (caller: Dialect, list: readonly object[]) => {
      const message = { role: "assistant", content: "Hi", thinking_blocks: list };
      const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
      const last = createChatDecoder(caller).decodeWhole(body).at(-1)?.event;
      return last?.case === "finished" ? last.value.extension?.json : undefined;
    };
    const kept = (list: readonly object[]) => JSON.stringify({ choices: [{ message: { thinking_blocks: list } }] });
    expect(extension(Dialect.MESSAGES, blocks.slice(0, 1))).toBeUndefined();
    expect(extension(Dialect.MESSAGES, blocks)).toBe(kept([{ type: "new" }]));
    expect(extension(Dialect.CHAT, blocks)).toBe(kept(blocks));
  });

  it("reads several thinking_blocks beside one text of all, and those that only their maker reads", () => {
    const blocks = [
      { type: "thinking", thinking: "H", signature: "s" },
      { type: "redacted_thinking", data: "r" },
      { type: "thinking", thinking: "m", signature: "t" },
    ];
    const message = { role: "assistant", content: "Hi", reasoning_content: "Hm", thinking_blocks: blocks };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
    expect(contentOf(createChatDecoder(Dialect.CHAT).decodeWhole(body))).toMatchObject([
      { thinking: { text: "H", opaque: "s" } },
      { redactedThinking: { data: "r" } },
      { thinking: { text: "m", opaque: "t" } },
      { text: { text: "Hi" } },
    ]);
  });

  it.each<[string, object[]]>([
    [
      "tool_use around a function",
      [{ id: "c1", type: "tool_use", function: { name: "look", arguments: '{"q":"x"}' } }],
    ],
    ["tool_use with an input", [{ id: "c1", type: "tool_use", name: "look", input: { q: "x" } }]],
    ["function_call", [{ id: "c1", type: "function_call", name: "look", arguments: '{"q":"x"}' }]],
    ["function, flat", [{ id: "c1", type: "function", name: "look", arguments: '{"q":"x"}' }]],
    ["function, flat and in pieces", [{ id: "c1", type: "function", name: "look" }, { arguments: '{"q":"x"}' }]],
  ])("reads a call typed %s", (_name, calls) => {
    expect(fromDeltas(...calls.map((told) => ({ tool_calls: [{ index: 0, ...told }] })))).toEqual([call]);
  });

  it("leaves a call of a type that only Chat knows as it is, in pieces too", () => {
    const calls = [
      { id: "c1", type: "mcp", name: "look", arguments: "" },
      { arguments: '{"q"' },
      { arguments: ':"x"}' },
    ];
    const json = JSON.stringify({ id: "c1", type: "mcp", name: "look", arguments: '{"q":"x"}' });
    expect(fromDeltas(...calls.map((told) => ({ tool_calls: [{ index: 0, ...told }] })))).toMatchObject([
      { opaque: { json } },
    ]);
  });

  it("reads the name of a call behind its arguments", () => {
    const named = { tool_calls: [{ index: 0, function: { name: "look" } }] };
    expect(fromDeltas(said('{"q":', { id: "c1" }), said('"x"}'), named)).toEqual([call]);
  });

  it("reads tool_calls that is one call", () => {
    const [delta] = first('{"q":"x"}').tool_calls;
    expect(fromDeltas({ tool_calls: delta })).toEqual([call]);
  });

  it("refuses choices that are no list", () => {
    const decoder = createChatDecoder(Dialect.CHAT);
    const data = JSON.stringify({ choices: { "0": { delta: { content: "Hi" } } } });
    expect(() => decoder.decode({ event: undefined, data })).toThrow("choices is not a list");
  });

  it("reads the usage of a stream that stands in x_groq", () => {
    const decoder = createChatDecoder(Dialect.CHAT);
    const usage = { queue_time: 0.1, prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };
    const choices = [{ index: 0, delta: { content: "Hi" }, finish_reason: "stop" }];
    const events = [{ choices, x_groq: { id: "req_1", usage } }, "[DONE]"].flatMap((data) =>
      decoder.decode({ event: undefined, data: typeof data === "string" ? data : JSON.stringify(data) }),
    );
    const finished = events.at(-1)?.event;
    expect(finished?.case === "finished" && finished.value.usage).toMatchObject({ inputTokens: 10, outputTokens: 3 });
  });

  it("reads the usage that stands in the choice, the last one of several", () => {
    const counted = (output: number) => ({ usage: { prompt_tokens: 10, completion_tokens: output } });
    const { usage } = fromChat({ delta: { content: "H" }, ...counted(1) }, { finish_reason: "stop", ...counted(3) });
    expect(usage).toMatchObject({ inputTokens: 10, outputTokens: 3 });
  });

  it.each([
    ["by the names of Responses", { input_tokens_details: { cached_tokens: 4 } }, { cacheReadTokens: 4 }],
    ["by the first name of Mistral", { prompt_token_details: { cached_tokens: 4 } }, { cacheReadTokens: 4 }],
    ["by the second name of Mistral", { num_cached_tokens: 4 }, { cacheReadTokens: 4 }],
    ["in Anthropic's words", { prompt_tokens_details: { cache_read_input_tokens: 4 } }, { cacheReadTokens: 4 }],
    [
      "in LiteLLM's words",
      {
        prompt_tokens_details: {
          cache_creation_tokens: 6,
          cache_creation_token_details: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 4 },
        },
      },
      { inputTokens: 4, cacheWriteTokens: 6, cacheWrite5mTokens: 2, cacheWrite1hTokens: 4 },
    ],
    [
      "by the lifetimes of Messages",
      { cache_creation_input_tokens: 4, cache_creation: { ephemeral_1h_input_tokens: 4 } },
      { cacheWriteTokens: 4, cacheWrite1hTokens: 4 },
    ],
  ])("counts what a cache held or keeps %s", (_name, members, expected) => {
    const counted = { usage: { prompt_tokens: 10, completion_tokens: 3, ...members } };
    expect(fromChat({ delta: { content: "Hi" } }, { finish_reason: "stop", ...counted }).usage).toMatchObject(expected);
  });

  it.each([
    ["all so far in each delta", [first(""), said('{"q'), said('{"q":"'), said('{"q":"x"}')]],
    ["all once more at the end", [first('{"q'), said('":"x"}'), said('{"q":"x"}', { id: "c1" })]],
    ["all of it twice", [first('{"q":"x"}'), first('{"q":"x"}')]],
    ["a new id in each delta", [first('{"q":'), said('"', { id: "c2" }, "look"), said('x"}', { id: "c3" }, "look")]],
    ["arguments that are encoded twice", [first('"{\\"q'), said('\\":\\"x\\"}"')]],
    ["a name in pieces", [said("", { id: "c1" }, "lo"), said("", {}, "ok"), said('{"q":"x"}')]],
    ["a name that grows", [said("", { id: "c1" }, "lo"), said("", {}, "look"), said('{"q":"x"}', {}, "look")]],
  ])("reads a call with %s", (_name, deltas) => {
    expect(fromDeltas(...deltas)).toEqual([call]);
  });

  it("keeps two calls apart that have one number and ids of their own", () => {
    const second = said('{"q":"x"}', { id: "c2" }, "look");
    expect(fromDeltas(first('{"q":"x"}'), second)).toEqual([call, call]);
  });

  it("keeps arguments whose texts hold the beginning of an object", () => {
    const kept = expect.objectContaining({ toolUse: expect.objectContaining({ arguments: '{"q":"{\\"q"}' }) });
    expect(fromDeltas(first('{"q":"'), said('{\\"q'), said('"}'))).toEqual([kept]);
  });

  it.each([
    ['{"q":', '{"q":1}}'],
    ['{"q":[', '{"q":[1]}]}'],
    ['{"q":', '{"q":', '{"q":1}}}'],
  ])("keeps a value that begins as the object around it: %s, %s", (...pieces) => {
    const [begins = "", ...goOn] = pieces;
    const kept = expect.objectContaining({ toolUse: expect.objectContaining({ arguments: pieces.join("") }) });
    expect(fromDeltas(first(begins), ...goOn.map((piece) => said(piece)))).toEqual([kept]);
  });
});
