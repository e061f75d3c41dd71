import { toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import {
  FinishReason,
  type GenerateEvent,
  GenerateEventSchema,
  GenerateResponseSchema,
} from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { findServerFacts } from "../../../../src/catalog/server-facts.ts";
import { createEventDecoder } from "../../../../src/formats/chat/answer/decode-events.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createSseReader, sseData } from "../../../../src/formats/shared/sse.ts";
import { ErrorReason, InferenceError } from "../../../../src/hub/error.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";
import { ResponseFold } from "../../../../src/inference/checks/response-fold.ts";

const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "up-1" };
const delta = (members: JsonObject, rest: JsonObject = {}) => ({
  ...head,
  choices: [{ index: 0, delta: members, finish_reason: null, ...rest }],
});
const finish = (reason: string, rest: JsonObject = {}) => delta({}, { finish_reason: reason, ...rest });
const calls = (...tool_calls: unknown[]) => delta({ tool_calls });
const begin = delta({ role: "assistant", content: "", refusal: null });
const usage = { ...head, choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } };

/** Decodes chunks, one event each, then what `end` says: [DONE], or the end of the body. */
function decode(
  chunks: readonly (JsonObject | string)[],
  end: "[DONE]" | "close" = "[DONE]",
  caller: Dialect = Dialect.CHAT,
): GenerateEvent[] {
  const decoder = createEventDecoder(caller);
  const data = chunks.map((chunk) => (typeof chunk === "string" ? chunk : JSON.stringify(chunk)));
  const events = data.flatMap((text) => decoder.decode({ event: undefined, data: text }));
  events.push(...(end === "close" ? decoder.close() : decoder.decode({ event: undefined, data: end })));
  const check = createOrderCheck();
  for (const event of events) check(event);
  return events;
}

function json(events: readonly GenerateEvent[]): unknown[] {
  return events.map((event) => toJson(GenerateEventSchema, event));
}

/** The whole answer that the chunks add up to, as the hub's own JSON. */
function answer(...chunks: readonly (JsonObject | string)[]): unknown {
  const fold = new ResponseFold();
  for (const event of decode(chunks)) fold.add(event);
  const { content, finished } = fold.response;
  return toJson(GenerateResponseSchema, { ...fold.response, serving: undefined, content, finished });
}

const started = { started: { serving: { upstreamModel: "up-1" } } };
const stop = { reason: "FINISH_REASON_STOP", rawReason: "stop" };
const toolUse = { reason: "FINISH_REASON_TOOL_USE", rawReason: "tool_calls" };
const f = (id: string, args: string) => ({ toolUse: { id, name: "f", arguments: args, kind: "TOOL_KIND_FUNCTION" } });
const anyId = expect.stringMatching(/^call_/) as string;
const chat = (text: string) => ({ dialect: "DIALECT_CHAT", json: text });

