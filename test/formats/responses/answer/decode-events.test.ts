import { toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dialect } from "../../../../gen/attune/content/v1/content_pb.ts";
import { type GenerateEvent, GenerateEventSchema } from "../../../../gen/attune/inference/v1/inference_pb.ts";
import { createEventDecoder } from "../../../../src/formats/responses/answer/decode-events.ts";
import type { JsonObject } from "../../../../src/formats/shared/json.ts";
import { createSseReader, sseEvent } from "../../../../src/formats/shared/sse.ts";
import { InferenceError } from "../../../../src/hub/error.ts";
import { createOrderCheck } from "../../../../src/inference/checks/check-stream.ts";

/** Decodes the events and checks their order; returns them in their JSON form. */
function decode(events: readonly JsonObject[]): unknown[] {
  const decoder = createEventDecoder(Dialect.RESPONSES);
  const decoded = events.flatMap((event) => decoder.decode({ event: String(event.type), data: JSON.stringify(event) }));
  return toJsons([...decoded, ...decoder.close()]);
}

function toJsons(events: readonly GenerateEvent[]): unknown[] {
  const check = createOrderCheck();
  return events.map((event) => {
    check(event);
    return toJson(GenerateEventSchema, event);
  });
}

function responses(object: unknown) {
  return { dialect: "DIALECT_RESPONSES", json: JSON.stringify(object) };
}

const created = { type: "response.created", sequence_number: 0, response: { id: "resp_1", model: "gpt-x-2026" } };
const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 15,
};
const completed = { type: "response.completed", response: { id: "resp_1", status: "completed", output: [], usage } };

const started = { started: { serving: { upstreamModel: "gpt-x-2026" } } };
const decodedUsage = {
  inputTokens: 5,
  cacheReadTokens: 4,
  cacheWriteTokens: 1,
  outputTokens: 5,
  reasoningTokens: 2,
};

function finished(reason: string, rawReason = "completed") {
  return { finished: { reason, rawReason, usage: decodedUsage } };
}

const start = (index: number, block: unknown) => ({ blockStart: index === 0 ? { block } : { index, block } });
const delta = (index: number, members: object) => ({ blockDelta: index === 0 ? members : { index, ...members } });
const end = (index: number, extension?: unknown) => ({
  blockEnd: {
    ...(index === 0 ? {} : { index }),
    ...(extension === undefined ? {} : { extension: responses(extension) }),
  },
});