describe("createEventDecoder()", () => {
  it("decodes a text as it comes", () => {
    expect(json(decode([begin, delta({ content: "Hé" }), delta({ content: "llo" }), finish("stop"), usage]))).toEqual([
      started,
      { blockStart: { block: { text: {} } } },
      { blockDelta: { text: "Hé" } },
      { blockDelta: { text: "llo" } },
      { blockEnd: {} },
      { finished: { ...stop, usage: { inputTokens: 10, outputTokens: 4 } } },
    ]);
  });

  it("gives each event as soon as its chunk is there", () => {
    const decoder = createEventDecoder(Dialect.CHAT);
    const count = (chunk: JsonObject) => decoder.decode({ event: undefined, data: JSON.stringify(chunk) }).length;
    expect([begin, delta({ content: "a" }), delta({ content: "b" }), finish("stop")].map(count)).toEqual([1, 2, 1, 0]);
  });

  it("reads a stream whose choices say all so far beside each delta, and one that says it once", () => {
    const message = (content: string) => ({ message: { role: "assistant", content } });
    const text = { content: [{ text: { text: "Hello" } }], finished: stop };
    const both = [delta({ content: "Hel" }, message("Hel")), delta({ content: "lo" }, message("Hello"))];
    expect(answer(...both, finish("stop", message("Hello")))).toEqual(text);
    const last = delta({}, { ...message("Hello"), delta: undefined, finish_reason: "stop" });
    expect(answer(last)).toEqual(text);
    expect(answer(...both, last)).toEqual(text);
  });

  it.each([
    ["the next piece", ["Hel", "lo", ""]],
    ["all so far", ["Hel", "Hello", "Hello"]],
  ])("reads a stream that has messages in place of deltas, with %s", (_each, contents) => {
    const chunks = contents.map((content) => delta({}, { delta: undefined, message: { content } }));
    expect(answer(...chunks, finish("stop"))).toEqual({ content: [{ text: { text: "Hello" } }], finished: stop });
  });

  it("takes the end of the body for [DONE] once it knows the reason", () => {
    expect(json(decode([begin, finish("length")], "close")).at(-1)).toEqual({
      finished: { reason: "FINISH_REASON_LENGTH", rawReason: "length" },
    });
  });

  it("says nothing after the end", () => {
    const decoder = createEventDecoder(Dialect.CHAT);
    for (const data of [JSON.stringify(finish("stop")), "[DONE]"]) decoder.decode({ event: undefined, data });
    expect(decoder.decode({ event: undefined, data: JSON.stringify(begin) })).toEqual([]);
    expect(decoder.close()).toEqual([]);
  });

  it.each([
    ["stop", stop],
    ["length", { reason: "FINISH_REASON_LENGTH", rawReason: "length" }],
    // There is no call.
    ["tool_calls", { reason: "FINISH_REASON_STOP", rawReason: "tool_calls" }],
    ["function_call", { reason: "FINISH_REASON_STOP", rawReason: "function_call" }],
    ["content_filter", { reason: "FINISH_REASON_CONTENT_FILTER", rawReason: "content_filter" }],
    ["max_output_tokens", { reason: "FINISH_REASON_LENGTH", rawReason: "max_output_tokens" }],
    [
      "oddly",
      { rawReason: "oddly", extension: { dialect: "DIALECT_CHAT", json: '{"choices":[{"finish_reason":"oddly"}]}' } },
    ],
  ])("maps the reason %s", (reason, finished) => {
    expect(answer(begin, finish(reason))).toEqual({ finished });
  });

  it("decodes refusals, reasoning under both names, and what follows it", () => {
    expect(
      answer(
        begin,
        delta({ reasoning_content: "a", reasoning: "a" }),
        delta({ reasoning: "b", content: null }),
        delta({ content: "say" }),
        delta({ refusal: "no" }),
        finish("stop"),
      ),
    ).toEqual({
      content: [{ thinking: { text: "ab" } }, { text: { text: "say" } }, { refusal: { text: "no" } }],
      finished: stop,
    });
  });

  it.each([Dialect.RESPONSES, Dialect.MESSAGES, Dialect.UNSPECIFIED])(
    "gives reasoning without a signature an empty one, for callers of another format (%i)",
    (caller) => {
      const signed = { type: "reasoning.text", signature: "SIG" };
      const chunks = [
        begin,
        delta({ reasoning_content: "a" }),
        delta({ content: "b" }),
        delta({ reasoning_content: "c" }),
        delta({ reasoning_details: [signed] }),
        finish("stop"),
      ];
      const opaque = decode(chunks, "[DONE]", caller).flatMap(({ event }) =>
        event.case === "blockDelta" && event.value.delta.case === "opaque"
          ? [[event.value.index, event.value.delta.value]]
          : [],
      );
      expect(opaque).toEqual([
        [0, ""],
        [2, "SIG"],
      ]);
    },
  );

  it("decodes reasoning_details: signatures, sealed reasoning, and text that came by no other name", () => {
    const details = (...reasoning_details: unknown[]) => delta({ reasoning_details });
    expect(
      answer(
        begin,
        details({ type: "reasoning.text", text: "a", format: "f" }),
        details({ type: "reasoning.text", text: "b" }, { type: "reasoning.text", signature: "SIG", format: "f" }),
        details({ type: "reasoning.summary", summary: "s" }),
        details({ type: "reasoning.encrypted", data: "BLOB", id: "e" }),
        details({ type: "reasoning.odd", x: 1 }),
        finish("stop"),
      ),
    ).toEqual({
      content: [
        { thinking: { text: "ab", opaque: "SIG" }, extension: chat('{"format":"f"}') },
        { thinking: { summary: ["s"] } },
        { redactedThinking: { data: "BLOB" }, extension: chat('{"id":"e"}') },
      ],
      finished: {
        ...stop,
        extension: chat('{"choices":[{"message":{"reasoning_details":[{"type":"reasoning.odd","x":1}]}}]}'),
      },
    });
  });

  it("does not repeat text that the details repeat", () => {
    const reasoning_details = [{ type: "reasoning.text", text: "why", signature: "SIG" }];
    expect(answer(begin, delta({ reasoning_content: "why" }), delta({ reasoning_details }), finish("stop"))).toEqual({
      content: [{ thinking: { text: "why", opaque: "SIG" } }],
      finished: stop,
    });
  });

  it("keeps log probabilities with the text that they belong to", () => {
    const logprobs = (token: string) => ({ logprobs: { content: [{ token, logprob: -0.5 }], refusal: null } });
    const tokens = (token: string) => ({ logprobs: { tokens: [{ token, logprob: -0.5 }] } });
    expect(
      json(decode([begin, delta({ content: "a" }, logprobs("a")), finish("stop", logprobs("<end>"))])).slice(2),
    ).toEqual([
      { blockDelta: { text: "a", ...tokens("a") } },
      { blockDelta: { text: "", ...tokens("<end>") } },
      { blockEnd: {} },
      { finished: stop },
    ]);
  });

  it("adds annotations to the text that they are of, with places that begin there", () => {
    const cite = (start: number, members: object = {}) => ({
      type: "url_citation",
      url_citation: { start_index: start, end_index: start + 1, url: "https://example.com", title: "Rain", ...members },
    });
    const page = { url: "https://example.com", title: "Rain" };
    expect(
      answer(
        begin,
        delta({ content: "a" }),
        delta({ reasoning_content: "why" }),
        delta({ content: "b" }),
        delta({ annotations: [cite(1, { content: "x" }), { type: "file", file: {} }] }),
        finish("stop"),
      ),
    ).toEqual({
      content: [
        { text: { text: "a" } },
        { thinking: { text: "why" } },
        {
          text: { text: "b" },
          annotations: {
            annotations: [
              {
                urlCitation: {
                  ...page,
                  startIndex: 0,
                  endIndex: 1,
                  extension: chat('{"url_citation":{"content":"x"}}'),
                },
              },
              { opaque: chat('{"type":"file","file":{}}') },
            ],
          },
        },
      ],
      finished: stop,
    });
  });

  it("keeps members that only this dialect knows, once", () => {
    expect(
      answer(
        { ...begin, system_fingerprint: "fp", service_tier: null, obfuscation: "xx" },
        { ...delta({ content: "a" }), system_fingerprint: "fp", service_tier: "default" },
        delta({ annotations: [1] }),
        delta({ annotations: [2] }),
        finish("stop", { native_finish_reason: "end", stop_reason: null }),
        { ...usage, x_groq: { id: "g" } },
      ),
    ).toEqual({
      content: [{ text: { text: "a" } }],
      finished: {
        ...stop,
        usage: { inputTokens: 10, outputTokens: 4 },
        extension: chat(
          '{"system_fingerprint":"fp","service_tier":"default","x_groq":{"id":"g"},"choices":[{"native_finish_reason":"end","message":{"annotations":[1,2]}}]}',
        ),
      },
    });
  });

  // vLLM has the first, SGLang the second.
  it.each(["stop_reason", "matched_stop"])("knows the stop sequence where the server names it in %s", (member) => {
    expect(answer(begin, finish("stop", { [member]: "END" }))).toEqual({
      finished: {
        reason: "FINISH_REASON_STOP_SEQUENCE",
        rawReason: "stop",
        stopSequence: "END",
        extension: chat(`{"choices":[{"${member}":"END"}]}`),
      },
    });
  });

  it.each([
    [
      { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 3 } },
      { inputTokens: 1, cacheReadTokens: 6, cacheWriteTokens: 3, outputTokens: 4 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 4, completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 2 } },
      {
        inputTokens: 10,
        outputTokens: 4,
        reasoningTokens: 0,
        extension: chat('{"completion_tokens_details":{"audio_tokens":2}}'),
        billing: { audioOutputTokens: 2 },
      },
    ],
    [{ prompt_tokens: 5, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 9 } }, { cacheReadTokens: 5 }],
    [{ prompt_tokens: null, completion_tokens: "3.5", prompt_tokens_details: null }, {}],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 1,
        num_search_queries: 2,
        prompt_tokens_details: { cached_tokens: 4, audio_tokens: 7, image_tokens: 1 },
      },
      {
        inputTokens: 6,
        cacheReadTokens: 4,
        outputTokens: 1,
        extension: chat('{"num_search_queries":2,"prompt_tokens_details":{"audio_tokens":7,"image_tokens":1}}'),
        billing: { audioInputTokens: 6, audioCacheReadTokens: 1, imageInputTokens: 1, toolCalls: { web_search: 2 } },
      },
    ],
    // Perplexity's deep research, by its documentation.
    [
      {
        prompt_tokens: 33,
        completion_tokens: 7163,
        total_tokens: 7196,
        citation_tokens: 20016,
        num_search_queries: 18,
        reasoning_tokens: 73997,
      },
      {
        inputTokens: 33,
        outputTokens: 81160,
        reasoningTokens: 73997,
        extension: chat('{"citation_tokens":20016,"num_search_queries":18,"reasoning_tokens":73997}'),
        billing: { toolCalls: { web_search: 18, citation_token: 20016 } },
      },
    ],
    // xAI, which runs tools on Chat too.
    [
      {
        prompt_tokens: 10,
        completion_tokens: 4,
        server_side_tool_usage_details: { web_search_calls: 2, x_search_calls: 0 },
      },
      {
        inputTokens: 10,
        outputTokens: 4,
        extension: chat('{"server_side_tool_usage_details":{"web_search_calls":2,"x_search_calls":0}}'),
        billing: { toolCalls: { web_search: 2 } },
      },
    ],
  ])("counts %j", (counted, expected) => {
    expect(answer(begin, { ...finish("stop"), usage: counted })).toEqual({ finished: { ...stop, usage: expected } });
  });
});

describe("createEventDecoder(): what changes the cost beside the counts", () => {
  const billingOf = (usage: object, ...annotations: object[]) => {
    const said = delta(annotations.length === 0 ? {} : { content: "a", annotations });
    const told = { prompt_tokens: 10, completion_tokens: 4, ...usage };
    const { finished } = answer(begin, said, { ...finish("stop"), usage: told }) as {
      finished: { usage: { billing?: unknown } };
    };
    return finished.usage.billing;
  };
  const cited = {
    type: "url_citation",
    url_citation: { url: "https://a.example", title: "", start_index: 0, end_index: 1 },
  };

  it.each([
    ["ON_DEMAND", undefined],
    ["ON_DEMAND_PRIORITY", { serviceTier: "priority" }],
    ["ON_DEMAND_FLEX", { serviceTier: "flex" }],
    ["PROVISIONED_THROUGHPUT", { serviceTier: "provisioned_throughput" }],
  ])("reads Vertex AI's traffic type %s", (traffic_type, expected) => {
    expect(billingOf({ extra_properties: { google: { traffic_type } } })).toEqual(expected);
  });

  it("counts a search where pages are cited and no count tells", () => {
    expect(billingOf({}, cited)).toEqual({ toolCalls: { web_search: 1 } });
    expect(billingOf({ num_search_queries: 3 }, cited, cited)).toEqual({ toolCalls: { web_search: 3 } });
    expect(billingOf({}, { type: "file_citation" })).toBeUndefined();
  });
});