/** A message of one text, as an upstream streams it. */
function message(index: number, id: string, words: readonly string[]): JsonObject[] {
  const at = { item_id: id, output_index: index, content_index: 0 };
  const text = words.join("");
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  const item = { id, type: "message", role: "assistant" };
  return [
    { type: "response.output_item.added", output_index: index, item: { ...item, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...at, part: { ...part, text: "" } },
    ...words.map((word) => ({
      type: "response.output_text.delta",
      ...at,
      delta: word,
      logprobs: [],
      obfuscation: "x",
    })),
    { type: "response.output_text.done", ...at, text, logprobs: [] },
    { type: "response.content_part.done", ...at, part },
    { type: "response.output_item.done", output_index: index, item: { ...item, status: "completed", content: [part] } },
  ];
}

/** A call of a function, as an upstream streams it. */
function call(index: number, id: string, pieces: readonly string[]): JsonObject[] {
  const at = { item_id: id, output_index: index };
  const args = pieces.join("");
  const item = { id, type: "function_call", call_id: `call_${id}`, name: "f" };
  return [
    {
      type: "response.output_item.added",
      output_index: index,
      item: { ...item, status: "in_progress", arguments: "" },
    },
    ...pieces.map((piece) => ({ type: "response.function_call_arguments.delta", ...at, delta: piece })),
    { type: "response.function_call_arguments.done", ...at, arguments: args },
    { type: "response.output_item.done", output_index: index, item: { ...item, status: "completed", arguments: args } },
  ];
}

const callStart = (index: number, id: string) =>
  start(index, { toolUse: { id: `call_${id}`, name: "f", kind: "TOOL_KIND_FUNCTION" }, itemId: id });

describe("createEventDecoder()", () => {
  it("decodes a text", () => {
    expect(decode([created, ...message(0, "msg_1", ["Hel", "lo"]), completed])).toEqual([
      started,
      start(0, { text: {}, itemId: "msg_1" }),
      delta(0, { text: "Hel" }),
      delta(0, { text: "lo" }),
      end(0),
      finished("FINISH_REASON_STOP"),
    ]);
  });

  it("decodes parallel calls", () => {
    expect(decode([created, ...call(0, "fc_1", ['{"a"', ":1}"]), ...call(1, "fc_2", []), completed])).toEqual([
      started,
      callStart(0, "fc_1"),
      delta(0, { arguments: '{"a"' }),
      delta(0, { arguments: ":1}" }),
      end(0),
      callStart(1, "fc_2"),
      // Blank arguments are none.
      delta(1, { arguments: "{}" }),
      end(1),
      finished("FINISH_REASON_TOOL_USE"),
    ]);
  });

  it("leaves a call without arguments that was cut", () => {
    const item = { id: "fc_1", type: "function_call", call_id: "call_fc_1", name: "f", arguments: "" };
    const added = { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress" } };
    const done = { type: "response.output_item.done", output_index: 0, item: { ...item, status: "incomplete" } };
    const events = decode([created, added, done, completed]);
    expect(events).toEqual([
      started,
      callStart(0, "fc_1"),
      end(0, { status: "incomplete" }),
      finished("FINISH_REASON_TOOL_USE"),
    ]);
  });

  it("holds back items that begin before another is done", () => {
    const [addA, ...restA] = call(0, "fc_1", ["1", "2"]);
    const [addB, ...restB] = call(1, "fc_2", ["3"]);
    const [addC, ...restC] = message(2, "msg_3", ["x"]);
    const mixed = [addA, addB, restB[0], addC, restA[0], restC[0], ...restA.slice(1), restC[1], ...restB.slice(1)];
    const events = [...mixed, ...restC.slice(2)].filter((event) => event !== undefined);
    expect(decode([created, ...events, completed])).toEqual([
      started,
      callStart(0, "fc_1"),
      delta(0, { arguments: "1" }),
      delta(0, { arguments: "2" }),
      end(0),
      callStart(1, "fc_2"),
      delta(1, { arguments: "3" }),
      end(1),
      start(2, { text: {}, itemId: "msg_3" }),
      delta(2, { text: "x" }),
      end(2),
      finished("FINISH_REASON_TOOL_USE"),
    ]);
  });

  it("decodes a custom tool's call with members that only this format knows", () => {
    const item = { id: "ctc_1", type: "custom_tool_call", call_id: "call_1", name: "shell", namespace: "os" };
    expect(
      decode([
        created,
        { type: "response.output_item.added", output_index: 0, item: { ...item, input: "" } },
        { type: "response.custom_tool_call_input.delta", output_index: 0, item_id: "ctc_1", delta: "ls" },
        { type: "response.custom_tool_call_input.done", output_index: 0, item_id: "ctc_1", input: "ls" },
        { type: "response.output_item.done", output_index: 0, item: { ...item, input: "ls", async: true } },
        completed,
      ]),
    ).toEqual([
      started,
      start(0, {
        toolUse: { id: "call_1", name: "shell", kind: "TOOL_KIND_CUSTOM" },
        itemId: "ctc_1",
        itemExtension: responses({ namespace: "os" }),
      }),
      delta(0, { arguments: "ls" }),
      end(0, { async: true }),
      finished("FINISH_REASON_TOOL_USE"),
    ]);
  });

  it("decodes reasoning: summary parts, raw text, and the encrypted form of the end", () => {
    const at = { item_id: "rs_1", output_index: 0 };
    const item = { id: "rs_1", type: "reasoning" };
    const summary = [
      { type: "summary_text", text: "First" },
      { type: "summary_text", text: "Second" },
    ];
    expect(
      decode([
        created,
        {
          type: "response.output_item.added",
          output_index: 0,
          item: { ...item, summary: [], encrypted_content: "early" },
        },
        {
          type: "response.reasoning_summary_part.added",
          ...at,
          summary_index: 0,
          part: { type: "summary_text", text: "" },
        },
        { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "Fir" },
        { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0, delta: "st" },
        { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text: "First" },
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part: summary[0] },
        { type: "response.content_part.added", ...at, content_index: 0, part: { type: "reasoning_text", text: "" } },
        { type: "response.reasoning_text.delta", ...at, content_index: 0, delta: "Raw" },
        { type: "response.reasoning_text.done", ...at, content_index: 0, text: "Raw" },
        { type: "response.output_item.done", output_index: 0, item: { ...item, summary, encrypted_content: "gAAA==" } },
        completed,
      ]),
    ).toEqual([
      started,
      start(0, { thinking: { id: "rs_1" }, itemId: "rs_1" }),
      delta(0, { summary: {} }),
      delta(0, { summary: { text: "Fir" } }),
      delta(0, { summary: { text: "st" } }),
      delta(0, { thinking: "Raw" }),
      delta(0, { summary: { part: 1 } }),
      delta(0, { summary: { part: 1, text: "Second" } }),
      delta(0, { opaque: "gAAA==" }),
      end(0),
      finished("FINISH_REASON_STOP"),
    ]);
  });

  it("decodes a message with text, annotations, logprobs and a refusal, and what its end alone says", () => {
    const at = { item_id: "msg_1", output_index: 0 };
    const logprobs = [{ token: "a", logprob: -0.1, top_logprobs: [] }];
    const annotation = { type: "file_path", file_id: "f", index: 0 };
    const item = { id: "msg_1", type: "message", role: "assistant", phase: "final_answer" };
    const content = [
      { type: "output_text", text: "ab", annotations: [annotation], logprobs },
      { type: "refusal", refusal: "No." },
    ];
    expect(
      decode([
        created,
        { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress", content: [] } },
        { type: "response.content_part.added", ...at, content_index: 0, part: { type: "output_text", text: "" } },
        { type: "response.output_text.delta", ...at, content_index: 0, delta: "a", logprobs },
        { type: "response.output_text.annotation.added", ...at, content_index: 0, annotation_index: 0, annotation },
        { type: "response.output_text.done", ...at, content_index: 0, text: "ab" },
        { type: "response.content_part.done", ...at, content_index: 0, part: content[0] },
        { type: "response.content_part.added", ...at, content_index: 1, part: { type: "refusal", refusal: "" } },
        { type: "response.refusal.delta", ...at, content_index: 1, delta: "No." },
        { type: "response.refusal.done", ...at, content_index: 1, refusal: "No." },
        { type: "response.content_part.done", ...at, content_index: 1, part: content[1] },
        { type: "response.output_item.done", output_index: 0, item: { ...item, status: "incomplete", content } },
        completed,
      ]),
    ).toEqual([
      started,
      start(0, { text: {}, itemId: "msg_1", itemExtension: responses({ phase: "final_answer" }) }),
      delta(0, { text: "a", logprobs: { tokens: [{ token: "a", logprob: -0.1 }] } }),
      delta(0, { annotation: { opaque: responses(annotation) } }),
      delta(0, { text: "b" }),
      end(0),
      start(1, { refusal: {}, itemId: "msg_1" }),
      delta(1, { text: "No." }),
      end(1, { $item: { status: "incomplete" } }),
      finished("FINISH_REASON_STOP"),
    ]);
  });

  it("passes on a hosted tool's announcement and progress, and makes a block of the whole item", () => {
    const added = {
      type: "response.output_item.added",
      output_index: 0,
      item: { id: "ws_1", type: "web_search_call" },
    };
    const searching = { type: "response.web_search_call.searching", output_index: 0, item_id: "ws_1" };
    const item = { id: "ws_1", type: "web_search_call", status: "completed", action: { type: "search", query: "q" } };
    const done = { type: "response.output_item.done", output_index: 0, item };
    expect(decode([created, added, searching, done, completed])).toEqual([
      started,
      { raw: responses(added) },
      { raw: responses(searching) },
      start(0, { opaque: responses(item) }),
      end(0),
      finished("FINISH_REASON_STOP"),
    ]);
  });

  it("passes on events that nobody knows, and drops keep-alives", () => {
    const later = { type: "response.later", note: 1 };
    expect(decode([created, { type: "keepalive" }, later, { type: "response.in_progress" }, completed])).toEqual([
      started,
      { raw: responses(later) },
      finished("FINISH_REASON_STOP"),
    ]);
  });

  it("takes items whole that come without deltas, or only with the end", () => {
    const doneOnly = call(0, "fc_1", ["{}"]).slice(-1);
    const text = { id: "msg_2", type: "message", content: [{ type: "output_text", text: "Hi", annotations: [] }] };
    const output = [{ id: "fc_1", type: "function_call" }, text];
    expect(decode([created, ...doneOnly, { ...completed, response: { usage, output } }])).toEqual([
      started,
      callStart(0, "fc_1"),
      delta(0, { arguments: "{}" }),
      end(0),
      start(1, { text: {}, itemId: "msg_2" }),
      delta(1, { text: "Hi" }),
      end(1),
      finished("FINISH_REASON_TOOL_USE"),
    ]);
  });

  it("keeps a message without parts whole", () => {
    const item = { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [] };
    const events = ["added", "done"].map((word) => ({ type: `response.output_item.${word}`, output_index: 0, item }));
    expect(decode([created, ...events, completed])).toEqual([
      started,
      start(0, { opaque: responses(item) }),
      end(0),
      finished("FINISH_REASON_STOP"),
    ]);
  });

  const ends: [details: JsonObject | null, reason: string, raw: string][] = [
    [{ reason: "max_output_tokens" }, "FINISH_REASON_LENGTH", "max_output_tokens"],
    [{ reason: "content_filter" }, "FINISH_REASON_CONTENT_FILTER", "content_filter"],
    [{ reason: "steered" }, "FINISH_REASON_PAUSE", "steered"],
  ];

  it.each(ends)("decodes an answer that is incomplete for %j, and ends what was open", (details, reason, raw) => {
    const cut = call(0, "fc_1", ['{"a']).slice(0, 2);
    const response = { status: "incomplete", incomplete_details: details, usage, output: [] };
    expect(decode([created, ...cut, { type: "response.incomplete", response }])).toEqual([
      started,
      callStart(0, "fc_1"),
      delta(0, { arguments: '{"a' }),
      end(0),
      finished(reason, raw),
    ]);
  });

  it("keeps what the upstream says it did, and counts that only this format has", () => {
    const response = {
      id: "resp_1",
      status: "completed",
      output: [],
      service_tier: "flex",
      top_p: 0.98,
      instructions: "Be brief.",
      store: true,
      usage: {
        input_tokens: 4,
        input_tokens_details: { cached_tokens: 0, audio_tokens: 1 },
        output_tokens: 1,
        total_tokens: 5,
        cost: 1,
      },
    };
    expect(decode([created, { type: "response.completed", response }])).toEqual([
      started,
      {
        finished: {
          reason: "FINISH_REASON_STOP",
          rawReason: "completed",
          usage: {
            inputTokens: 4,
            outputTokens: 1,
            extension: responses({ cost: 1, input_tokens_details: { audio_tokens: 1 } }),
            billing: { serviceTier: "flex", audioInputTokens: 1 },
          },
          extension: responses({ service_tier: "flex", top_p: 0.98 }),
        },
      },
    ]);
  });

  const failures: [event: JsonObject, reason: string, message: string][] = [
    [
      { type: "error", error: { type: "invalid_request_error", code: "context_length_exceeded", message: "too long" } },
      "CONTEXT_LENGTH_EXCEEDED",
      "too long",
    ],
    [{ type: "error", code: "rate_limit_exceeded", message: "slow", param: null }, "RATE_LIMITED", "slow"],
    [{ type: "error", code: null, message: "odd", param: null }, "UPSTREAM_ERROR", "odd"],
    [{ type: "response.failed", response: { error: { code: "server_error", message: "x" } } }, "UPSTREAM_ERROR", "x"],
    [
      { type: "response.failed", response: { error: { code: "server_is_overloaded", message: "x" } } },
      "UPSTREAM_OVERLOADED",
      "x",
    ],
    [
      { type: "response.failed", response: { error: { code: "invalid_image_url", message: "x" } } },
      "INVALID_REQUEST",
      "x",
    ],
    [{ type: "response.failed", response: { error: { code: "bio_policy", message: "x" } } }, "CONTENT_FILTERED", "x"],
    [{ type: "response.error", error: { code: "server_error", message: "x" } }, "UPSTREAM_ERROR", "x"],
    [{ type: "response.cancelled", response: { status: "cancelled", error: { message: "x" } } }, "UPSTREAM_ERROR", "x"],
    [{ type: "response.failed", response: {} }, "UPSTREAM_ERROR", "the upstream failed and did not say why"],
  ];

  it.each(failures)("throws for %j", async (event, reason, message) => {
    const { ErrorReason } = await import("../../../../src/hub/error.ts");
    const expected = ErrorReason[reason as keyof typeof ErrorReason];
    expect(() => decode([created, event])).toThrow(expect.objectContaining({ reason: expected, message }));
  });

  it("says what a failed answer cost", () => {
    const failed = { type: "response.failed", response: { error: { code: "server_error", message: "x" }, usage } };
    const thrown = (): unknown => {
      try {
        return decode([created, failed]);
      } catch (error) {
        return error;
      }
    };
    expect(thrown()).toBeInstanceOf(InferenceError);
    expect(thrown()).toMatchObject({ facts: { usage: { inputTokens: 5, outputTokens: 5 } } });
  });

  it("reads an end by another name", () => {
    const events = decode([created, ...message(0, "msg_1", ["Hi"]), { ...completed, type: "response.done" }]);
    expect(events.at(-1)).toMatchObject({ finished: { reason: "FINISH_REASON_STOP" } });
  });

  it("calls a stream without a terminal event interrupted", () => {
    expect(() => decode([created, ...message(0, "msg_1", ["Hi"])])).toThrow(
      "the upstream ended its answer before it was complete",
    );
    expect(() => createEventDecoder(Dialect.RESPONSES).decode({ event: "x", data: "<html>" })).toThrow(
      "not a JSON object",
    );
  });

  it("reads nothing after the end", () => {
    const decoder = createEventDecoder(Dialect.RESPONSES);
    decoder.decode({ event: undefined, data: JSON.stringify(completed) });
    expect(decoder.decode({ event: undefined, data: "[DONE]" })).toEqual([]);
    expect(decoder.decode({ event: "error", data: '{"type":"error"}' })).toEqual([]);
    expect(decoder.close()).toEqual([]);
  });

  it("decodes alike however the bytes are cut", () => {
    const events = [
      created,
      ...message(0, "msg_1", ["Grüezi ", "🙂", "\u2028", "終"]),
      ...call(1, "fc_2", ["{}"]),
      completed,
    ];
    const bytes = new TextEncoder().encode(
      `${events.map((event) => sseEvent(event.type as string, JSON.stringify(event))).join("")}data: [DONE]\n\n`,
    );
    const whole = decode(events);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 }), (sizes) => {
        const reader = createSseReader();
        const decoder = createEventDecoder(Dialect.RESPONSES);
        const decoded: GenerateEvent[] = [];
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1;
          for (const said of reader.read(bytes.slice(at, at + size))) decoded.push(...decoder.decode(said));
          at += size;
        }
        expect(toJsons([...decoded, ...decoder.close()])).toEqual(whole);
      }),
    );
  });
});