describe("createEventDecoder(): the tier that served", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 4 };
  const counted = { inputTokens: 10, outputTokens: 4 };

  it.each([
    [
      "before the usage",
      [
        { ...begin, service_tier: "priority" },
        { ...finish("stop"), usage },
      ],
      counted,
    ],
    ["behind it", [begin, finish("stop"), { ...begin, choices: [], usage, service_tier: "priority" }], counted],
    ["without any", [{ ...begin, service_tier: "priority" }, finish("stop")], {}],
  ])("is told %s", (_where, chunks, tokens) => {
    expect(answer(...chunks)).toMatchObject({
      finished: { usage: { ...tokens, billing: { serviceTier: "priority" } } },
    });
  });
});

describe("createEventDecoder(): tool calls", () => {
  const start = (index: number, id: string, args = "") => ({
    index,
    id,
    type: "function",
    function: { name: "f", arguments: args },
  });
  const more = (index: number, args: string | null) => ({ index, function: { arguments: args } });

  it("decodes parallel calls one after another, as they come", () => {
    const chunks = [
      begin,
      calls(start(0, "a")),
      calls(more(0, '{"x"')),
      calls(more(0, ":1}")),
      calls(start(1, "b", "{}")),
    ];
    expect(json(decode([...chunks, finish("tool_calls")]))).toEqual([
      started,
      { blockStart: { block: { toolUse: { id: "a", name: "f", kind: "TOOL_KIND_FUNCTION" } } } },
      { blockDelta: { arguments: '{"x"' } },
      { blockDelta: { arguments: ":1}" } },
      { blockEnd: {} },
      { blockStart: { index: 1, block: { toolUse: { id: "b", name: "f", kind: "TOOL_KIND_FUNCTION" } } } },
      { blockDelta: { index: 1, arguments: "{}" } },
      { blockEnd: { index: 1 } },
      { finished: toolUse },
    ]);
  });

  it.each<[string, JsonObject[], unknown[]]>([
    [
      "interleaved",
      [
        calls(start(0, "a")),
        calls(start(1, "b")),
        calls(more(1, "{}"), more(0, '{"x":')),
        calls(more(0, "1}")),
        calls(more(1, " ")),
      ],
      [f("a", '{"x":1}'), f("b", "{} ")],
    ],
    [
      "with an id and a name in each delta",
      [calls(start(0, "a", '{"x"')), calls(start(0, "a", ":1}"))],
      [f("a", '{"x":1}')],
    ],
    [
      "all numbered 0, without ids",
      [
        calls(start(0, "", '{"x":1}')),
        calls({ index: 0, id: "", function: { name: "f", arguments: { y: 2 } } }),
        calls(start(0, "", "{")),
        calls(start(0, "", "}")),
        calls(start(0, "", "")),
      ],
      [f(anyId, '{"x":1}'), f(anyId, '{"y":2}'), f(anyId, "{}")],
    ],
    [
      "all with one id",
      [calls(start(0, "a", "{}"), start(1, "a", '{"x":'), start(1, "a", "1}"), start(2, "a", "{}"))],
      [f("a", "{}"), f(anyId, '{"x":1}'), f(anyId, "{}")],
    ],
    ["all numbered 0", [calls(start(0, "a", "{}"), start(0, "b", "{}"))], [f("a", "{}"), f("b", "{}")]],
    [
      "without numbers",
      [
        calls({ id: "a", function: { name: "f", arguments: "{" } }),
        calls({ function: { arguments: "}" } }),
        calls({ id: "b", function: { name: "f", arguments: { y: 2 } } }),
      ],
      [f("a", "{}"), f("b", '{"y":2}')],
    ],
    [
      "with null for no arguments",
      [
        calls({ ...start(0, "a"), function: { name: "f", arguments: null } }),
        calls(more(0, null)),
        calls(more(0, "{}")),
      ],
      [f("a", "{}")],
    ],
    [
      "with blank arguments",
      [calls(start(0, "a"), start(1, "b", " "), start(2, "c", "{}"))],
      [f("a", "{}"), f("b", " {}"), f("c", "{}")],
    ],
    [
      "with the name after the id",
      [calls({ index: 0, id: "a", type: "function" }), calls({ index: 0, function: { name: "f", arguments: "{}" } })],
      [f("a", "{}")],
    ],
    [
      "with arguments that never become JSON",
      [calls(start(0, "a", "{"), start(1, "b", "{}"))],
      [f("a", "{"), f("b", "{}")],
    ],
    [
      "with words in between",
      [calls(start(0, "a", '{"x"')), delta({ content: "so" }), calls(more(0, ":1}")), delta({ content: " be it" })],
      [f("a", '{"x":1}'), { text: { text: "so be it" } }],
    ],
    [
      "with members that only this dialect knows",
      [calls({ ...start(0, "a", "{}"), extra_content: { s: 1 } })],
      [{ ...f("a", "{}"), extension: chat('{"extra_content":{"s":1}}') }],
    ],
    [
      "with such members of its function in several deltas, before it is known and after",
      [
        calls({ index: 0, id: "a", type: "function", function: { x_a: { p: 1 }, x_l: [1] } }),
        calls({ index: 0, function: { name: "f", arguments: "{", x_b: 2, x_a: { q: 3 } } }),
        calls({ index: 0, function: { arguments: "}", x_c: { r: 4 }, x_l: [2] } }),
        calls({ index: 0, function: { arguments: "", x_d: 5, x_c: { s: 6 } } }),
      ],
      [
        {
          ...f("a", "{}"),
          extension: chat('{"function":{"x_a":{"p":1,"q":3},"x_l":[1,2],"x_b":2,"x_c":{"r":4,"s":6},"x_d":5}}'),
        },
      ],
    ],
    [
      "with free text",
      [
        calls({ index: 0, id: "a", type: "custom", custom: { name: "g", input: "{fr" } }),
        calls({ index: 0, custom: { input: "ee" } }),
        calls(start(1, "b", "{}")),
      ],
      [{ toolUse: { id: "a", name: "g", arguments: "{free", kind: "TOOL_KIND_CUSTOM" } }, f("b", "{}")],
    ],
  ])("decodes calls %s", (_name, chunks, content) => {
    expect(answer(begin, ...chunks, finish("tool_calls"))).toEqual({ content, finished: toolUse });
  });

  it("calls it tool use where a forced call ends with stop", () => {
    expect(answer(begin, calls(start(0, "a", "{}")), finish("stop"))).toEqual({
      content: [f("a", "{}")],
      finished: { reason: "FINISH_REASON_TOOL_USE", rawReason: "stop" },
    });
  });

  it("leaves the last call without arguments where the answer was cut", () => {
    expect(answer(begin, calls(start(0, "a"), start(1, "b")), finish("length"))).toEqual({
      content: [f("a", "{}"), { toolUse: { id: "b", name: "f", kind: "TOOL_KIND_FUNCTION" } }],
      finished: { reason: "FINISH_REASON_LENGTH", rawReason: "length" },
    });
  });

  it("makes an id where the server gives none", () => {
    const events = decode([begin, calls({ index: 0, function: { name: "f", arguments: "{}" } }), finish("tool_calls")]);
    const block = events[1]?.event.case === "blockStart" ? events[1].event.value.block : undefined;
    expect(block?.kind.case === "toolUse" && block.kind.value.id).toMatch(/^call_[0-9a-f-]{36}$/);
  });
});

describe("createEventDecoder(): ends that leave something out", () => {
  const text = delta({ content: "a" });
  const counted = { finished: { reason: "FINISH_REASON_STOP", usage: { inputTokens: 10, outputTokens: 4 } } };

  it.each([
    ["null", null],
    ["an empty word", ""],
  ])("ends well with %s in place of a reason, behind the counts and the mark", (_what, reason) => {
    expect(answer(text, delta({}, { finish_reason: reason }), usage)).toMatchObject(counted);
  });

  it("ends with calls that are complete, behind the mark", () => {
    expect(answer(calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }))).toMatchObject({
      content: [f("a", "{}")],
      finished: { reason: "FINISH_REASON_TOOL_USE" },
    });
  });

  it.each([
    ["a text without counts", [text], "[DONE]"],
    ["a text and counts without the mark", [text, usage], "close"],
    ["calls that broke off", [calls({ index: 0, id: "a", function: { name: "f", arguments: '{"q":' } })], "[DONE]"],
    ["nothing but counts", [begin, usage], "[DONE]"],
  ] as const)("takes %s for an answer that broke off", (_what, chunks, end) => {
    expect(() => decode(chunks, end)).toThrow("the upstream's answer ended before its finish_reason");
  });

  it("is cut where it took all its tokens and says no reason", () => {
    const decoder = createEventDecoder(Dialect.CHAT, { maxOutputTokens: 4 });
    for (const chunk of [text, usage]) decoder.decode({ event: undefined, data: JSON.stringify(chunk) });
    const [last] = decoder.decode({ event: undefined, data: "[DONE]" }).slice(-1);
    expect(last?.event.value).toMatchObject({ reason: FinishReason.LENGTH });
  });

  it("keeps the counts of the answer where counts of nothing follow", () => {
    const none = { ...head, choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    expect(answer(text, finish("stop"), usage, none)).toMatchObject(counted);
  });

  it("reads counts by the names of Responses", () => {
    const told = { ...head, choices: [], usage: { input_tokens: 10, output_tokens: 4, total_tokens: 14 } };
    expect(answer(text, finish("stop"), told)).toMatchObject(counted);
  });

  it("reads the message of the last chunk where no delta said anything", () => {
    const last = { ...head, choices: [{ index: 0, message: { content: "ab" }, finish_reason: "stop" }] };
    expect(answer(begin, last)).toMatchObject({ content: [{ text: { text: "ab" } }] });
    expect(answer(begin, text, last)).toMatchObject({ content: [{ text: { text: "a" } }] });
  });

  it("puts arguments in the place of an empty object that stands for none so far", () => {
    const first = { index: 0, id: "a", function: { name: "f", arguments: "{}" } };
    const chunks = [calls(first), calls({ index: 0, function: { arguments: '{"q":' } })];
    const rest = [calls({ index: 0, function: { arguments: "1}" } }), finish("tool_calls")];
    expect(answer(...chunks, ...rest)).toMatchObject({ content: [f("a", '{"q":1}')] });
    expect(answer(calls(first), finish("tool_calls"))).toMatchObject({ content: [f("a", "{}")] });
  });
});