describe("createEventDecoder(): items of servers that number them in ways of their own", () => {
  const items = (first: number, second: number, third: number) => [
    ...message(first, "msg_1", ["One"]),
    ...message(second, "msg_2", ["Two"]),
    ...call(third, "fc_1", ['{"a"', ":1}"]),
  ];
  const output = [{ id: "msg_1" }, { id: "msg_2" }, { id: "fc_1" }];
  const ended = { ...completed, response: { ...completed.response, output } };
  const unnumbered = (events: JsonObject[]) => events.map(({ output_index: _number, ...event }) => event);
  const decoded = decode([created, ...items(0, 1, 2), ended]);

  it.each<[string, JsonObject[]]>([
    ["all 0", items(0, 0, 0)],
    ["not at all", unnumbered(items(0, 1, 2))],
    ["from 1", items(1, 2, 3)],
    ["some twice", items(0, 0, 1)],
    ["backwards", items(2, 1, 0)],
  ])("reads them all: %s", (_, events) => {
    expect(decode([created, ...events, ended])).toEqual(decoded);
  });

  it("knows calls by the id of the call where they have no other, and what is done by its place", () => {
    const events = unnumbered([...call(0, "fc_1", ["{}"]), ...call(1, "fc_2", ["{}"])]).map((event) => ({
      ...event,
      ...(typeof event.item_id === "string" && { item_id: `call_${event.item_id}` }),
      ...(event.item !== undefined && { item: { ...(event.item as JsonObject), id: undefined } }),
    }));
    const blocks = [0, 1].flatMap((index) => [
      start(index, { toolUse: { id: `call_fc_${index + 1}`, name: "f", kind: "TOOL_KIND_FUNCTION" } }),
      ...[delta(index, { arguments: "{}" }), end(index)],
    ]);
    expect(decode([created, ...events, completed])).toEqual([started, ...blocks, finished("FINISH_REASON_TOOL_USE")]);
    const renamed = unnumbered(message(0, "msg_1", ["One"])).map((event) =>
      event.type === "response.output_item.done"
        ? { ...event, item: { ...(event.item as JsonObject), id: "x" } }
        : event,
    );
    expect(decode([created, ...renamed, completed]).filter((one) => JSON.stringify(one).includes("One"))).toHaveLength(
      1,
    );
  });

  it("reads texts of items that are never announced, and names what was said of others that never came", () => {
    const textDelta = (delta: string) => ({ type: "response.output_text.delta", delta });
    const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const block = [
      start(0, { text: {}, itemId: "msg_1" }),
      delta(0, { text: "Hel" }),
      delta(0, { text: "lo" }),
      end(0),
    ];
    const told = [textDelta("Hel"), textDelta("lo")];
    const whole = [started, ...block, finished("FINISH_REASON_STOP")];
    expect(decode([created, ...told.map((one) => ({ ...one, ...at })), completed])).toEqual(whole);
    const output = [message(0, "msg_1", ["Hello"]).at(-1)?.item];
    const ended = { ...completed, response: { ...completed.response, output } };
    expect(decode([created, ...told.map((one) => ({ ...one, ...at })), ended])).toEqual(whole);
    const unnamed = start(0, { text: {} });
    expect(decode([created, ...told, completed])).toEqual([started, unnamed, ...whole.slice(2)]);
    const lost = { type: "response.function_call_arguments.delta", output_index: 0, item_id: "fc_1", delta: "{}" };
    expect(decode([created, lost, lost, completed])).toEqual([
      ...[started, { raw: responses(lost) }, finished("FINISH_REASON_STOP")],
    ]);
  });

  it("takes an item once that is announced twice", () => {
    const [added, ...rest] = message(0, "msg_1", ["One"]);
    const twice = [added, added, ...rest] as JsonObject[];
    expect(decode([created, ...twice, completed])).toEqual(
      decode([created, ...message(0, "msg_1", ["One"]), completed]),
    );
  });
});