describe("createEventDecoder(): failures", () => {
  it.each<[string, (JsonObject | string)[], "[DONE]" | "close", ErrorReason, string]>([
    [
      "no reason before [DONE]",
      [begin],
      "[DONE]",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer ended before its finish_reason",
    ],
    [
      "no reason before the end",
      [begin],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer ended before its finish_reason",
    ],
    [
      "nothing at all",
      [],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer ended before its finish_reason",
    ],
    [
      "text that is no JSON",
      ["{"],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: an event is not JSON",
    ],
    [
      "JSON that is no object",
      ["[]"],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: an event is not a JSON object",
    ],
    [
      "a second choice",
      [{ ...head, choices: [{ index: 1, delta: {} }] }],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: it has a choice with the index 1, and one answer was asked for",
    ],
    [
      "a call that goes on after its end",
      [
        calls({ index: 0, id: "a", function: { name: "f", arguments: "{}" } }),
        calls(
          { index: 1, id: "b", function: { name: "f", arguments: "" } },
          { index: 0, function: { arguments: "x" } },
        ),
      ],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: tool call 'f' goes on after its end",
    ],
    [
      "a call without a name",
      [calls({ index: 0, id: "a", function: { arguments: "{}" } }), finish("tool_calls")],
      "close",
      ErrorReason.STREAM_INTERRUPTED,
      "the upstream's answer is broken: a tool call has no name",
    ],
    [
      "an error object",
      [begin, { error: { message: "Try later", type: "server_error", code: "server_is_overloaded", param: null } }],
      "close",
      ErrorReason.UPSTREAM_OVERLOADED,
      "Try later",
    ],
    [
      "an error of vLLM",
      [
        begin,
        {
          object: "error",
          message: "This model's maximum context length is 10 tokens",
          type: "BadRequestError",
          code: 400,
        },
      ],
      "close",
      ErrorReason.CONTEXT_LENGTH_EXCEEDED,
      "This model's maximum context length is 10 tokens",
    ],
    [
      "an error of a choice",
      [
        begin,
        { choices: [{ index: 0, delta: {}, finish_reason: "error", error: { code: 502, message: "provider down" } }] },
      ],
      "[DONE]",
      ErrorReason.UPSTREAM_ERROR,
      "provider down",
    ],
    [
      "an error of a proxy",
      [begin, { error: { code: 429, message: "slow" } }],
      "close",
      ErrorReason.RATE_LIMITED,
      "slow",
    ],
  ])("reports %s", (_name, chunks, end, reason, message) => {
    expect(() => decode(chunks, end)).toThrow(
      expect.objectContaining({ constructor: InferenceError, reason, message }),
    );
  });

  it("tells what was spent until a stream broke off", () => {
    const counted = { ...delta({ content: "a" }), usage: usage.usage };
    expect(() => decode([begin, counted], "close")).toThrow(
      expect.objectContaining({
        facts: expect.objectContaining({ usage: expect.objectContaining({ inputTokens: 10, outputTokens: 4 }) }),
      }),
    );
  });
});

describe("createEventDecoder(): answers of servers that do not say that they cut them", () => {
  // As LitServe 0.2.19 ends each answer, here at max_completion_tokens of 4.
  const text = { choices: [{ index: 0, message: { role: "assistant", content: "abcd" }, finish_reason: "stop" }] };
  const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } };
  const asked = { ...text.choices[0], message: { role: "assistant", content: "", tool_calls: [call] } };
  const counts = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

  it.each([
    ["took all its tokens", "litserve", text, {}, FinishReason.LENGTH],
    ["took fewer", "litserve", text, { maxOutputTokens: 5 }, FinishReason.STOP],
    ["had no limit", "litserve", text, { maxOutputTokens: undefined }, FinishReason.STOP],
    ["calls a tool", "litserve", { choices: [asked] }, {}, FinishReason.TOOL_USE],
    ["is of a server that tells", "vllm", text, {}, FinishReason.STOP],
  ] as const)("reads the end of one that %s", (_what, name, said, context, reason) => {
    const profile = findServerFacts(name, "chat");
    const decoder = createEventDecoder(Dialect.CHAT, { profile, maxOutputTokens: 4, ...context });
    const fold = new ResponseFold();
    for (const event of decoder.decodeWhole(JSON.stringify({ ...said, usage: counts }))) fold.add(event);
    expect(fold.response.finished?.reason).toBe(reason);
  });

  it("does not count the tokens of two choices as those of one", () => {
    const profile = findServerFacts("litserve", "chat");
    const decoder = createEventDecoder(Dialect.CHAT, { profile, maxOutputTokens: 4, choices: 2 });
    const [choice] = text.choices;
    const body = { choices: [choice, { ...choice, index: 1 }], usage: counts };
    const fold = new ResponseFold();
    for (const event of decoder.decodeWhole(JSON.stringify(body))) fold.add(event);
    expect(fold.response.finished?.reason).toBe(FinishReason.STOP);
  });
});

describe("createEventDecoder(): bytes", () => {
  const chunks = [
    begin,
    delta({ reasoning_content: "日本" }),
    delta({ content: "😀\u2028é" }),
    calls({ index: 0, id: "a", function: { name: "f", arguments: '{"😀":"\\u0000"}' } }),
    finish("tool_calls"),
    usage,
  ];
  const bytes = Buffer.from(
    [": hi\n\n", ...chunks.map((chunk) => sseData(JSON.stringify(chunk))), sseData("[DONE]")].join(""),
  );

  function read(cuts: readonly number[]): unknown[] {
    const reader = createSseReader();
    const decoder = createEventDecoder(Dialect.CHAT);
    const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
    const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
    const events = parts.flatMap((part) => reader.read(part)).flatMap((message) => decoder.decode(message));
    return json(events);
  }

  it("decodes alike however they are split", () => {
    const whole = read([]);
    expect(whole).toHaveLength(11);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        expect(read(cuts)).toEqual(whole);
      }),
    );
  });
});
